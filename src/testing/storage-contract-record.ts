/** The storage contract's part about the record: the chain, the guards on a commit, searching, hostile text. */
import { expect, it } from 'vitest';
import type { JournalEntry } from '../domain/audit.js';
import { actor, approve, type ContractParts, checkChain, draft, entry, intent, time } from './storage-fixtures.js';

export function recordContract(parts: ContractParts): void {
  chain(parts);
  guards(parts);
  search(parts);
  searchInBlocks(parts);
  hostileText(parts);
}

function chain({ under, one, two }: ContractParts): void {
  it('R-audit: numbers without gaps, newest first in search, oldest first in pages', async () => {
    const entries = Array.from({ length: 70 }, (_, n) =>
      entry(n % 2 ? one().workspaceId : two().workspaceId, { events: [draft({ body: { n } }), draft()] }),
    );
    expect(new Set(await under().storage.commit(entries))).toEqual(new Set(['committed']));
    for (const scope of [one(), two()]) expect(await checkChain(under().storage, scope.workspaceId)).toBe(71);
    expect((await one().audit.search({ limit: 2 })).map(({ seq }) => seq)).toEqual([71, 70]);
    expect((await one().audit.page(69, 5)).map(({ seq }) => seq)).toEqual([70, 71]);
    expect((await one().audit.page(1, 1))[0]?.body).toEqual({ n: 1 });
    expect(await under().storage.commit([])).toEqual([]);
  });
  it('R-audit: the chain stays intact when two handles write in parallel', async () => {
    const second = await under().second();
    const writer = async (storage: typeof second, who: string) => {
      for (let n = 0; n < 500; n += 4) {
        const batch = [0, 1, 2, 3].map((k) =>
          entry(one().workspaceId, { events: [draft({ body: { who, n: n + k } })] }),
        );
        await storage.commit([...batch, entry(two().workspaceId)].sort(() => (who === 'a' ? 1 : -1)));
      }
    };
    await Promise.all([writer(under().storage, 'a'), writer(second, 'b')]);
    await second.close();
    expect(await checkChain(under().storage, one().workspaceId)).toBe(1001);
    expect(await checkChain(under().storage, two().workspaceId)).toBe(251);
  }, 60_000);
  it('R-audit: the chain stays intact when one handle only adds rows and another also opens intents', async () => {
    const second = await under().second();
    const { workspaceId } = one();
    const adder = async () => {
      for (let n = 0; n < 100; n++) {
        const stale = entry(workspaceId, { revision: 99, events: [draft({ body: { stale: n } })] });
        const events = [draft({ body: { n } }), draft({ body: { n, second: true } })];
        const outcomes = await under().storage.commit([entry(workspaceId, { events }), stale, entry(workspaceId)]);
        expect(outcomes).toEqual(['committed', 'stale_revision', 'committed']);
      }
    };
    const opener = async () => {
      for (let n = 0; n < 100; n++) await second.commit([entry(workspaceId, { openIntent: intent(`opened-${n}`) })]);
    };
    await Promise.all([adder(), opener()]);
    await second.close();
    expect(await checkChain(under().storage, workspaceId)).toBe(401);
    expect(await one().intents.list()).toHaveLength(100);
  }, 60_000);
  it('R-audit: stores exactly the fields of an event', async () => {
    const principal = { ...actor, workspaceId: 'x', permissions: [] };
    const full = { executionId: 'e', tool: 'gmail.send', onBehalfOf: { kind: 'user', id: 'u', name: 'Ada' } } as const;
    const loose = JSON.parse('{"__proto__":{"x":1},"b":1,"a":{"2":1,"1":2}}');
    const events = [
      draft({ ...full, actor: principal }),
      draft({ body: { ...loose, gone: undefined }, tool: undefined }),
    ];
    await under().storage.commit([{ workspaceId: one().workspaceId, events }]);
    const [second, first] = await one().audit.search({ limit: 2 });
    expect(first).toMatchObject({ ...full, actor });
    expect(Object.keys(first?.actor ?? {})).toEqual(['kind', 'id', 'name']);
    expect(Object.keys(second ?? {}).sort()).toEqual(['actor', 'at', 'body', 'hash', 'seq', 'type', 'workspaceId']);
    expect(await checkChain(under().storage, one().workspaceId)).toBe(3);
  });
}

