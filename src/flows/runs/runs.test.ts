/** Programs run through the pipeline, wait without a process, and go on where they were. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import type { Run } from '../../domain/run.js';
import type { StoredRun } from '../../domain/storage.js';
import type { ToolDefinition } from '../../domain/tool.js';
import { createSharedProcesses } from '../../plane/wiring/shared-processes.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';
import { sha256 } from '../../util/hash.js';
import { createSharedPlaces } from '../../walls/sandbox/index.js';

const opened: { close(): Promise<void> }[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const item = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const saved = {
  type: 'object',
  properties: { number: { type: 'integer' }, name: { type: 'string' } },
  required: ['number'],
};

/** The service behind the tools: what it holds outlives every Helve. */
function createShelf() {
  const items: string[] = [];
  const hooks: { beforeAnswer?: () => Promise<void> } = {};
  const save = (more: Partial<ToolDefinition> = {}): ToolDefinition =>
    testTool({
      name: 'save',
      inputSchema: item,
      outputSchema: saved,
      async execute(input) {
        const { name } = input as { name: string };
        items.push(name);
        await hooks.beforeAnswer?.();
        return { number: items.length, name };
      },
      ...more,
    });
  const list = testTool({
    name: 'list',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    outputSchema: {
      type: 'object',
      properties: { names: { type: 'array', items: { type: 'string' } } },
      required: ['names'],
    },
    execute: async () => ({ names: [...items] }),
  });
  return { items, hooks, save, list };
}

async function open(options: TestHelveOptions): Promise<TestHelve> {
  const helve = await createTestHelve(options);
  opened.push(helve);
  return helve;
}

const run = (helve: TestHelve, code: string, more = {}): Promise<Run> =>
  helve.plane.runCode(helve.agent, { code, ...more });
const ask = [{ id: 'ask', effect: 'require_approval', when: { tools: ['save'] } }] as const;

/** Two Helves with one place for programs, which a program of the first has until `answer` is called. */
async function fillPlaces() {
  const shelf = createShelf();
  const places = createSharedPlaces({ places: 1 });
  const own = createSharedProcesses();
  const processes = { ...own, openSandbox: async () => places.openSandbox() };
  const [first, second] = [
    await open({ tools: [shelf.save()], processes }),
    await open({ tools: [shelf.save()], processes }),
  ];
  opened.push(own, places);
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  shelf.hooks.beforeAnswer = () => answered;
  const long = run(first, "return (await custom.save({ name: 'a' })).number;");
  await expect.poll(() => shelf.items).toEqual(['a']);
  return { first, second, long, items: shelf.items, answer };
}

