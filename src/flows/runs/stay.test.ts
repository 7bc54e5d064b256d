/** One stay of a program in a process, with a ledger that is written when the test says so. */
import { expect, test } from 'vitest';
import type { Principal } from '../../domain/principal.js';
import type { RunRequest, RunResult } from '../../domain/sandbox.js';
import type { RunStep, StoredRun } from '../../domain/storage.js';
import { sha256 } from '../../util/hash.js';
import { type Stay, type StayParts, stayInProcess } from './stay.js';

const at = '2026-01-01T00:00:00.000Z';
const principal: Principal = { kind: 'agent', id: 'a', name: 'a', workspaceId: 'w', permissions: [] };
const storedRun: StoredRun = {
  id: 'r',
  principal,
  mode: 'run',
  status: 'running',
  code: '',
  tools: {},
  declarations: '',
  replayVersion: 1,
  policyVersion: 1,
  seed: 1,
  limits: {},
  lease: 1,
  takeovers: [],
  waits: [],
  logs: [],
  startedAt: at,
};

/** A program that calls a tool and sets a timer, and returns which of the two came first. */
async function callAndSleep({ call, sleep, onIdle }: RunRequest): Promise<RunResult> {
  const { signal } = new AbortController();
  const seen: string[] = [];
  const note = (what: string) => (): void => {
    seen.push(what);
    setImmediate(() => onIdle?.());
  };
  const called = call('save', '{}', { index: 0, signal }).then(note('call'));
  const rung = sleep?.(1, signal, { id: 0, by: 'sleep' }).then(note('timer'));
  setImmediate(() => onIdle?.());
  await Promise.all([called, rung]);
  return { ok: true, value: seen, logs: [], cpuMs: 0, calls: 1 };
}

function stay(steps: readonly RunStep[], more: Partial<StayParts>, run = storedRun): ReturnType<typeof stayInProcess> {
  const unused = (): never => {
    throw new Error('not in this test');
  };
  const parts: StayParts = {
    sandbox: { run: callAndSleep },
    execute: unused,
    preview: unused,
    findOutput: unused,
    writeStep: unused,
    toolNames: unused,
    findRun: unused,
    askModel: unused,
    findObstacle: async () => undefined,
    present: async (principal) => principal,
    reportError: unused,
    now: () => new Date(at),
    setQueued: async () => true,
    onCall: () => undefined,
    ...more,
  };
  const rest: Omit<Stay, 'steps'> = {
    run,
    program: { code: '', place: (found) => found },
    approvals: new Map(),
    signal: new AbortController().signal,
  };
  return stayInProcess(parts, { ...rest, steps });
}

test('R-durable-runs: a program gets answers that one commit wrote in the order in which a replay gets them', async () => {
  const steps: RunStep[] = [];
  let commit = (): void => {};
  const committed = new Promise<void>((resolve) => (commit = resolve));
  let ring = (): void => {};
  const rung = new Promise<void>((resolve) => (ring = resolve));
  const first = await stay([], {
    async writeStep(step) {
      const { kind, number, tool, inputHash, executionId } = step;
      if (step.write !== 'whole') throw new Error('no answer');
      const { answer, position } = step;
      steps.push({ kind, number, tool, inputHash, executionId, attempts: 1, startedAt: at, answer, position });
      ring();
      await committed;
      return true;
    },
    async execute({ run }) {
      await rung;
      if (!run) throw new Error('no run');
      const { number, argumentsHash: inputHash, nextPosition, onRecorded } = run;
      const facts = { position: nextPosition(), at, answer: '{"ok":true,"output":1}' };
      const call = { kind: 'call', number, tool: 'save', inputHash, executionId: 'e' } as const;
      steps.push({ ...call, attempts: 1, startedAt: at, answer: facts.answer, position: facts.position });
      setImmediate(commit);
      await committed;
      onRecorded(facts);
      return { ok: true, executionId: 'e', output: 1, text: '1' } as never;
    },
  });
  expect(first).toMatchObject({ end: 'succeeded', value: ['timer', 'call'] });
  // The positions are those of the ledger.
  expect(steps.map(({ kind, position }) => [kind, position])).toEqual([
    ['timer', 1],
    ['call', 2],
  ]);
  expect(await stay(steps, {})).toMatchObject({ end: 'succeeded', value: ['timer', 'call'] });
});

test('R-durable-runs: a store that fails when the rights are looked at ends the stay, and tells the program nothing', async () => {
  const failure = new Error('the store is gone');
  const reported: unknown[] = [];
  let told = 'nothing';
  /** It does something else if its call fails, which a replay would not do. */
  const callOnce = async ({ call, signal, onIdle }: RunRequest): Promise<RunResult> => {
    const over = signal ?? new AbortController().signal;
    const asked = call('save', '{}', { index: 0, signal: over });
    setImmediate(() => onIdle?.());
    const ended = new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()));
    await Promise.race([ended, asked.catch(() => (told = 'an error'))]);
    return { ok: false, logs: [], cpuMs: 0, calls: 1 };
  };
  const end = await stay([], {
    sandbox: { run: callOnce },
    reportError: (error) => reported.push(error),
    async findObstacle() {
      throw failure;
    },
  });
  expect([end.end, told, reported]).toEqual(['lost', 'nothing', [failure]]);
});

test('R-durable-runs: a program whose process died before its long sleep was written waits without a process after its replay', async () => {
  const callThenSleep = async ({ call, sleep, signal, onIdle }: RunRequest): Promise<RunResult> => {
    const over = signal ?? new AbortController().signal;
    const ended = new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()));
    const asked = call('save', '{}', { index: 0, signal: over });
    setImmediate(() => onIdle?.());
    await asked;
    void sleep?.(3_600_000, over, { id: 0, by: 'sleep' });
    setImmediate(() => onIdle?.());
    await ended;
    return { ok: false, logs: [], cpuMs: 0, calls: 1 };
  };
  const call = { kind: 'call', number: 1, tool: 'save', inputHash: sha256('save\n{}'), executionId: 'e' } as const;
  const answer = { answer: '{"ok":true,"output":1}', position: 1 };
  const end = await stay([{ ...call, ...answer, attempts: 1, startedAt: at }], { sandbox: { run: callThenSleep } });
  expect(end).toMatchObject({ end: 'parked', waits: [{ for: 'time', until: '2026-01-01T01:00:00.000Z' }] });
});

test('R-durable-runs: a run that goes on while all places of the sandbox are taken waits for one; one that never began fails', async () => {
  const error = { name: 'SandboxError', message: 'All places were taken', loss: 'waiting' } as const;
  const sandbox = { run: async (): Promise<RunResult> => ({ ok: false, error, logs: [], cpuMs: 0, calls: 0 }) };
  const call = { kind: 'call', number: 1, tool: 'save', inputHash: 'h', executionId: 'e', attempts: 1 } as const;
  expect(await stay([{ ...call, startedAt: at }], { sandbox })).toMatchObject({ end: 'displaced', isFailure: false });
  // It has waited for an approval before its first call.
  const resumed = { ...storedRun, lease: 2 };
  expect(await stay([], { sandbox }, resumed)).toMatchObject({ end: 'displaced', isFailure: false });
  expect(await stay([], { sandbox })).toMatchObject({ end: 'failed', error: { name: 'SandboxError' } });
});