function guards({ under, one, two }: ContractParts): void {
  const commit = (...entries: JournalEntry[]) => under().storage.commit(entries);
  it('R-grants: refuses an entry of a stale revision and writes the rest', async () => {
    const id = one().workspaceId;
    await one().change([], async () => {});
    const outcomes = await commit(entry(id, { revision: 1 }), entry(id, { revision: 2 }), entry('nobody'), entry(id));
    expect(outcomes).toEqual(['stale_revision', 'committed', 'stale_revision', 'committed']);
    expect(await checkChain(under().storage, id)).toBe(3);
  });
  it('R-approval: an approval is used by exactly one of twenty concurrent commits', async () => {
    for (const scope of [one(), two()]) await approve(under().storage, scope.workspaceId, 'p');
    const second = await under().second();
    const tries = Array.from({ length: 20 }, (_, n) => {
      const use = { approvalId: 'p', executionId: `e${n}` };
      return (n % 2 ? second : under().storage).commit([
        entry(one().workspaceId, { useApproval: use, openIntent: intent(`e${n}`) }),
      ]);
    });
    const outcomes = (await Promise.all(tries)).flat();
    await second.close();
    expect(outcomes.filter((outcome) => outcome === 'committed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'approval_unusable')).toHaveLength(19);
    const winner = `e${outcomes.indexOf('committed')}`;
    expect(await one().approvals.find('p')).toMatchObject({ status: 'used', executionId: winner });
    expect((await two().approvals.find('p'))?.status).toBe('approved');
    expect(await one().approvals.findByBinding('p', time(3))).toBeUndefined();
    expect((await getIntents(one().workspaceId)).map(({ executionId }) => executionId)).toEqual([winner]);
    expect(await checkChain(under().storage, one().workspaceId)).toBe(2);
  });
  const getIntents = async (id: string) =>
    (await under().storage.system.listIntents()).filter(({ workspaceId }) => workspaceId === id);
  it('R-audit: opens and closes an intent once', async () => {
    const [a, b] = [one().workspaceId, two().workspaceId];
    await commit(entry(a, { openIntent: intent('e') }), entry(b, { openIntent: intent('e') }));
    expect(await getIntents(a)).toEqual([{ ...intent('e'), workspaceId: a }]);
    const close = entry(a, { closeIntent: 'e' });
    expect(await commit(close, close, entry(a))).toEqual(['committed', 'intent_missing', 'committed']);
    expect(await commit(close)).toEqual(['intent_missing']);
    expect([await getIntents(a), (await getIntents(b)).length]).toEqual([[], 1]);
    expect(await checkChain(under().storage, a)).toBe(4);
  });
  it('R-audit: opens and closes within one batch, and refuses to open twice', async () => {
    const id = one().workspaceId;
    const open = entry(id, { openIntent: intent('e') });
    const outcomes = await commit(open, open, entry(id, { closeIntent: 'e' }));
    expect(outcomes).toEqual(['committed', 'intent_missing', 'committed']);
    expect(await checkChain(under().storage, id)).toBe(3);
  });
  it('R-audit: starts and ends of many calls in one batch are each written or refused', async () => {
    const id = one().workspaceId;
    await one().change([], async () => {});
    const hostile = { ...intent('e1'), tool: 'a\u0000\ud800', actor: { ...actor, name: '\u001a"\\' } };
    const named = (name: string, more: Partial<JournalEntry> = {}) =>
      entry(id, { events: [draft({ body: { name, at: 1 } }), draft({ body: { name, at: 2 } })], ...more });
    await commit(entry(id, { openIntent: intent('e0') }));
    const outcomes = await commit(
      named('opens', { openIntent: hostile, revision: 2 }),
      named('closes nothing', { closeIntent: 'none' }),
      named('closes', { closeIntent: 'e0' }),
      named('opens too late', { openIntent: intent('e2'), revision: 1 }),
      named('opens again'),
      named('closes too late', { closeIntent: 'e3', revision: 1 }),
      named('adds', { revision: 2 }),
    );
    const [stale, missing] = ['stale_revision', 'intent_missing'];
    expect(outcomes).toEqual(['committed', missing, 'committed', stale, 'committed', stale, 'committed']);
    expect(await getIntents(id)).toEqual([{ ...hostile, workspaceId: id }]);
    const rows = (await one().audit.page(2, 20)).map(({ body }) => [body.name, body.at]);
    expect(rows).toEqual(['opens', 'closes', 'opens again', 'adds'].flatMap((name) => [1, 2].map((at) => [name, at])));
    expect(await checkChain(under().storage, id)).toBe(10);
  });
  it('R-audit: of twenty that end a call at once, one does', async () => {
    const id = one().workspaceId;
    await commit(entry(id, { openIntent: intent('e') }));
    const second = await under().second();
    const ends = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? second : under().storage).commit([
        entry(id, { closeIntent: 'e' }),
        entry(id, { openIntent: intent(`o${n}`) }),
      ]),
    );
    const outcomes = (await Promise.all(ends)).flat();
    await second.close();
    expect(outcomes.filter((outcome) => outcome === 'committed')).toHaveLength(21);
    expect(outcomes.filter((outcome) => outcome === 'intent_missing')).toHaveLength(19);
    expect(await checkChain(under().storage, id)).toBe(23);
  });
  it('R-audit: a running call is asked to stop once, and only in its own workspace', async () => {
    const [a, b] = [one().workspaceId, two().workspaceId];
    await commit(entry(a, { openIntent: intent('e') }), entry(b, { openIntent: intent('e') }));
    const instance = intent('e').instanceId;
    expect(await under().storage.system.listStops(instance)).toEqual([]);
    expect((await one().intents.list()).map(({ executionId, workspaceId }) => [executionId, workspaceId])).toEqual([
      ['e', a],
    ]);
    const before = (await one().audit.head()).seq;
    const answers = await Promise.all([1, 2, 3].map(() => one().intents.requestStop('e', [draft()])));
    expect(answers.toSorted()).toEqual(['already_requested', 'already_requested', 'requested']);
    expect((await one().audit.head()).seq).toBe(before + 1);
    expect(await under().storage.system.listStops(instance)).toEqual([{ workspaceId: a, executionId: 'e' }]);
    expect(await under().storage.system.listStops('another')).toEqual([]);
    await commit(entry(a, { closeIntent: 'e' }));
    expect(await one().intents.requestStop('e', [draft()])).toBe('not_running');
    expect(await under().storage.system.listStops(instance)).toEqual([]);
    expect(await checkChain(under().storage, a)).toBe(before + 2);
  });
  it('R-audit: the index of calls keeps the first text of a block, per workspace', async () => {
    expect(await one().callBlocks.newest()).toBeUndefined();
    await one().callBlocks.put([
      { block: 0, calls: 'a' },
      { block: 1, calls: 'b' },
    ]);
    await one().callBlocks.put([{ block: 1, calls: 'other' }]);
    expect(await one().callBlocks.newest()).toBe(1);
    expect(await one().callBlocks.list(1, 5)).toEqual([{ block: 1, calls: 'b' }]);
    expect(await two().callBlocks.list(0, 5)).toEqual([]);
  });
  it('R-audit: rows are read by number and by execution', async () => {
    const events = [draft({ executionId: 'e1' }), draft({ executionId: 'e2' }), draft()];
    await commit(entry(one().workspaceId, { events }));
    expect((await one().audit.rows([2, 4, 99])).map(({ seq }) => seq)).toEqual([2, 4]);
    expect((await one().audit.ofExecutions(['e2', 'e1'], [draft().type])).map(({ seq }) => seq)).toEqual([2, 3]);
    expect(await one().audit.ofExecutions(['e2'], ['vault.rotated'])).toEqual([]);
    expect(await one().audit.search({ executionId: 'e9' })).toEqual([]);
    expect((await one().audit.search({ executionId: 'e2' })).map(({ seq }) => seq)).toEqual([3]);
    expect([await one().audit.rows([]), await two().audit.ofExecutions(['e1'], [draft().type])]).toEqual([[], []]);
  });
  it('R-approval: a refused entry has no effect', async () => {
    const id = one().workspaceId;
    await approve(under().storage, id, 'p');
    const useApproval = { approvalId: 'p', executionId: 'e' };
    expect(await commit(entry(id, { useApproval, closeIntent: 'none' }))).toEqual(['intent_missing']);
    expect((await one().approvals.find('p'))?.status).toBe('approved');
    expect(
      await commit(entry(id, { useApproval: { ...useApproval, approvalId: 'q' }, openIntent: intent('e') })),
    ).toEqual(['approval_unusable']);
    expect(await getIntents(id)).toEqual([]);
    expect(await commit(entry(id, { useApproval, openIntent: intent('e') }))).toEqual(['committed']);
    expect(await checkChain(under().storage, id)).toBe(2);
  });
}