describe('R-durable-runs: a program', () => {
  test('R-durable-runs: it is queued while all places are taken, for every reader, and then runs to its end', async () => {
    const { first, second, long, items, answer } = await fillPlaces();
    const queued = run(second, "return (await custom.save({ name: 'b' })).number;");
    const list = (status: Run['status']) => second.plane.listRuns(second.admin, { status });
    await expect.poll(() => list('queued')).toHaveLength(1);
    expect(await list('running')).toEqual([]);
    expect((await first.plane.listRuns(first.admin)).map(({ status }) => status)).toEqual(['running']);
    const [{ id } = { id: '' }] = await list('queued');
    const seen: string[] = [];
    const follow = async (): Promise<void> => {
      for await (const event of second.plane.followRun(second.admin, id))
        if (event.type !== 'call') seen.push(event.run.status);
    };
    const following = follow();
    await expect.poll(() => seen).toEqual(['queued']);
    answer();
    expect(await long).toMatchObject({ status: 'succeeded' });
    expect(await queued).toMatchObject({ id, status: 'succeeded', value: 2 });
    await following;
    expect(seen.at(-1)).toBe('succeeded');
    expect(items).toEqual(['a', 'b']);
  });

  test('R-durable-runs: it can be cancelled while it is queued, and then has no effect', async () => {
    const { second, long, items, answer } = await fillPlaces();
    const queued = run(second, "return (await custom.save({ name: 'b' })).number;");
    const list = () => second.plane.listRuns(second.admin, { status: 'queued' });
    await expect.poll(list).toHaveLength(1);
    const [{ id } = { id: '' }] = await list();
    expect(await second.plane.cancelRun(second.admin, id)).toMatchObject({ status: 'cancelled' });
    answer();
    await long;
    expect(await queued).toMatchObject({ id, status: 'cancelled' });
    expect(items).toEqual(['a']);
  });

  test('R-durable-runs: its calls are calls of its principal, in the ledger and in the record', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save(), shelf.list] });
    const done = await run(
      helve,
      `const one = await custom.save({ name: 'a' });
       await Promise.all(['b', 'c'].map((name) => custom.save({ name })));
       console.log('saved', one.number);
       return (await custom.list({})).names.sort();`,
    );
    expect(done).toMatchObject({
      status: 'succeeded',
      value: ['a', 'b', 'c'],
      logs: [{ level: 'log', text: 'saved 1' }],
    });
    expect(done.calls.map(({ number, tool, status }) => [number, tool, status])).toEqual([
      [1, 'save', 'ok'],
      [2, 'save', 'ok'],
      [3, 'save', 'ok'],
      [4, 'list', 'ok'],
    ]);
    const rows = await helve.audited();
    const started = rows.filter(({ type }) => type === 'execution.started');
    expect(started.map(({ body }) => body.runId)).toEqual(Array(4).fill(done.id));
    // Two of them run at the same time, and either may be the first.
    expect(started.map(({ body }) => body.number).sort()).toEqual([1, 2, 3, 4]);
    expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(['run.started', 'run.finished']));
  });

  test('R-durable-runs: many calls at once give the operator no warning about listeners', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    const warnings: string[] = [];
    const note = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', note);
    // Control: that warnings arrive here.
    process.emitWarning('control', 'ControlWarning');
    const names = Array.from({ length: 20 }, (_, at) => String(at));
    const code = `await Promise.all(${JSON.stringify(names)}.map((name) => custom.save({ name })))`;
    expect(await run(helve, code)).toMatchObject({ status: 'succeeded' });
    process.off('warning', note);
    expect(shelf.items.toSorted()).toEqual(names.toSorted());
    expect(warnings).toEqual(['ControlWarning']);
  });

  test('R-sandbox: a program with issues is refused before any call', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    const refused = await run(helve, `await custom.save({ name: 'a' }); await custom.save({ title: 'b' });`);
    expect(refused).toMatchObject({ status: 'refused', calls: [], issues: [{ line: 1 }] });
    expect(shelf.items).toEqual([]);
    expect((await helve.plane.getRun(helve.agent, refused.id)).status).toBe('refused');
    const checked = await run(helve, `await custom.save({ name: 'a' });`, { mode: 'check' });
    expect(checked).toMatchObject({ status: 'succeeded', calls: [] });
    expect(shelf.items).toEqual([]);
  });

  test('R-durable-runs: a tool’s error can be caught, and an uncaught one ends the run', async () => {
    const helve = await open({
      tools: [testTool({ name: 'save', inputSchema: item, execute: () => Promise.reject(new Error('full')) })],
    });
    const caught = await run(
      helve,
      `try { await custom.save({ name: 'a' }); return 'none'; } catch (error) { return (error as { code: string }).code; }`,
    );
    expect(caught).toMatchObject({ status: 'succeeded', value: 'tool_failed', calls: [{ status: 'failed' }] });
    const failed = await run(helve, `const x = 1;\nawait custom.save({ name: 'a' });`);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'tool_failed', message: 'full' } });
  });

  test('R-durable-runs: what JSON cannot hold in what a program returns does not fail it after its effects', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    const done = await run(
      helve,
      `const { number } = await custom.save({ name: 'a' });
       const found = { share: number / 0, seen: new Map([[number, 'a']]) } as object;
       return found;`,
    );
    expect(done).toMatchObject({ status: 'succeeded', value: { share: null, seen: { 1: 'a' } } });
    expect(done.logs).toEqual([
      { level: 'warn', text: expect.stringMatching(/^Infinity \(at "share"\) cannot .* null .* A Map.* an object/) },
    ]);
    expect(shelf.items).toEqual(['a']);
  });

  test('R-durable-runs: a program that ends its thread does not end the others of its workspace', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    let go = (): void => {};
    shelf.hooks.beforeAnswer = async () => {
      if (shelf.items.length === 2) await new Promise<void>((resolve) => (go = resolve));
    };
    const other = run(
      helve,
      `const one = await custom.save({ name: 'a' });
       return [one.number, (await custom.save({ name: 'b' })).number]`,
    );
    await expect.poll(() => shelf.items.length).toBe(2);
    // The engine cannot be interrupted in this loop, so its thread is ended, in which the other program waits.
    const endless = await run(helve, 'return [].splice.call({ length: 2 ** 32 } as never, 0, 1)', {
      limits: { cpuMs: 200 },
    });
    expect(endless).toMatchObject({ status: 'failed', error: { code: 'limit_exceeded' } });
    go();
    expect(await other).toMatchObject({ status: 'succeeded', value: [1, 2] });
    expect(shelf.items).toEqual(['a', 'b']);
  });

  test.each([
    'neighbour',
    'closed',
    'failed',
  ])('attack: a program that throws an error with the code %s fails, and is not run again', async (code) => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.list, shelf.save()], heartbeatMs: 50 });
    const thrown = `Object.assign(new Error('own'), { name: 'SandboxError', code: '${code}', loss: '${code}' })`;
    const failed = await run(helve, `await custom.save({ name: 'a' }); throw ${thrown};`);
    expect(failed).toMatchObject({ status: 'failed', error: { message: 'own', code } });
    expect(shelf.items).toEqual(['a']);
  });

  test('R-durable-runs: a program whose process in the sandbox is killed goes on, unless that happens again and again', async () => {
    const shelf = createShelf();
    const others = new Set(childrenOf(process.pid).map(({ id }) => id));
    const ownSandboxes = () =>
      childrenOf(process.pid).filter(({ id, command }) => !others.has(id) && command.includes('walls/sandbox'));
    const own = createSharedProcesses();
    const openSandbox = () => own.openSandbox({ isolation: 'process' });
    const helve = await open({ tools: [shelf.save()], processes: { ...own, openSandbox } });
    opened.push(own);
    let kills = 0;
    let survivor = 0;
    shelf.hooks.beforeAnswer = async () => {
      // The oldest: a younger one may be kept ready for the next program.
      const [oldest] = ownSandboxes();
      if (oldest === undefined) return;
      if (kills === 0) {
        survivor = oldest.id;
        return;
      }
      kills -= 1;
      process.kill(oldest.id, 'SIGKILL');
      // It must not get the answer: it would make the next call before the signal reaches it.
      await expect.poll(() => ownSandboxes().map(({ id }) => id)).not.toContain(oldest.id);
    };
    const code = `const numbers: number[] = [];
      for (const name of ['a', 'b', 'c']) numbers.push((await custom.save({ name })).number);
      return numbers;`;
    kills = 2;
    expect(await run(helve, code)).toMatchObject({ status: 'succeeded', value: [1, 2, 3] });
    // Once the process that finished this program is gone, the oldest is that of the next program.
    expect(survivor).toBeGreaterThan(0);
    await expect.poll(() => ownSandboxes().map(({ id }) => id)).not.toContain(survivor);
    kills = Number.POSITIVE_INFINITY;
    const failed = await run(helve, code);
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'limit_exceeded' },
      calls: Array(3).fill({ status: 'ok' }),
    });
    expect(shelf.items).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  test('R-durable-runs: reading a run loads none of the outputs of its calls, which can be large', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    const { id } = await run(helve, `return (await custom.save({ name: 'a'.repeat(900_000) })).name?.length;`);
    const loaded: (string | undefined)[] = [];
    const workspace = helve.storage.workspace.bind(helve.storage);
    vi.spyOn(helve.storage, 'workspace').mockImplementation((workspaceId) => {
      const { runs, ...others } = workspace(workspaceId);
      const noted = async (reading: ReturnType<typeof runs.steps>) => {
        loaded.push(...(await reading).map(({ answer }) => answer));
        return reading;
      };
      const steps = (runId: string) => noted(runs.steps(runId));
      const outline = (runId: string) => noted(runs.outline(runId));
      return { ...others, runs: { ...runs, steps, outline } };
    });
    expect(await helve.plane.getRun(helve.agent, id)).toMatchObject({ value: 900_000, calls: [{ status: 'ok' }] });
    expect(await helve.plane.listRuns(helve.agent)).toMatchObject([{ calls: [{ status: 'ok' }] }]);
    expect(loaded).toEqual(Array(2).fill('{"ok":true,"output":null}'));
  });

  test('R-durable-runs: the same key starts one run', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    const start = () => run(helve, `return (await custom.save({ name: 'a' })).number`, { idempotencyKey: 'k' });
    const [one, other] = await Promise.all([start(), start()]);
    expect(one.id).toBe(other.id);
    expect([one.value, other.value, shelf.items]).toEqual([1, 1, ['a']]);
  });

  test('R-durable-runs: the key of one program is refused for another one, or for its plan', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    const start = (name: string, more: object = {}) =>
      run(helve, `return (await custom.save({ name: '${name}' })).number`, { idempotencyKey: 'k', ...more });
    expect((await start('a')).value).toBe(1);
    await expect(start('b')).rejects.toMatchObject({ code: 'conflict', hint: expect.stringContaining('another key') });
    await expect(start('a', { mode: 'plan' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(start('b', { idempotencyKey: 'of b' })).resolves.toMatchObject({ value: 2 });
    expect(shelf.items).toEqual(['a', 'b']);
  });
});

