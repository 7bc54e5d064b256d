/** The storage contract's part about runs: each claim, step, decision and use of a plan happens once, whoever races. */
import { expect, it } from 'vitest';
import type { JournalOutcome, StepWrite } from '../domain/audit.js';
import type { StoredRun } from '../domain/storage.js';
import { approval, type ContractParts, draft, time } from './storage-fixtures.js';

const racers = 20;
const principal = { kind: 'agent', id: 'a1', name: 'Scout', workspaceId: 'w', permissions: [] } as const;

const stored = (id: string, more: Partial<StoredRun> = {}): StoredRun => ({
  id,
  principal,
  mode: 'run',
  status: 'running',
  code: 'return 1',
  tools: { custom: { save: 'save' } },
  declarations: 'd',
  replayVersion: 1,
  policyVersion: 1,
  seed: 2 ** 46,
  limits: { cpuMs: 1 },
  owner: 'p1',
  lease: 1,
  takeovers: [],
  waits: [],
  logs: [{ level: 'log', text: '\0\u{1f600}' }],
  startedAt: time(1),
  ...more,
});

const start = (runId: string, more: object = {}): StepWrite => ({
  write: 'start',
  runId,
  lease: 1,
  kind: 'call',
  number: 1,
  executionId: 'e1',
  at: time(2),
  tool: 'save',
  inputHash: 'h',
  ...more,
});
const count = (outcomes: readonly unknown[], wanted: unknown) => outcomes.filter((one) => one === wanted).length;