function search({ under, one, two }: ContractParts): void {
  it('R-audit: searches by every field', async () => {
    const other = { kind: 'user', id: 'u1', name: 'Ada' } as const;
    const events = [
      draft({ executionId: 'e1', tool: 'gmail.send', body: { subject: 'Say "hi" 100%' } }),
      draft({ type: 'execution.finished', at: time(5), executionId: 'e1' }),
      draft({ type: 'agent.created', at: time(9), actor: other, body: { text: 'a_b' } }),
    ];
    await under().storage.commit([one(), two()].map(({ workspaceId }) => ({ workspaceId, events })));
    const seqs = async (query: object) => (await one().audit.search(query)).map(({ seq }) => seq);
    expect(await seqs({})).toEqual([4, 3, 2, 1]);
    expect(await seqs({ types: ['agent.created', 'execution.finished'] })).toEqual([4, 3]);
    expect(await seqs({ types: [] })).toEqual([]);
    expect(await seqs({ tool: 'gmail.send' })).toEqual([2]);
    expect(await seqs({ actorId: 'u1' })).toEqual([4]);
    expect(await seqs({ executionId: 'e1' })).toEqual([3, 2]);
    expect(await seqs({ text: 'Say "hi" 100%' })).toEqual([2]);
    expect(await seqs({ text: 'a%b' })).toEqual([]);
    expect(await seqs({ since: time(5) })).toEqual([4, 3]);
    expect(await seqs({ until: time(5), before: 3 })).toEqual([2, 1]);
    expect(await seqs({ limit: 0 })).toEqual([]);
  });
}