describe('R-durable-runs: an agent that acts for several people', () => {
  test('leak: the key, the runs and the plans of one are not those of another', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    const actingFor = (id: string) => ({ ...helve.agent, onBehalfOf: { kind: 'user', id, name: id } as const });
    const start = (id: string, more = {}) =>
      helve.plane.runCode(actingFor(id), { code: `return (await custom.save({ name: 'a' })).number`, ...more });
    const one = await start('ann', { idempotencyKey: 'k' });
    expect((await start('ann', { idempotencyKey: 'k' })).id).toBe(one.id);
    const other = await start('ben', { idempotencyKey: 'k' });
    expect([one.value, other.value]).toEqual([1, 2]);
    for (let newer = 0; newer < 3; newer++) await start('ann');
    for (const limit of [1, 2, 9])
      expect((await helve.plane.listRuns(actingFor('ben'), { limit })).map(({ id }) => id)).toEqual([other.id]);
    await expect(helve.plane.getRun(actingFor('ben'), one.id)).rejects.toMatchObject({ code: 'not_found' });
    const plan = await start('ann', { mode: 'plan' });
    await helve.plane.decideRun(helve.admin, plan.id, { decision: 'approve_plan' });
    await expect(start('ben', { plan: plan.id })).rejects.toMatchObject({ code: 'not_found' });
    expect((await start('ann', { plan: plan.id })).value).toBe(6);
  });
});