export function runsContract({ one, two, under }: ContractParts): void {
  const write = async (step: StepWrite, storage = under().storage): Promise<JournalOutcome | undefined> =>
    (await storage.commit([{ workspaceId: one().workspaceId, events: [], step }]))[0];

  it('R-durable-runs: keeps a run as it was given, within its workspace, and one for each key', async () => {
    const run = stored('r1', { idempotencyKey: 'k', intent: 'i', value: [1], wakeAt: time(3), plan: 'p' });
    expect(await one().runs.insert(run, [draft({ type: 'run.started' })])).toEqual({ run, created: true });
    expect(await one().runs.find('r1')).toEqual(run);
    expect(await two().runs.find('r1')).toBeUndefined();
    const again = await one().runs.insert(stored('r2', { idempotencyKey: 'k' }), []);
    expect(again).toEqual({ run, created: false });
    await one().runs.insert(stored('r3'), []);
    expect((await one().runs.list({ limit: 5 })).map(({ id }) => id)).toEqual(['r3', 'r1']);
    expect((await one().runs.list({ limit: 5, before: 'r3', status: 'running' })).map(({ id }) => id)).toEqual(['r1']);
  });

  it('R-durable-runs: finds the runs that wait for an approval', async () => {
    const wait = (approvalId: string) => ({ for: 'approval', number: 1, tool: 'save', approvalId }) as const;
    await one().runs.insert(stored('r1', { status: 'waiting', waits: [wait('a1'), wait('a2')] }), []);
    await one().runs.insert(stored('r2', { status: 'in_doubt', waits: [wait('a2')] }), []);
    await one().runs.insert(stored('r3', { status: 'waiting', waits: [wait('a20')] }), []);
    const find = async (approval: string, { runs } = one()) =>
      (await runs.list({ approval, limit: 5 })).map(({ id }) => id);
    expect(await find('a1')).toEqual(['r1']);
    expect(await find('a2')).toEqual(['r2', 'r1']);
    expect(await find('a_')).toEqual([]);
    expect(await find('a1', two())).toEqual([]);
  });

  it('R-durable-runs: of many that claim a run one gets it, and the former owner writes nothing more', async () => {
    const second = await under().second();
    await one().runs.insert(stored('r1'), []);
    expect(await write(start('r1'))).toBe('committed');
    const tables = [one().runs, second.workspace(one().workspaceId).runs];
    const seen = { id: 'r1', lease: 1, status: 'running' } as const;
    // It began to wait after it was seen, without another claim.
    expect(await one().runs.claim({ ...seen, status: 'waiting' }, { owner: 'p0' }, [])).toBeUndefined();
    const claims = await Promise.all(
      Array.from({ length: racers }, (_, at) =>
        tables[at % 2]?.claim(seen, { owner: `p${at}`, takeovers: [time(at)] }, []),
      ),
    );
    const [won, ...others] = claims.filter((run) => run !== undefined);
    expect(others).toEqual([]);
    expect(won).toMatchObject({ lease: 2, status: 'running', takeovers: [expect.any(String)] });
    expect(await write(start('r1', { number: 2, executionId: 'e2' }))).toBe('run_lost');
    const answer = { write: 'answer', runId: 'r1', lease: 1, kind: 'call', number: 1, executionId: 'e1' } as const;
    expect(await write({ ...answer, at: time(3), position: 1, answer: '1' })).toBe('committed');
    expect((await one().runs.steps('r1'))[0]?.answer).toBeUndefined();
    expect(await one().runs.change({ id: 'r1', lease: 1 }, { status: 'failed' }, [])).toBe(false);
    await second.close();
  });

  it('R-durable-runs: a queued run keeps its owner, is open, and its owner still writes steps of it', async () => {
    await one().runs.insert(stored('r1'), []);
    const held = { id: 'r1', lease: 1 };
    expect(await one().runs.change(held, { status: 'queued' }, [])).toBe(true);
    const [{ owner } = {}] = await one().runs.list({ status: 'queued', limit: 5 });
    expect(owner).toBe('p1');
    expect(await one().runs.list({ status: 'running', limit: 5 })).toEqual([]);
    const open = await under().storage.system.listOpenRuns();
    expect(open).toContainEqual(expect.objectContaining({ id: 'r1', status: 'queued', owner: 'p1' }));
    // A program that lost its place waits for another one while what it began goes on.
    expect(await write(start('r1'))).toBe('committed');
    expect(await one().runs.change(held, { status: 'running' }, [])).toBe(true);
    expect(await one().runs.list({ status: 'queued', limit: 5 })).toEqual([]);
  });

  it('R-durable-runs: an attempt replaces exactly the one whose answer is missing', async () => {
    await one().runs.insert(stored('r1'), []);
    // An attempt that never was could otherwise go without the approval that it needed.
    expect(await write(start('r1', { replaces: 'e0' }))).toBe('run_lost');
    expect(await write(start('r1'))).toBe('committed');
    expect(await write(start('r1', { executionId: 'e2' }))).toBe('run_lost');
    expect(await write(start('r1', { executionId: 'e2', replaces: 'e0' }))).toBe('run_lost');
    expect(await write(start('r1', { executionId: 'e2', replaces: 'e1', at: time(9) }))).toBe('committed');
    const [step] = await one().runs.steps('r1');
    // The first attempt says since when the effect is in doubt.
    expect(step).toMatchObject({ executionId: 'e2', attempts: 2, startedAt: time(2) });
    const answer = { write: 'answer', runId: 'r1', lease: 1, kind: 'call', number: 1, executionId: 'e2' } as const;
    await write({ ...answer, at: time(3), position: 7, answer: '{"ok":true}' });
    expect(await write(start('r1', { executionId: 'e3', replaces: 'e2' }))).toBe('run_lost');
    expect(await one().runs.steps('r1')).toMatchObject([{ answer: '{"ok":true}', position: 7, answeredAt: time(3) }]);
  });

  it('R-durable-runs: the outline of a run has its steps without the outputs of its calls', async () => {
    await one().runs.insert(stored('r1'), []);
    const answers = ['{"ok":true,"output":"\u{1f600} large"}', '{"ok":false,"error":{"code":"timeout"}}'];
    for (const [at, answer] of [...answers, answers[0], undefined].entries()) {
      const number = at + 1;
      const executionId = number === 3 ? '' : `e${number}`;
      await write(start('r1', { number, executionId }));
      const place = { write: 'answer', runId: 'r1', lease: 1, kind: 'call', number, executionId } as const;
      if (answer !== undefined) await write({ ...place, at: time(3), position: number, answer });
    }
    const [first, ...others] = await one().runs.steps('r1');
    expect(first?.answer).toBe(answers[0]);
    expect(others.map(({ answer }) => answer)).toEqual([answers[1], answers[0], undefined]);
    const outline = await one().runs.outline('r1');
    expect(outline).toEqual([{ ...first, answer: '{"ok":true,"output":null}' }, ...others]);
    expect(await two().runs.outline('r1')).toEqual([]);
  });

  it('R-approval: the end of a run withdraws what only its calls wait for, and the end of the last one that waits the rest', async () => {
    const ids = ['alone', 'shared', 'direct', 'decided'];
    for (const id of ids)
      await one().approvals.request(approval(id, { binding: id, ...(id === 'direct' ? {} : { runId: 'r1' }) }), []);
    await one().approvals.decide({ id: 'decided', status: 'approved', at: time(2), by: principal, through: 'api' }, []);
    const statuses = () => Promise.all(ids.map(async (id) => (await one().approvals.find(id))?.status));
    const wait = (approvalId: string) => ({ for: 'approval', number: 1, tool: 'save', approvalId }) as const;
    const waiting = { status: 'waiting', waits: ids.map(wait) } as const;
    await one().runs.insert(stored('r1', waiting), []);
    await one().runs.insert(stored('r2', { status: 'waiting', waits: [wait('shared')] }), []);
    // The loop of an agent, which waits with its program.
    const within = { runId: 'r1', number: 1 };
    await one().runs.insert(stored('r3', { status: 'waiting', waits: [{ ...wait('alone'), within }] }), []);
    await two().runs.insert(stored('r2', waiting), []);
    await one().runs.cancel('r1', { finishedAt: time(5) }, []);
    expect(await statuses()).toEqual(['withdrawn', 'pending', 'pending', 'approved']);
    expect(await one().approvals.findByBinding('alone', time(3))).toBeUndefined();
    expect(await one().approvals.request(approval('anew', { binding: 'alone' }), [])).toMatchObject({ created: true });
    await one().runs.change({ id: 'r2', lease: 1 }, { status: 'running' }, []);
    expect((await statuses())[1]).toBe('pending');
    await one().runs.change({ id: 'r2', lease: 1 }, { status: 'succeeded', finishedAt: time(6) }, []);
    expect(await statuses()).toEqual(['withdrawn', 'withdrawn', 'pending', 'approved']);
    expect(await one().approvals.count({})).toMatchObject({ pending: 2, withdrawn: 2 });
  });

  it('R-durable-runs: an effect of a plan, a plan, a doubt and a cancellation are each taken once', async () => {
    const planned = { effects: [], status: 'approved', expiresAt: time(9) } as const;
    await one().runs.insert(stored('plan', { mode: 'plan', status: 'succeeded', planned }), []);
    await one().runs.insert(stored('r1', { plan: 'plan' }), []);
    const use = { planned: { runId: 'plan', number: 1 } };
    const uses = Array.from({ length: racers }, (_, at) =>
      write(start('r1', { number: at + 1, executionId: `e${at}`, ...use })),
    );
    expect(count(await Promise.all(uses), 'committed')).toBe(1);
    const used = { ...planned, status: 'used' } as const;
    const change = { from: planned, to: used };
    const starts = Array.from({ length: racers }, (_, at) =>
      one().runs.insert(stored(`s${at}`, { plan: 'plan' }), [], change),
    );
    const started = (await Promise.all(starts)).filter((one) => one !== undefined);
    expect(started).toMatchObject([{ created: true }]);
    // Nothing is left of a run that could not use its plan.
    const runs = await one().runs.list({ limit: 50 });
    expect(runs.map(({ id }) => id).filter((id) => id.startsWith('s'))).toEqual([started[0]?.run.id]);
    expect(await one().runs.changePlan('plan', change, [])).toBe(false);
    await one().runs.cancel(started[0]?.run.id ?? '', { finishedAt: time(5) }, []);
    const [step] = await one().runs.steps('r1');
    const { number = 0, executionId = '' } = step ?? {};
    const decision = { number, executionId, at: time(4), answer: '{"ok":true}' };
    expect(await one().runs.decide('r1', decision, [])).toBe(false);
    await one().runs.change({ id: 'r1', lease: 1 }, { status: 'in_doubt' }, []);
    const decisions = Array.from({ length: racers }, () => one().runs.decide('r1', decision, []));
    expect(count(await Promise.all(decisions), true)).toBe(1);
    const cancels = Array.from({ length: racers }, () =>
      one().runs.cancel('r1', { finishedAt: time(5), expiresAt: time(6) }, []),
    );
    expect((await Promise.all(cancels)).filter((run) => run !== undefined)).toHaveLength(1);
    expect(await one().runs.claim({ id: 'r1', lease: 1, status: 'cancelled' }, { owner: 'p2' }, [])).toBeUndefined();
    const open = await under().storage.system.listOpenRuns();
    expect(open.filter(({ workspaceId }) => workspaceId === one().workspaceId)).toEqual([]);
    await under().storage.system.purgeExpired(time(7));
    expect([await one().runs.find('r1'), await one().runs.steps('r1')]).toEqual([undefined, []]);
  });
}