/** Rows in many blocks, with matches in few of them. */
function searchInBlocks({ under, one, two }: ContractParts): void {
  it('R-audit: finds every row of a long record, however old, and the same again once blocks are indexed', async () => {
    const rare = { kind: 'user', id: 'rare', name: 'Rare' } as const;
    const needle = { note: 'needle in a haystack' };
    const bodies: Record<number, typeof needle> = { 40: needle, 2700: needle };
    const events = Array.from({ length: 5_400 }, (_, n) =>
      draft({
        at: time(n),
        tool: n % 1_500 === 7 ? 'mail.rare' : 'mail.send',
        ...(n === 300 || n === 5_390 ? { actor: rare, type: 'agent.created' as const } : {}),
        body: bodies[n] ?? { n, note: `row ${n}` },
      }),
    );
    for (let start = 0; start < events.length; start += 600)
      await under().storage.commit([{ workspaceId: one().workspaceId, events: events.slice(start, start + 600) }]);
    await under().storage.commit([{ workspaceId: two().workspaceId, events: events.slice(0, 50) }]);
    // Row 1 created the workspace, so event n is row n + 2.
    const seqs = async (query: object) => (await one().audit.search(query)).map(({ seq }) => seq);
    for (const round of ['first', 'again']) {
      expect(await seqs({ text: 'needle in a' }), round).toEqual([2_702, 42]);
      expect(await seqs({ text: 'needle in b' }), round).toEqual([]);
      expect(await seqs({ text: 'dle' }), round).toEqual([2_702, 42]);
      expect(await seqs({ actorId: 'rare' }), round).toEqual([5_392, 302]);
      expect(await seqs({ tool: 'mail.rare' }), round).toEqual([4_509, 3_009, 1_509, 9]);
      expect(await seqs({ tool: 'mail.rare', limit: 2 }), round).toEqual([4_509, 3_009]);
      expect(await seqs({ tool: 'mail.rare', before: 3_009 }), round).toEqual([1_509, 9]);
      expect(await seqs({ tool: 'mail.rare', actorId: 'rare' }), round).toEqual([]);
      expect(await seqs({ types: ['agent.created', 'agent.deleted'], before: 5_000 }), round).toEqual([302]);
      expect(await seqs({ since: time(100), until: time(102) }), round).toEqual([104, 103, 102]);
      expect(await seqs({ tool: 'mail.send', limit: 3, before: 1_000 }), round).toEqual([999, 998, 997]);
    }
    const texts = await Promise.all(['row 77', 'row 78'].map((text) => seqs({ text, limit: 500 })));
    expect(texts.map((rows) => rows.at(-1))).toEqual([79, 80]);
    expect((await two().audit.search({ tool: 'mail.rare' })).map(({ seq }) => seq)).toEqual([9]);
  }, 60_000);

  it('R-audit: finds texts in a record of more than 64 blocks, again and again, also when it has grown', async () => {
    const { workspaceId, audit } = one();
    const write = async (from: number, count: number) => {
      const noteOf = (n: number) => (n % 9_000 === 70 ? `needle ${n} in a haystack` : `row ${n}`);
      for (let start = from; start < from + count; start += 2_000)
        await under().storage.commit([
          {
            workspaceId,
            events: Array.from({ length: 2_000 }, (_, at) => draft({ body: { note: noteOf(start + at) } })),
          },
        ]);
    };
    // Row 1 created the workspace, so event n is row n + 2.
    const events = async (query: object) => (await audit.search(query)).map(({ seq }) => seq - 2);
    await write(0, 36_000);
    for (const round of ['first', 'again', 'once more']) {
      expect(await events({ text: 'needle' }), round).toEqual([27_070, 18_070, 9_070, 70]);
      expect(await events({ text: 'needle', before: 18_072 }), round).toEqual([9_070, 70]);
      expect(await events({ text: 'needle 70 in a haystack' }), round).toEqual([70]);
      expect(await events({ text: 'row 4321' }), round).toEqual([4_321]);
      expect(await events({ text: 'row 4321', types: ['agent.created'] }), round).toEqual([]);
      expect(await events({ text: 'nothing like this' }), round).toEqual([]);
    }
    await write(36_000, 10_000);
    expect(await events({ text: 'needle' })).toEqual([45_070, 36_070, 27_070, 18_070, 9_070, 70]);
    expect(await events({ text: 'nothing like this' })).toEqual([]);
    // In no block yet.
    await under().storage.commit([{ workspaceId, events: [draft({ body: { note: 'a last needle' } })] }]);
    expect(await events({ text: 'needle', before: 36_073 })).toEqual([36_070, 27_070, 18_070, 9_070, 70]);
    expect(await events({ text: 'last needle' })).toEqual([46_000]);
  }, 120_000);

  it('R-audit: finds rows that were written while an earlier search still builds the blocks', async () => {
    const { workspaceId, audit } = one();
    const write = (count: number, needleAt?: number) => {
      const events = Array.from({ length: count }, (_, n) =>
        draft({ at: time(n), body: { note: n === needleAt ? 'needle in a haystack' : `row ${n}` } }),
      );
      return under().storage.commit([{ workspaceId, events }]);
    };
    await write(8_000);
    const earlier = audit.search({ text: 'is nowhere' });
    // By then the earlier search knows how long the record is, and still has to read most of its blocks.
    for (let turn = 0; turn < 6; turn += 1) await audit.head();
    await write(4_000, 100);
    const later = audit.search({ text: 'needle in a' });
    expect(await earlier).toEqual([]);
    expect((await later).map(({ seq }) => seq)).toEqual([8_102]);
  }, 60_000);
}