describe('R-durable-runs: waiting', () => {
  const two = `const one = await custom.save({ name: 'a' });
    const other = await custom.save({ name: 'b' });
    return [one.number, other.number];`;

  test('R-durable-runs: an approval is waited for without a program in memory, and used once', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()], policies: ask });
    let seen = await run(helve, two);
    for (const count of [0, 1]) {
      expect(seen).toMatchObject({ status: 'waiting', waits: [{ for: 'approval', number: count + 1 }] });
      expect(shelf.items).toHaveLength(count);
      const [wait] = seen.waits;
      if (wait?.for !== 'approval') throw new Error('no approval');
      await helve.plane.decideApproval(helve.admin, wait.approvalId, 'approved', 'api');
      seen = await follow(
        helve,
        seen.id,
        (now) =>
          now.waits.every((one) => one.for !== 'approval' || one.approvalId !== wait.approvalId) &&
          now.status !== 'running',
      );
    }
    expect(seen).toMatchObject({ status: 'succeeded', value: [1, 2] });
    expect(shelf.items).toEqual(['a', 'b']);
  });

  test('R-approval: each of several calls at once that wait is waited for, so that any decision lets its call be made', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()], policies: ask });
    const names = ['a', 'b', 'b', 'c'];
    const code = `return (await Promise.all(${JSON.stringify(names)}.map((name) => custom.save({ name })))).length;`;
    const { id, ...asked } = await run(helve, code);
    const waits = asked.waits.toSorted((one, other) => Number(one.number) - Number(other.number));
    expect(waits.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    const approve = async (wait: Run['waits'][number] | undefined): Promise<void> => {
      if (wait?.for !== 'approval') throw new Error('no approval');
      await helve.plane.decideApproval(helve.admin, wait.approvalId, 'approved', 'api');
    };
    // Last to first, and the equal calls have one approval, which one of them uses.
    for (const [at, left] of [
      [3, [1, 2, 3]],
      [1, [1, 3]],
      [0, [3]],
    ] as const) {
      await approve(waits[at]);
      const isLess = (now: Run): boolean => now.waits.length > 0 && now.waits.length <= left.length;
      const { waits: others } = await follow(helve, id, isLess);
      expect(others).toHaveLength(left.length);
    }
    await approve((await helve.plane.getRun(helve.agent, id)).waits[0]);
    expect(await follow(helve, id, ended)).toMatchObject({ status: 'succeeded', value: 4 });
    expect(shelf.items.toSorted()).toEqual(names);
  });

  test('R-approval: nobody is asked any more for a run that has ended, but still for another one that waits', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()], policies: ask });
    const asked = () => helve.plane.approvals(helve.admin, { status: 'pending' });
    const [one, other] = [await run(helve, two), await run(helve, two)];
    expect(await asked()).toHaveLength(1);
    await helve.plane.cancelRun(helve.admin, one.id);
    const [left] = await asked();
    await helve.plane.decideApproval(helve.admin, left?.id ?? '', 'approved', 'api');
    await follow(helve, other.id, ({ waits }) => waits[0]?.number === 2);
    expect(shelf.items).toEqual(['a']);
    await helve.plane.cancelRun(helve.admin, other.id);
    expect(await asked()).toEqual([]);
    const late = await run(helve, `return Promise.race([custom.save({ name: 'c' }), sleep(200).then(() => 'late')]);`);
    expect([late.value, await asked()]).toEqual(['late', []]);
    // A later call with the same arguments asks again.
    expect(await run(helve, two)).toMatchObject({ status: 'waiting' });
    expect(await asked()).toHaveLength(1);
  });

  test('R-approval: a run whose approval another run has just withdrawn asks again', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()], policies: ask });
    const { id, waits } = await run(helve, two);
    const [wait] = waits;
    if (wait?.for !== 'approval') throw new Error('no approval');
    const { runs } = helve.storage.workspace(helve.workspaceId);
    // As if this run were just being continued, and so did not say what it waits for.
    const stored = (await runs.find(id)) as StoredRun;
    await runs.change(stored, { status: 'running', waits: [] }, []);
    await runs.cancel(id, { finishedAt: stored.startedAt }, []);
    const other = { ...stored, id: '00000000-0000-7000-8000-000000000000' };
    await runs.insert(other, []);
    const asksAnew = ({ waits: [now] }: Run) => now?.for === 'approval' && now.approvalId !== wait.approvalId;
    helve.plane.decideRun(helve.admin, other.id, { decision: 'not_happened', number: 1 }).catch(() => {});
    expect(await follow(helve, other.id, asksAnew)).toMatchObject({ status: 'waiting' });
  });

  test('R-approval: a call that waits while the policies change is asked about again, and no error of its program', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()], policies: ask });
    const { id, waits } = await run(helve, `return (await custom.save({ name: 'a' })).number;`);
    const [wait] = waits;
    if (wait?.for !== 'approval') throw new Error('no approval');
    await helve.plane.replacePolicies(helve.admin, [{ ...ask[0], id: 'ask-anew' }]);
    await expect(helve.plane.decideApproval(helve.admin, wait.approvalId, 'approved', 'api')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('policies'),
    });
    const isOther = (now: Run) =>
      ended(now) || now.waits.some((one) => one.for === 'approval' && one.approvalId !== wait.approvalId);
    const asked = await follow(helve, id, isOther);
    expect([asked.status, shelf.items]).toEqual(['waiting', []]);
    const [other] = asked.waits;
    if (other?.for !== 'approval') throw new Error('no approval');
    await helve.plane.decideApproval(helve.admin, other.approvalId, 'approved', 'api');
    expect(await follow(helve, id, ended)).toMatchObject({ status: 'succeeded', value: 1 });
    expect(shelf.items).toEqual(['a']);
  });

  test('R-approval: a call whose approval expires before it is made is an error that says so', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()], policies: ask, heartbeatMs: 50 });
    const { id } = await run(helve, `await custom.save({ name: 'a' });`);
    // Expired approvals are removed, and the run may see that before or after.
    await helve.storage.system.purgeExpired(new Date(Date.now() + 3_700_000).toISOString());
    helve.advance(3_700_000);
    const error = { code: 'expired', message: 'save was not made: its approval has expired' };
    expect(await follow(helve, id, ended)).toMatchObject({ status: 'failed', error, calls: [{ error }] });
    // Somebody did decide, but no process went on with the run before the approval expired.
    const late = await run(helve, `await custom.save({ name: 'b' });`);
    const [wait] = late.waits;
    if (wait?.for !== 'approval') throw new Error('no approval');
    const decision = { id: wait.approvalId, status: 'approved', through: 'api', by: helve.admin } as const;
    const at = new Date(Date.parse(late.startedAt) + 1).toISOString();
    expect(await helve.storage.workspace(helve.workspaceId).approvals.decide({ ...decision, at }, [])).toBeDefined();
    helve.advance(3_700_000);
    expect(await follow(helve, late.id, ended)).toMatchObject({ status: 'failed', error, calls: [{ error }] });
    expect(shelf.items).toEqual([]);
  });

  test('R-durable-runs: a rejected call is an error that the program gets', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()], policies: ask });
    const seen = await run(
      helve,
      `try { await custom.save({ name: 'a' }); return 'done'; } catch (error) { return (error as any).code; }`,
    );
    const [wait] = seen.waits;
    if (wait?.for !== 'approval') throw new Error('no approval');
    await helve.plane.decideApproval(helve.admin, wait.approvalId, 'rejected', 'api');
    expect(await follow(helve, seen.id, ended)).toMatchObject({ status: 'succeeded', value: 'approval_rejected' });
    expect(shelf.items).toEqual([]);
  });

  test('R-durable-runs: a long sleep holds nothing, and its clock goes on where it was', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()], heartbeatMs: 50 });
    const seen = await run(
      helve,
      `const before = Date.now(); await custom.save({ name: 'a' }); await sleep(3_600_000); await custom.save({ name: 'b' });
       return Math.round((Date.now() - before) / 60_000);`,
    );
    expect(seen).toMatchObject({ status: 'waiting', waits: [{ for: 'time' }] });
    helve.advance(3_600_000);
    expect(await follow(helve, seen.id, ended)).toMatchObject({ status: 'succeeded', value: 60 });
    expect(shelf.items).toEqual(['a', 'b']);
    const month = await run(helve, 'await sleep(31 * 86_400_000);');
    const [wait] = month.waits;
    if (wait?.for !== 'time') throw new Error('no time');
    expect(Date.parse(wait.until) - Date.parse(month.startedAt)).toBe(31 * 86_400_000);
    const forever = await run(helve, 'await sleep(Infinity);');
    expect(forever).toMatchObject({ status: 'waiting', waits: [{ for: 'time' }] });
  });

  test('R-durable-runs: a call that is made while a long timer goes on is made at once, and a question is asked', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    const raced = await run(
      helve,
      `const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('late')), 3_600_000));
       return (await Promise.race([custom.save({ name: 'a' }), late])).number;`,
    );
    expect(raced).toMatchObject({ status: 'succeeded', value: 1 });
    const asked = await run(
      helve,
      `const late = sleep(3_600_000).then(() => 'late');
       return Promise.race([person.ask({ question: 'Which?' }), late]);`,
    );
    expect(asked).toMatchObject({ status: 'waiting', waits: [{ for: 'answer', number: 1 }, { for: 'time' }] });
    await helve.plane.decideRun(helve.admin, asked.id, { decision: 'answer', number: 1, text: 'red' });
    expect(await follow(helve, asked.id, ended)).toMatchObject({ status: 'succeeded', value: 'red' });
  });

  test('R-durable-runs: a call that is going on when its program ends is in doubt, not running, until it has answered', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    let answer = (): void => {};
    shelf.hooks.beforeAnswer = () => new Promise((resolve) => (answer = resolve));
    const { id, ...raced } = await run(helve, `return Promise.race([custom.save({ name: 'a' }), sleep(200)]);`);
    expect(raced).toMatchObject({ status: 'succeeded', calls: [{ number: 1, status: 'in_doubt' }] });
    expect(shelf.items).toEqual(['a']);
    answer();
    await expect.poll(() => helve.plane.getRun(helve.agent, id)).toMatchObject({ calls: [{ status: 'ok' }] });
  });

  test.each([
    ['call', `await custom.save({ name: 'a' });`, 'await sleep(1);'],
    ['timer', 'await sleep(10);', ''],
    ['call', `await custom.save({ name: 'a' });`, 'if (Math.random() > 2) return;'],
  ])('R-durable-runs: a replay that does not make a %s again ends as diverged at once, whether it waits or ends', async (kind, first, rest) => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()], heartbeatMs: 50 });
    const asks = `return person.ask({ question: 'Which?' });`;
    const { id, waits } = await run(helve, `if (Math.random() < 2) { ${first} } ${rest} ${asks}`);
    // As an engine whose random numbers are others.
    const { runs } = helve.storage.workspace(helve.workspaceId);
    const find = (await runs.find(id)) as StoredRun;
    const workspace = helve.storage.workspace.bind(helve.storage);
    vi.spyOn(helve.storage, 'workspace').mockImplementation((workspaceId) => {
      const tables = workspace(workspaceId);
      const claim: typeof runs.claim = async (...given) => {
        const claimed = await tables.runs.claim(...given);
        return (
          claimed && { ...claimed, code: find.code.replace('< 2) {', '> 2) {').replace('> 2) return', '< 2) return') }
        );
      };
      return { ...tables, runs: { ...tables.runs, claim } };
    });
    await helve.plane.decideRun(helve.admin, id, { decision: 'answer', number: waits[0]?.number ?? 0, text: 'x' });
    const end = await follow(helve, id, ended);
    expect(end).toMatchObject({
      status: 'diverged',
      error: {
        message: expect.stringContaining(`${kind} 1 (${kind === 'call' ? 'save' : 'timer'}) was not made again`),
      },
    });
  });

  test('R-durable-runs: runs that wait since an older version go on, and one that it recorded differently says so', async () => {
    const made: unknown[] = [];
    const note = testTool({
      name: 'note',
      inputSchema: { type: 'object', properties: { what: {} } },
      execute: async ({ what }) => void made.push(what),
    });
    const helve = await open({ tools: [note], heartbeatMs: 50 });
    const program = (tried: string) =>
      `const what = await Promise.allSettled([${tried}]); await custom.note({ what });
       await person.ask({ question: 'Go on?' }); await custom.note({ what: 'second' });`;
    const plain = await run(helve, program('1'));
    const failing = await run(helve, program(`Promise.reject(new Error('no'))`));
    const asleep = await run(helve, `await sleep(31 * 86_400_000); await custom.note({ what: 'awake' });`);
    // Before, an error in arguments was written as {}, and a timer ended after at most 2 ** 31 - 1 milliseconds.
    const before = sha256('note\n{"what":[{"status":"rejected","reason":{}}]}');
    const workspace = helve.storage.workspace.bind(helve.storage);
    const { runs } = workspace(helve.workspaceId);
    const stored = (await runs.find(asleep.id)) as StoredRun;
    const wakeAt = new Date(Date.parse(stored.startedAt) + 2 ** 31 - 1).toISOString();
    await runs.change(stored, { status: 'waiting', waits: [{ for: 'time', until: wakeAt }], wakeAt }, []);
    vi.spyOn(helve.storage, 'workspace').mockImplementation((workspaceId) => {
      const tables = workspace(workspaceId);
      const steps: typeof runs.steps = async (id) =>
        (await tables.runs.steps(id)).map((one) =>
          id === failing.id && one.number === 1 ? { ...one, inputHash: before } : one,
        );
      return { ...tables, runs: { ...tables.runs, steps } };
    });
    made.length = 0;
    const answer = { decision: 'answer', number: 2, text: 'yes' } as const;
    for (const { id } of [plain, failing]) await helve.plane.decideRun(helve.admin, id, answer);
    expect(await follow(helve, plain.id, ended)).toMatchObject({ status: 'succeeded' });
    const message = expect.stringContaining('call 1 (note) has other arguments');
    expect(await follow(helve, failing.id, ended)).toMatchObject({ status: 'diverged', error: { message } });
    expect(made).toEqual(['second']);
    helve.advance(2 ** 31);
    const until = new Date(Date.parse(stored.startedAt) + 31 * 86_400_000).toISOString();
    await follow(helve, asleep.id, ({ waits: [wait] }) => wait?.for === 'time' && wait.until === until);
    helve.advance(31 * 86_400_000 - 2 ** 31);
    expect(await follow(helve, asleep.id, ended)).toMatchObject({ status: 'succeeded' });
    expect(made).toEqual(['second', 'awake']);
  });

  test('R-durable-runs: a question of a run that was cancelled is not shown as a call that goes on', async () => {
    const helve = await open({ nativeToolkits: [] });
    const { id } = await run(helve, `await person.ask({ question: 'Which?' });`);
    const calls = [{ number: 1, status: 'waiting' }];
    expect(await helve.plane.cancelRun(helve.admin, id)).toMatchObject({ status: 'cancelled', calls });
  });

  test('R-durable-runs: a store that fails while a step is written does not fail the run, which goes on from its ledger', async () => {
    const shelf = createShelf();
    const reported: unknown[] = [];
    const reportError = (error: unknown): void => void reported.push(error);
    const helve = await open({ tools: [shelf.save()], heartbeatMs: 50, reportError });
    const { storage } = helve;
    const commit = storage.commit.bind(storage);
    vi.spyOn(storage, 'commit').mockImplementation(async (entries) => {
      const isTimer = entries.some(({ step }) => step?.kind === 'timer');
      if (isTimer && reported.length === 0) throw new HelveError('storage_failed', 'The store is away');
      return commit(entries);
    });
    const { id } = await run(
      helve,
      `await custom.save({ name: 'a' }); await sleep(10); await custom.save({ name: 'b' }); return 'done';`,
    );
    expect(await follow(helve, id, ended)).toMatchObject({ status: 'succeeded', value: 'done' });
    expect(shelf.items).toEqual(['a', 'b']);
    expect(reported).toMatchObject([{ code: 'storage_failed' }]);
  });

  test('R-durable-runs: a cancelled run makes no further call', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()], policies: ask });
    const seen = await run(helve, two);
    const [wait] = seen.waits;
    if (wait?.for !== 'approval') throw new Error('no approval');
    expect(await helve.plane.cancelRun(helve.agent, seen.id)).toMatchObject({ status: 'cancelled' });
    await expect(helve.plane.decideApproval(helve.admin, wait.approvalId, 'approved', 'api')).rejects.toMatchObject({
      code: 'conflict',
      message: 'The approval is already withdrawn',
    });
    const rows = (await helve.audited()).filter(({ type }) => type === 'approval.withdrawn');
    expect(rows).toMatchObject([
      { actor: { id: helve.agent.id }, body: { approvalId: wait.approvalId, runId: seen.id } },
    ]);
    expect(await helve.plane.getRun(helve.agent, seen.id)).toMatchObject({ status: 'cancelled' });
    expect(shelf.items).toEqual([]);
    await expect(helve.plane.cancelRun(helve.agent, seen.id)).rejects.toMatchObject({ code: 'conflict' });
  });
});

