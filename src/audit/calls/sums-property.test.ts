/** For every condition, sums over blocks equal a count of the calls one by one, also after new blocks have been added. */
import { beforeEach, expect, test } from 'vitest';
import type { ReadCalls } from './call-index.js';
import { type CallFacts, createCallValues, type Field, packCalls } from './columns.js';
import { type CallCondition, createFacetCounts, selectCalls } from './select.js';
import { createCallerCounts, createCallSums } from './sums.js';

const counted = ['status', 'actor', 'tool', 'connection'] as const satisfies readonly Field[];
const rounds = 60;
const blockLength = 40;

/** Numbers from 0 to `below`, the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

let random: (below: number) => number;
let calls: CallFacts[];
let values: ReturnType<typeof createCallValues>;
let loads: number;
beforeEach(() => {
  random = createRandom(7);
  calls = [];
  values = createCallValues();
  loads = 0;
});

function addCalls(count: number): void {
  for (let more = 0; more < count; more += 1) {
    const actor = `agent-${random(6)}`;
    calls.push({
      seq: calls.length * 2 + 2,
      // Processes whose clocks differ.
      endedAt: calls.length * 10 + random(200),
      durationMs: random(50) - 1,
      characters: 0,
      kept: 0,
      status: ['ok', 'failed', 'refused'][random(3)] ?? 'ok',
      actor,
      onBehalfOf: '',
      tool: `tool-${random(9)}`,
      toolkit: '',
      connection: random(2) === 0 ? '' : `account-${random(4)}`,
      rule: '',
      error: '',
      risk: '',
      door: '',
      principals: [{ kind: 'agent', id: actor, name: `${actor} at ${calls.length}` }],
    });
  }
}

const index = {
  async read(): Promise<ReadCalls> {
    const finished = Math.floor(calls.length / blockLength);
    const load = (block: number) => {
      loads += 1;
      // Sometimes there are too many values to share.
      if (random(5) === 0) values = createCallValues();
      return values.unpack(packCalls(calls.slice(block * blockLength, (block + 1) * blockLength)));
    };
    return { finished, load, tail: values.unpack(packCalls(calls.slice(finished * blockLength))) };
  },
};

function randomCondition(): CallCondition {
  const fields: Partial<Record<Field, string>> = {};
  if (random(3) === 0) fields.actor = `agent-${random(7)}`;
  if (random(3) === 0) fields.status = 'ok';
  if (random(4) === 0) fields.connection = `account-${random(5)}`;
  return {
    fields,
    ...(random(3) === 0 ? { since: random(3_000) } : {}),
    ...(random(3) === 0 ? { until: random(6_000) } : {}),
    ...(random(4) === 0 ? { minDurationMs: 10 } : {}),
    ...(random(4) === 0 ? { seqs: new Set(calls.filter(() => random(2) === 0).map(({ seq }) => seq)) } : {}),
    ...(random(4) === 0
      ? { visible: { actor: 'agent-1', onBehalfOf: '', connections: new Set(['account-2', 'account-9']) } }
      : {}),
  };
}

function meets(call: CallFacts, { fields, visible, seqs, ...range }: CallCondition, without?: Field): boolean {
  const { since = 0, until = Number.POSITIVE_INFINITY, minDurationMs = -1 } = range;
  return (
    Object.entries(fields).every(([field, value]) => field === without || call[field as Field] === value) &&
    call.endedAt >= since &&
    call.endedAt <= until &&
    call.durationMs >= minDurationMs &&
    (seqs?.has(call.seq) ?? true) &&
    (visible === undefined ||
      (call.actor === visible.actor && call.onBehalfOf === visible.onBehalfOf) ||
      visible.connections.has(call.connection))
  );
}

function countOneByOne(condition: CallCondition, field: Field): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const call of calls)
    if (call[field] !== '' && meets(call, condition, field)) counts[call[field]] = (counts[call[field]] ?? 0) + 1;
  return counts;
}

test('R-audit: counts by field equal those of the calls one by one, for random conditions, while calls are added', async () => {
  const readFacets = createCallSums(index, (condition) => createFacetCounts(counted, condition));
  for (let round = 0; round < rounds; round += 1) {
    addCalls(random(60));
    const condition = randomCondition();
    for (const again of [false, true]) {
      if (again) addCalls(random(90));
      const facets = await readFacets('w', condition);
      expect(facets.total()).toBe(calls.filter((call) => meets(call, condition)).length);
      for (const field of counted)
        expect(Object.fromEntries(facets.counts(field))).toEqual(countOneByOne(condition, field));
    }
  }
});

test('R-audit: the calls of each caller, and the last of them, equal those of the calls one by one', async () => {
  const readCallers = createCallSums(index, createCallerCounts);
  for (let round = 0; round < rounds; round += 1) {
    addCalls(random(60));
    const condition = randomCondition();
    const callers = await readCallers('w', condition);
    const chosen = calls.filter((call) => meets(call, condition));
    const describe = (some: readonly CallFacts[]) => {
      return { calls: some.length, lastAt: Math.max(0, ...some.map(({ endedAt }) => endedAt)) };
    };
    expect(callers.total()).toEqual(describe(chosen));
    for (let actor = 0; actor < 7; actor += 1) {
      const mine = chosen.filter((call) => call.actor === `agent-${actor}`);
      expect(callers.find(`agent-${actor}`)).toEqual(mine.length === 0 ? undefined : describe(mine));
    }
  }
});

test('R-audit: the calls of a block that meet a condition are those that a look at each of them finds', () => {
  addCalls(300);
  const block = values.unpack(packCalls(calls));
  for (let round = 0; round < rounds; round += 1) {
    const condition = randomCondition();
    const found = selectCalls(block, condition).map((at) => calls[at]);
    expect(found).toEqual(calls.filter((call) => meets(call, condition)));
  }
});

test('R-audit: a second request with the same condition reads only the blocks that were finished since', async () => {
  const readFacets = createCallSums(index, (condition) => createFacetCounts(counted, condition));
  addCalls(10 * blockLength);
  await readFacets('w', { fields: { status: 'ok' }, since: 30 });
  expect(loads).toBe(10);
  // What a caller adds to the result is not in the next one.
  const mine = await readFacets('w', { since: 30, fields: { status: 'ok' } });
  const total = mine.total();
  mine.add(values.unpack(packCalls(calls)));
  addCalls(2 * blockLength);
  expect((await readFacets('w', { fields: { status: 'ok' }, since: 30 })).total()).toBe(
    calls.filter((call) => meets(call, { fields: { status: 'ok' }, since: 30 })).length,
  );
  expect([loads, mine.total() > total]).toEqual([12, true]);
  // Another workspace, another condition, another reader: everything is read.
  await readFacets('other', { fields: { status: 'ok' }, since: 30 });
  await readFacets('w', { fields: { status: 'ok' }, since: 31 });
  await readFacets('w', {
    fields: { status: 'ok' },
    since: 30,
    visible: { actor: 'agent-1', onBehalfOf: '', connections: new Set() },
  });
  expect(loads).toBe(12 + 3 * 12);
});

test('R-audit: a caller is named as in the newest block', async () => {
  const readFacets = createCallSums(index, (condition) => createFacetCounts(counted, condition));
  addCalls(3 * blockLength + 5);
  random = () => 1;
  const facets = await readFacets('w', { fields: {} });
  const last = calls.findLast(({ actor }) => actor === 'agent-2');
  expect(facets.findName('agent-2')).toBe(last?.principals[0]?.name);
});
