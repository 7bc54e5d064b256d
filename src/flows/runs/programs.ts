/**
 * A program that an agent's loop started and that waits for a person: the loop waits with it. Its run is parked with the wait of the
 * program, is no longer kept in a process, and goes on when the program does. What a person decides about it is passed on.
 */
import type { JsonValue } from '../../domain/json.js';
import type { RunDecision, RunWait } from '../../domain/run.js';
import type { StoredRun } from '../../domain/storage.js';
import { isPlainObject } from '../../util/canonical.js';

/** The name of the wait among the calls of a run. No tool has a dot in its model-facing name. */
export const settledName = 'program.settled';
const runCodeName = 'run_code';
const callToolName = 'call_tool';
const statusName = 'run_status';
const patienceSeconds = 50;
const waitingStatuses: readonly unknown[] = ['waiting', 'in_doubt'];

type Call = (name: string, input: JsonValue) => Promise<JsonValue>;

/** Whether a call starts a program, by its own name or through `call_tool`. */
export function startsProgram(name: string, input: JsonValue): boolean {
  if (name === runCodeName) return true;
  return name === callToolName && isPlainObject(input) && input.tool === runCodeName;
}

/**
 * Returns the result of the program, after any decisions of people that it needed. `told` is the answer of `run_code`.
 * A program that sleeps, or works for longer than `run_status` waits, is left to the model.
 */
export async function followProgram(told: JsonValue, call: Call): Promise<JsonValue> {
  let latest = told;
  while (isPlainObject(latest) && typeof latest.id === 'string' && waitingStatuses.includes(latest.status)) {
    const { id } = latest;
    const { sleeps } = (await call(settledName, { id })) as { sleeps: boolean };
    if (sleeps) return latest;
    latest = await call(statusName, { id, wait_seconds: 0 });
    if (isPlainObject(latest) && (latest.status === 'running' || latest.status === 'queued'))
      latest = await call(statusName, { id, wait_seconds: patienceSeconds });
  }
  return latest;
}

/** The first thing that a person must decide before the program can go on. */
export function findPersonsWait(program: StoredRun): Exclude<RunWait, { for: 'time' }> | undefined {
  if (!waitingStatuses.includes(program.status)) return undefined;
  return program.waits.find((wait): wait is Exclude<RunWait, { for: 'time' }> => wait.for !== 'time');
}

/** Whether a loop that waits with its program can continue, because the program no longer waits for the same thing. */
export function hasMovedOn(wait: RunWait, program: StoredRun | undefined): boolean {
  if (wait.for === 'time' || wait.within === undefined) return false;
  if (program === undefined || !waitingStatuses.includes(program.status)) return true;
  const { number } = wait.within;
  return !program.waits.some((one) => one.for === wait.for && one.number === number);
}

/** The decision about the program, if it is the program that asks. */
export function passOn(
  run: StoredRun,
  decision: Exclude<RunDecision, { decision: 'stop' }>,
): { readonly runId: string; readonly decision: typeof decision } | undefined {
  if (!('number' in decision)) return undefined;
  const kind = decision.decision === 'answer' ? 'answer' : 'doubt';
  const wait = run.waits.find((one) => one.for === kind && one.number === decision.number);
  if (wait === undefined || wait.for === 'time' || wait.within === undefined) return undefined;
  return { runId: wait.within.runId, decision: { ...decision, number: wait.within.number } };
}