const ended = (one: Run) => one.finishedAt !== undefined;

type Opened = Pick<TestHelve, 'plane' | 'agent' | 'admin'>;

async function follow(helve: Opened, id: string, until: (run: Run) => boolean): Promise<Run> {
  for await (const event of helve.plane.followRun(helve.agent, id, AbortSignal.timeout(10_000)))
    if (event.type !== 'call' && until(event.run)) return event.run;
  throw new Error(`The run did not get there: ${JSON.stringify(await helve.plane.getRun(helve.agent, id))}`);
}

/** The processes that a process has started, the oldest first. */
function childrenOf(parent: number): { readonly id: number; readonly command: string }[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = ids.flatMap((id) => {
    try {
      // The fields after the name, which is in brackets: the state, the parent, and so on to the start, in ticks.
      const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      if (fields[1] !== String(parent)) return [];
      return [{ id: Number(id), startedAt: Number(fields[19]), command: readFileSync(`/proc/${id}/cmdline`, 'utf8') }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
  return children.sort((one, other) => one.startedAt - other.startedAt);
}

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helve-runs-'));
  folders.push(folder);
  return join(folder, 'store.db');
}

/** Helve once more, on a store that has an agent already; its runs are seen by the admin. */
async function reopen(database: string, tools: readonly ToolDefinition[]): Promise<Opened> {
  const { createHelve } = await import('../../helve.js');
  const next = await createHelve({ tools, database } as never);
  opened.push(next);
  const { workspaceId } = await next.ensureWorkspace('default');
  const { principal } = await next.plane.redeemAdminLink(await next.adminLink(workspaceId));
  return { plane: next.plane, agent: principal, admin: principal };
}

describe('R-durable-runs: another process', () => {
  async function dieDuring(shelf: ReturnType<typeof createShelf>, tool: ToolDefinition, code: string) {
    const database = place();
    const helve = await createTestHelve({ tools: [tool, shelf.list], database });
    let reached: () => void = () => {};
    const inside = new Promise<void>((resolve) => {
      reached = resolve;
    });
    shelf.hooks.beforeAnswer = () => {
      reached();
      return new Promise(() => {});
    };
    let id = '';
    void helve.plane.runCode(
      helve.agent,
      { code },
      {
        onStart: (started) => {
          id = started;
        },
      },
    );
    await inside;
    await helve.close();
    delete shelf.hooks.beforeAnswer;
    return { database, id, helve };
  }

  test('R-durable-runs: a run that one process cancels ends in the process that executes it', async () => {
    const shelf = createShelf();
    let stopped: boolean | undefined;
    const hang = testTool({
      name: 'hang',
      execute: (_input, { signal }) => {
        stopped = false;
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped = true;
            reject(new Error('stopped'));
          });
        });
      },
    });
    const database = place();
    const helve = await open({ tools: [hang, shelf.list], database, heartbeatMs: 50 });
    const begun = run(helve, 'await custom.hang({});');
    await expect.poll(() => stopped).toBe(false);
    const [{ id } = { id: '' }] = await helve.plane.listRuns(helve.agent);
    const other = await reopen(database, [hang, shelf.list]);
    expect(await other.plane.cancelRun(other.admin, id)).toMatchObject({ status: 'cancelled' });
    await expect.poll(() => stopped).toBe(true);
    // Nobody knows whether it had its effect.
    expect(await begun).toMatchObject({ status: 'cancelled', calls: [{ number: 1, status: 'in_doubt' }] });
  });

  const code = `const one = await custom.save({ name: 'a' }); return [one.number, (await custom.list({})).names];`;

  test.each([
    ['repeatable', ['a', 'a']],
    ['key', ['a', 'a']],
  ] as const)('R-durable-runs: a lost answer of a tool with %s is asked for again under its key', async (by, items) => {
    const shelf = createShelf();
    const keys: string[] = [];
    const save = shelf.save();
    const tool = {
      ...save,
      idempotency: { by, how: 'x' },
      execute: (input: never, context: never) => {
        keys.push((context as { effectKey: string }).effectKey);
        return save.execute(input, context);
      },
    };
    const { database, id } = await dieDuring(shelf, tool as ToolDefinition, code);
    const { createHelve } = await import('../../helve.js');
    const next = await createHelve({ tools: [tool as ToolDefinition, shelf.list], database } as never);
    opened.push(next);
    const admin = await (async () =>
      (await next.plane.redeemAdminLink(await next.adminLink((await next.ensureWorkspace('default')).workspaceId)))
        .principal)();
    let last: Run | undefined;
    for await (const event of next.plane.followRun(admin, id, AbortSignal.timeout(10_000)))
      if (event.type !== 'call') last = event.run;
    expect(last).toMatchObject({ status: 'succeeded', value: [2, items], calls: [{ attempts: 2 }, {}] });
    expect(new Set(keys).size).toBe(1);
  });

  test('R-durable-runs: an effect in doubt is decided by a person, and never guessed', async () => {
    for (const [decision, value] of [
      [{ decision: 'happened', number: 1, output: { number: 7 } }, [7, ['a']]],
      [{ decision: 'not_happened', number: 1 }, [2, ['a', 'a']]],
    ] as const) {
      const shelf = createShelf();
      const { database, id } = await dieDuring(shelf, shelf.save(), code);
      const { createHelve } = await import('../../helve.js');
      const next = await createHelve({ tools: [shelf.save(), shelf.list], database } as never);
      opened.push(next);
      const admin = (
        await next.plane.redeemAdminLink(await next.adminLink((await next.ensureWorkspace('default')).workspaceId))
      ).principal;
      let last: Run | undefined;
      for await (const event of next.plane.followRun(admin, id, AbortSignal.timeout(10_000))) {
        if (event.type === 'call') continue;
        last = event.run;
        if (last.status === 'in_doubt') {
          expect(shelf.items).toEqual(['a']);
          await next.plane.decideRun(admin, id, decision);
          await expect(next.plane.decideRun(admin, id, decision)).rejects.toMatchObject({ code: 'conflict' });
        }
      }
      expect(last).toMatchObject({ status: 'succeeded', value });
    }
  });
});