const hostile = [
  'nul\0inside',
  'lone \ud800 surrogate \udc00',
  '\u001a0000 escape',
  'emoji 👩‍👩‍👧 and ünïcode',
  `'"; drop table workspaces; --`,
  '\\ back \\u0000 slash $1 ?1',
  '\u2028\u202e\ufeff',
  '',
];

function hostileText({ under, one }: ContractParts): void {
  it('R-audit: returns any text unchanged', async () => {
    const id = one().workspaceId;
    for (const text of hostile) {
      const body = JSON.parse(`{"__proto__":${JSON.stringify(text)},"constructor":1}`);
      const event = draft({ actor: { kind: 'agent', id: text, name: text }, executionId: text, tool: text, body });
      expect(await under().storage.commit([entry(id, { events: [event] })])).toEqual(['committed']);
      const found = await one().audit.search({ actorId: text, executionId: text, tool: text, text });
      expect(found).toHaveLength(1);
      expect(found[0]).toMatchObject({ actor: event.actor, executionId: text, tool: text });
      expect(JSON.stringify(found[0]?.body)).toBe(JSON.stringify(body));
      await one().keyValues.set(text, text, { [text]: text }, undefined);
      expect(await one().keyValues.get(text, text, time(0))).toEqual({ [text]: text });
    }
    expect(await checkChain(under().storage, id)).toBe(1 + hostile.length);
  });
  it('keeps bodies of a megabyte', async () => {
    const body = { text: 'é"\\'.repeat(350_000) };
    await under().storage.commit([entry(one().workspaceId, { events: [draft({ body }), draft()] })]);
    expect((await one().audit.page(1, 1))[0]?.body).toEqual(body);
    expect(await checkChain(under().storage, one().workspaceId)).toBe(3);
  });
}