describe('R-durable-runs: a question to a person', () => {
  const asks = `const { number } = await custom.save({ name: 'a' });
    const colour = await person.ask({ question: 'Which colour?', choices: ['red', 'green'] });
    const why = await person.ask({ question: \`Why \${colour}?\` });
    await custom.save({ name: colour });
    return [number, colour, why];`;
  const answer = (helve: Opened, id: string, number: number, text: string, by = helve.admin) =>
    helve.plane.decideRun(by, id, { decision: 'answer', number, text });
  const waitsFor = (number: number) => (seen: Run) => seen.waits.some((wait) => wait.number === number);

  test('R-durable-runs: it is answered once, by a person, with an answer that the program understands', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    const { id, ...asked } = await run(helve, asks);
    const first = {
      for: 'answer',
      number: 2,
      tool: 'person.ask',
      question: 'Which colour?',
      choices: ['red', 'green'],
    };
    expect(asked).toMatchObject({ status: 'waiting', waits: [first], calls: [{}, { number: 2, status: 'waiting' }] });
    await expect(answer(helve, id, 2, 'red', helve.agent)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(answer(helve, id, 2, 'blue')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(answer(helve, id, 1, 'red')).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      helve.plane.decideRun(helve.admin, id, { decision: 'happened', number: 2, output: 'blue' }),
    ).rejects.toMatchObject({ code: 'conflict' });
    const answers = await Promise.allSettled(['green', 'red', 'green'].map((text) => answer(helve, id, 2, text)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const next = await follow(helve, id, waitsFor(3));
    expect(next.waits).toMatchObject([{ question: expect.stringMatching(/^Why (red|green)\?$/) }]);
    await answer(helve, id, 3, 'because\n"it" is');
    const done = await follow(helve, id, ended);
    const [, colour] = done.value as [number, string, string];
    expect(done).toMatchObject({ status: 'succeeded', value: [1, colour, 'because\n"it" is'] });
    expect(shelf.items).toEqual(['a', colour]);
    const rows = await helve.plane.audit(helve.admin, { types: ['run.decided'] });
    expect(rows.map(({ body }) => body)).toMatchObject([
      { number: 3 },
      { number: 2, decision: 'answer', text: colour },
    ]);
  });

  test('R-durable-runs: another process continues with the answer', async () => {
    const shelf = createShelf();
    const database = place();
    const helve = await createTestHelve({ tools: [shelf.save()], database });
    const { id } = await run(helve, asks);
    await helve.close();
    const next = await reopen(database, [shelf.save()]);
    await answer(next, id, 2, 'red');
    await follow(next, id, waitsFor(3));
    await answer(next, id, 3, 'so');
    const done = await follow(next, id, ended);
    expect([done.value, shelf.items]).toEqual([
      [1, 'red', 'so'],
      ['a', 'red'],
    ]);
  });

  test('R-durable-runs R-typedefs: a wrong question is refused before anything runs, or says what is wrong', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save()] });
    for (const wrong of [
      `await custom.save({ name: 'a' }); await person.ask('Which?')`,
      `await custom.save({ name: 'a' }); await person.say({ question: 'Which?' })`,
      `if ((await person.ask({ question: 'Which?', choices: ['a', 'b'] })) === 'c') await custom.save({ name: 'a' })`,
    ])
      expect(await run(helve, wrong), wrong).toMatchObject({ status: 'refused', issues: [{ line: 1 }] });
    const empty = await run(helve, `await person.ask({ question: '' })`);
    expect(empty).toMatchObject({ status: 'failed', error: { code: 'invalid_input', line: 1 } });
    expect(shelf.items).toEqual([]);
  });
});

describe('R-durable-runs: a plan', () => {
  const program = `const { names } = await custom.list({});
    const one = await custom.save({ name: 'first of ' + names.length });
    await custom.save({ name: \`after number \${one.number}\` });
    return one.number;`;

  async function planned(helve: TestHelve, code = program) {
    const plan = await run(helve, code, { mode: 'plan' });
    await helve.plane.decideRun(helve.admin, plan.id, { decision: 'approve_plan' });
    return plan;
  }

  test('R-durable-runs: reads run, effects are noted with where their arguments come from', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save(), shelf.list], policies: ask });
    const plan = await run(helve, program, { mode: 'plan' });
    expect(plan).toMatchObject({
      status: 'succeeded',
      planned: {
        status: 'pending',
        effects: [
          { number: 2, tool: 'save', arguments: { name: 'first of 0' }, approval: 'policy:ask' },
          { number: 3, tool: 'save', arguments: { name: 'after number ⟦call 2: number⟧' } },
        ],
      },
    });
    expect(plan.calls.map(({ status }) => status)).toEqual(['ok', 'planned', 'planned']);
    expect(shelf.items).toEqual([]);
  });

  test('R-durable-runs R-typedefs: a plan knows the answers of a tool as the declarations do: from earlier answers', async () => {
    const shelf = createShelf();
    const { outputSchema: _, ...untyped } = shelf.save();
    const helve = await open({ tools: [untyped] });
    const declared = async () => (await helve.plane.toolDeclarations(helve.agent, {})).text;
    for (const name of ['x', 'y']) await run(helve, `await custom.save({ name: '${name}' });`);
    await expect.poll(declared).toContain('seen in 2 answers');
    const plan = await planned(
      helve,
      `const one = await custom.save({ name: 'a' });
       await custom.save({ name: 'after ' + one.number });`,
    );
    expect(plan.planned?.effects.map((effect) => effect.arguments)).toEqual([
      { name: 'a' },
      { name: 'after ⟦call 1: number⟧' },
    ]);
    expect(await run(helve, plan.code, { plan: plan.id })).toMatchObject({ status: 'succeeded' });
    expect(shelf.items).toEqual(['x', 'y', 'a', 'after 3']);
  });

  test('R-durable-runs: a plan follows the references of an output schema', async () => {
    const shelf = createShelf();
    const outputSchema = { $ref: '#/$defs/saved', $defs: { saved } };
    const helve = await open({ tools: [shelf.save({ outputSchema })] });
    const plan = await run(
      helve,
      `const one = await custom.save({ name: 'a' }); await custom.save({ name: one.name ?? '' });`,
      { mode: 'plan' },
    );
    expect(plan.planned?.effects[1]?.arguments).toEqual({ name: '⟦call 1: name⟧' });
  });

  test('R-durable-runs R-typedefs: a type that the reads of a plan teach leaves the plan usable', async () => {
    const shelf = createShelf();
    const { outputSchema: _, ...untyped } = shelf.list;
    const helve = await open({ tools: [shelf.save(), untyped] });
    const plan = await planned(helve, `await custom.list({}); await custom.save({ name: 'a' });`);
    const declared = async () => (await helve.plane.toolDeclarations(helve.agent, {})).text;
    await expect.poll(declared).toContain('seen in 1 answer');
    expect(await run(helve, plan.code, { plan: plan.id })).toMatchObject({ status: 'succeeded' });
    expect(shelf.items).toEqual(['a']);
  });

  test('R-durable-runs: the run makes exactly the effects of its plan, with one approval for all of them', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save(), shelf.list], policies: ask });
    const plan = await planned(helve);
    const done = await run(helve, program, { plan: plan.id, idempotencyKey: 'once' });
    expect(done).toMatchObject({ status: 'succeeded', value: 1 });
    expect(shelf.items).toEqual(['first of 0', 'after number 1']);
    expect((await helve.audited()).filter(({ type }) => type === 'approval.requested')).toEqual([]);
    // A plan is used once, and a start that is repeated with its key gets its run.
    expect(await run(helve, program, { plan: plan.id, idempotencyKey: 'once' })).toEqual(done);
    await expect(run(helve, program, { plan: plan.id })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('R-durable-runs: an effect that is not in the plan is stopped before it happens, and a person is asked', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save(), shelf.list] });
    const plan = await planned(helve);
    shelf.items.push('by another hand');
    const stopped = await run(helve, program, { plan: plan.id });
    expect(stopped).toMatchObject({ status: 'waiting', waits: [{ for: 'approval', number: 2, tool: 'save' }] });
    expect(shelf.items).toEqual(['by another hand']);
    const [wait] = stopped.waits;
    if (wait?.for !== 'approval') throw new Error('no approval');
    const asked = await helve.plane.approval(helve.admin, wait.approvalId);
    expect(asked).toMatchObject({ rule: 'plan.unplanned', arguments: { name: 'first of 1' } });
  });

  test('R-durable-runs: a value that the schema of an answer gives stands in the plan for itself only', async () => {
    const shelf = createShelf();
    const outputSchema = { type: 'object', properties: { state: { enum: ['open', 'closed'] } }, required: ['state'] };
    const close = shelf.save({
      outputSchema,
      async execute({ name }) {
        shelf.items.push(String(name));
        return { state: 'closed' };
      },
    });
    const helve = await open({ tools: [close] });
    const kept = await planned(helve, `await custom.save({ name: 'a' }); await custom.save({ name: 'reopen b' });`);
    expect(await run(helve, kept.code, { plan: kept.id })).toMatchObject({ status: 'succeeded' });
    expect(shelf.items).toEqual(['a', 'reopen b']);
    // The person approved the text "open".
    const code = `const one = await custom.save({ name: 'c' }); await custom.save({ name: one.state });`;
    const other = await planned(helve, code);
    expect(other.planned?.effects[1]?.arguments).toEqual({ name: 'open' });
    expect(await run(helve, code, { plan: other.id })).toMatchObject({ status: 'waiting', waits: [{ number: 2 }] });
    expect(shelf.items).toEqual(['a', 'reopen b', 'c']);
  });

  test('R-durable-runs: an effect of the plan whose answer was lost is not taken for that of another call', async () => {
    const shelf = createShelf();
    const database = place();
    const helve = await createTestHelve({ tools: [shelf.save(), shelf.list], database });
    const code = `const { names } = await custom.list({});
      await Promise.all(names.map(() => custom.save({ name: 'a' })));
      return names.length;`;
    shelf.items.push('one');
    const plan = await planned(helve, code);
    shelf.items.push('two');
    let reached = (): void => {};
    const inside = new Promise<void>((resolve) => (reached = resolve));
    shelf.hooks.beforeAnswer = () => {
      reached();
      return new Promise(() => {});
    };
    let id = '';
    void helve.plane.runCode(helve.agent, { code, plan: plan.id }, { onStart: (started) => (id = started) });
    await inside;
    await helve.close();
    delete shelf.hooks.beforeAnswer;
    const next = await reopen(database, [shelf.save(), shelf.list]);
    const asked = await follow(next, id, ({ status }) => status === 'in_doubt');
    expect(asked.waits).toMatchObject([
      { for: 'approval', number: 3 },
      { for: 'doubt', number: 2 },
    ]);
    expect(shelf.items).toEqual(['one', 'two', 'a']);
  });

  test('attack: a run that outlives its plan makes no effects without it', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save(), shelf.list], heartbeatMs: 50 });
    const code = `const { names } = await custom.list({});
      if (names.length === 0) return;
      await sleep(3_600_000);
      await custom.save({ name: 'not in the plan' });`;
    // Nobody has to approve a plan without effects.
    const { id } = await run(helve, code, { mode: 'plan' });
    shelf.items.push('one');
    const asleep = await run(helve, code, { plan: id });
    await helve.storage.system.purgeExpired(new Date(Date.now() + 31 * 86_400_000).toISOString());
    helve.advance(3_600_000);
    expect(await follow(helve, asleep.id, ended)).toMatchObject({ status: 'failed', error: { code: 'expired' } });
    expect(shelf.items).toEqual(['one']);
  });

  test('R-durable-runs: a plan is not made by following another one, which would make its effects', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save(), shelf.list] });
    const plan = await planned(helve);
    await expect(run(helve, program, { mode: 'plan', plan: plan.id })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(shelf.items).toEqual([]);
    expect(await run(helve, program, { plan: plan.id })).toMatchObject({ status: 'succeeded' });
  });

  test('R-durable-runs: a plan that is not approved, of others, for another program or under other policies is refused', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save(), shelf.list] });
    const pending = await run(helve, program, { mode: 'plan' });
    const refuses = (plan: string, code = program) =>
      expect(run(helve, code, { plan })).rejects.toMatchObject({ code: 'conflict' });
    await refuses(pending.id);
    await expect(helve.plane.decideRun(helve.agent, pending.id, { decision: 'approve_plan' })).rejects.toMatchObject({
      code: 'forbidden',
    });
    const approved = await planned(helve);
    await refuses(approved.id, `${program} `);
    await helve.plane.replacePolicies(helve.admin, [...ask]);
    await refuses(approved.id);
    const other = await helve.plane.createAgent(helve.admin, { slug: 'other' });
    const principal = await helve.plane.actAs(helve.admin, other.slug);
    await expect(helve.plane.getRun(principal, approved.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(shelf.items).toEqual([]);
  });
});

test.each([
  'its credential',
  'the key that acts as its agent',
])('attack: a program that runs makes no further call once %s is revoked', async (what) => {
  const shelf = createShelf();
  const helve = await open({ nativeToolkits: [], tools: [shelf.save()] });
  const { plane, admin } = helve;
  const permissions = ['tools:read', 'tools:call', 'agents:act'] as const;
  const issue = () =>
    what === 'its credential'
      ? plane.issueAgentToken(admin, 'tester', {})
      : plane.createApiKey(admin, { permissions: [...permissions] });
  const enter = async (secret: string) => {
    const caller = await plane.authenticate(secret);
    return what === 'its credential' ? caller : plane.actAs(caller, 'tester');
  };
  const { secret, credential } = await issue();
  const principal = await enter(secret);
  const code = 'await custom.save({ name: "a" }); await custom.save({ name: "b" }); return "canary"';
  shelf.hooks.beforeAnswer = async () => {
    delete shelf.hooks.beforeAnswer;
    await plane.revokeCredential(admin, credential.id);
    helve.advance(1_000);
  };
  const ended = await plane.runCode(principal, { code });
  expect(shelf.items).toEqual(['a']);
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'unauthenticated' } });
  // The control: with a credential that is valid both calls are made.
  const other = await enter((await issue()).secret);
  shelf.hooks.beforeAnswer = async () => helve.advance(1_000);
  expect(await plane.runCode(other, { code })).toMatchObject({ status: 'succeeded', value: 'canary' });
});

test('attack: a program that runs makes no further call once the person who started it may no longer call tools', async () => {
  const shelf = createShelf();
  const helve = await open({ nativeToolkits: [], tools: [shelf.save()] });
  const { plane, admin } = helve;
  const { user, link } = await plane.createUser(admin, { name: 'Eve', role: 'admin' });
  const { principal } = await plane.redeemAdminLink(link.split('token=')[1] ?? '');
  shelf.hooks.beforeAnswer = async () => {
    await plane.changeUser(admin, user.id, { role: 'auditor' });
    helve.advance(1_000);
  };
  const code = 'await custom.save({ name: "a" }); await custom.save({ name: "b" }); return "canary"';
  const ended = await plane.runCode(principal, { code });
  expect(shelf.items).toEqual(['a']);
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'unauthenticated' } });
});
