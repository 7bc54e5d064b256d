/**
 * Runs one program from start to end, on the host's side: turn by turn, counting every limit again outside the guest.
 */

import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonValue } from '../../domain/json.js';
import type {
  LimitName,
  LogLine,
  RunError,
  RunRequest,
  RunResult,
  SandboxLimits,
  TimerFacts,
} from '../../domain/sandbox.js';
import { describeFailure, lossError, programError, sandboxError } from './errors.js';
import { type CheckedOutput, type GuestCall, parseWithoutProto, readOutput, withoutProto } from './guest-output.js';
import { isLimit, limitError } from './limits.js';
import { type Delivery, type Place, PlaceLost, type Places, type ToGuest, type Turn } from './messages.js';

export interface RunPlan {
  readonly run: number;
  readonly request: RunRequest;
  readonly limits: SandboxLimits;
  readonly places: Pick<Places, 'take'>;
  /** Aborted when the sandbox is closed. */
  readonly closing: AbortSignal;
}

type Ending = { readonly value?: JsonValue } | { readonly error: RunError };

class Ended extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super('The run has ended');
    this.ending = ending;
  }
}

const endWith = (error: RunError): Ended => new Ended({ error });

export async function runProgram(plan: RunPlan): Promise<RunResult> {
  const { request, limits, closing } = plan;
  const over = new AbortController();
  // One for each call in progress.
  setMaxListeners(0, over.signal);
  let stopped: RunError | undefined;
  const stop = (error: RunError): void => {
    stopped ??= error;
    over.abort();
  };
  const late = (): void => stop(limitError('wallMs', limits));
  const clock = { timer: setTimeout(late, Math.max(limits.wallMs, minPatienceMs)) };
  const cancel = (): void => stop(sandboxError('The program was cancelled.', 'cancelled'));
  request.signal?.addEventListener('abort', cancel, { once: true });
  const close = (): void => stop(lossError('closed', limits));
  closing.addEventListener('abort', close, { once: true });
  if (closing.aborted) close();
  if (request.signal?.aborted) cancel();
  const state = new Run(plan, over.signal);
  let place: Place | undefined;
  let ending: Ending;
  try {
    if (Buffer.byteLength(request.code) > limits.codeBytes) throw endWith(limitError('codeBytes', limits));
    place = await takePlace(plan, over.signal);
    clearTimeout(clock.timer);
    clock.timer = setTimeout(late, limits.wallMs);
    ending = await state.follow(place);
  } catch (error) {
    ending = toEnding(error, { limits, stopped, begun: place !== undefined });
  }
  clearTimeout(clock.timer);
  request.signal?.removeEventListener('abort', cancel);
  closing.removeEventListener('abort', close);
  over.abort();
  leave(place, plan.run);
  return { ok: !('error' in ending), ...ending, logs: state.logs, cpuMs: state.cpuMs, calls: state.calls };
}

async function takePlace({ request, places }: RunPlan, signal: AbortSignal): Promise<Place> {
  let told: Promise<void> | undefined;
  const timer = setTimeout(() => {
    told = request.onQueue?.(true);
  }, queuedAfterMs);
  try {
    return await places.take(request.tenant, signal);
  } finally {
    clearTimeout(timer);
    if (told) await told.then(() => request.onQueue?.(false));
  }
}

/** A thread may still be busy with the program's last turn, which ends by its own limit. */
function leave(place: Place | undefined, run: number): void {
  if (!place) return;
  const dropped = place.ask({ kind: 'drop', run }, dropMs);
  dropped.catch(() => {}).finally(() => place.release());
}

const dropMs = 10_000;
const maxUnfitChars = 2_000;
/** A longer timer of Node rings at once. No program without the caller's `sleep` lasts as long. */
const maxPauseMs = 2 ** 31 - 1;
/** The minimum time for which a program waits for a place. */
const minPatienceMs = 30_000;
/** On a machine with little to do a thread or a process has started by then: a program that waits longer is said to be queued. */
const queuedAfterMs = 250;

interface Circumstances {
  readonly limits: SandboxLimits;
  readonly stopped: RunError | undefined;
  readonly begun: boolean;
}

function toEnding(error: unknown, { limits, stopped, begun }: Circumstances): Ending {
  if (error instanceof Ended) return error.ending;
  if (stopped && (begun || stopped.limit === undefined)) return { error: stopped };
  if (error instanceof PlaceLost) return { error: lossError(error.reason, limits) };
  return { error: sandboxError('The sandbox failed to run the program.', 'failed') };
}

/** How much longer than its limit a turn may take before its thread or process is ended. */
const graceMs = (limit: number): number => Math.max(100, limit * 0.08);

class Run {
  readonly logs: LogLine[] = [];
  cpuMs = 0;
  calls = 0;
  readonly #plan: RunPlan;
  readonly #over: AbortSignal;
  #end = 0;
  readonly #inFlight = new Set<number>();
  readonly #timers = new Map<number, AbortController>();
  #timersMade = 0;
  #logBytes = 0;
  #deliveries: Delivery[] = [];
  #wake = (): void => {};
  #cut = (): void => {};
  #failed: Ended | undefined;
  #full = false;

  constructor(plan: RunPlan, over: AbortSignal) {
    this.#plan = plan;
    this.#over = over;
    const stop = (): void => {
      this.#wake();
      this.#cut();
    };
    over.addEventListener('abort', stop, { once: true });
  }

  async follow(place: Place): Promise<Ending> {
    const { request, limits, run } = this.#plan;
    this.#end = performance.now() + limits.wallMs;
    const beginning = {
      code: request.code,
      limits,
      namespaces: JSON.stringify(request.namespaces ?? {}),
      globals: JSON.stringify(request.globals ?? {}),
      modules: request.modules ?? {},
      now: this.#now(),
      seed: request.seed ?? randomInt(2 ** 48 - 1),
    };
    this.#take(await this.#turn(place, { kind: 'begin', run, leftMs: this.#leftMs(), beginning }));
    while (true) {
      await this.#nextDeliveries();
      const deliveries = this.#deliveries;
      this.#deliveries = [];
      this.#take(await this.#turn(place, { kind: 'deliver', run, leftMs: this.#leftMs(), deliveries }));
    }
  }

  #leftMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  #now(): number {
    const { now = Date.now } = this.#plan.request;
    return typeof now === 'number' ? now : now();
  }

  /** Rejects when the run is over, without waiting for a turn that still goes on. */
  async #turn(place: Place, message: ToGuest): Promise<Turn> {
    const { cpuMs } = this.#plan.limits;
    const left = Math.min(cpuMs - this.cpuMs, this.#leftMs());
    const turn = place.ask(message, left + graceMs(cpuMs));
    turn.catch(() => {});
    return new Promise((resolve, reject) => {
      this.#cut = () => reject(new Error('The run is over'));
      if (this.#over.aborted) this.#cut();
      turn.then(resolve, reject);
    });
  }

  async #nextDeliveries(): Promise<void> {
    if (this.#inFlight.size === 0 && this.#timers.size === 0 && this.#deliveries.length === 0) {
      if (this.#full) this.#exceed('memoryMb');
      throw endWith(sandboxError('The program waits for a promise that nothing will settle.', 'stuck'));
    }
    if (this.#deliveries.length === 0 && !this.#failed && !this.#over.aborted)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#plan.request.onIdle?.();
      });
    if (this.#failed) throw this.#failed;
    if (this.#over.aborted) throw new Error('The run is over');
  }

  #exceed(limit: LimitName): never {
    throw endWith(limitError(limit, this.#plan.limits));
  }

  #take({ output, failure, cpuMs, ended, full }: Turn): void {
    const { limits } = this.#plan;
    this.cpuMs = cpuMs;
    this.#full = full;
    const read = readOutput(output, failure);
    if (read) this.#log(read.logs);
    if (ended === 'crashed') throw endWith(sandboxError('The program made the engine fail.', 'crashed'));
    if (ended !== undefined) this.#exceed(isLimit(ended) ? ended : 'memoryMb');
    if (cpuMs > limits.cpuMs) this.#exceed('cpuMs');
    if (!read) throw endWith(sandboxError('The program broke its connection to the host.', 'broken'));
    for (const id of read.cleared) this.#clear(id);
    if (read.end) this.#finish(read.end);
    for (const timer of read.timers) this.#startTimer(timer);
    for (const call of read.calls) this.#admit(call);
    for (const call of read.calls) void this.#call(call);
  }

  #log(lines: CheckedOutput['logs']): void {
    for (const line of lines) {
      // Counted in the same way as in the guest.
      this.#logBytes += Buffer.byteLength(line.text) + 1;
      if (this.#logBytes > this.#plan.limits.logBytes) this.#exceed('logBytes');
      this.logs.push(line);
    }
  }

  #finish({ value, unfit, error }: NonNullable<CheckedOutput['end']>): never {
    const { limits, request } = this.#plan;
    // One line more than the program wrote, which counts for no limit.
    if (unfit !== undefined) this.logs.push({ level: 'warn', text: unfit.slice(0, maxUnfitChars) });
    if (error) throw endWith(programError(error, { limits, code: request.code }));
    if (value === undefined) throw new Ended({});
    if (Buffer.byteLength(value) > limits.valueBytes) this.#exceed('valueBytes');
    throw new Ended({ value: parseWithoutProto(value) as JsonValue });
  }

  /** All calls of a turn are counted before the first of them is made. */
  #admit({ id, argumentsJson }: GuestCall): void {
    const { limits } = this.#plan;
    if (id !== this.calls) throw endWith(sandboxError('The program broke its connection to the host.', 'broken'));
    if (Buffer.byteLength(argumentsJson) > limits.argumentBytes) this.#exceed('argumentBytes');
    if (this.calls >= limits.calls) this.#exceed('calls');
    if (this.#inFlight.size >= limits.callsInFlight) this.#exceed('callsInFlight');
    this.calls += 1;
    this.#inFlight.add(id);
  }

  async #call({ id, name, argumentsJson }: GuestCall): Promise<void> {
    const { limits, request } = this.#plan;
    let delivery: Omit<Delivery, 'now'>;
    try {
      const text = withoutProto(
        await request.call(name, withoutProto(argumentsJson), { index: id, signal: this.#over }),
      );
      if (Buffer.byteLength(text) > limits.resultBytes) return this.#fail(endWith(limitError('resultBytes', limits)));
      delivery = { kind: 'answer', id, text };
    } catch (error) {
      delivery = { kind: 'failure', id, text: describeFailure(error) };
    }
    this.#inFlight.delete(id);
    this.#deliver(delivery);
  }

  #startTimer({ id, ms, by }: CheckedOutput['timers'][number]): void {
    // The guest counts from 1, because a timer of 0 would be false. Those that it cleared in the same turn are not here.
    if (id <= this.#timersMade) throw endWith(sandboxError('The program broke its connection to the host.', 'broken'));
    this.#timersMade = id;
    this.#wait(id, ms, { id: id - 1, by });
  }

  #wait(id: number, ms: number, facts: TimerFacts): void {
    if (this.#timers.size >= this.#plan.limits.timers) this.#exceed('timers');
    const cleared = new AbortController();
    this.#timers.set(id, cleared);
    const signal = AbortSignal.any([this.#over, cleared.signal]);
    const { sleep = (time: number): Promise<void> => pause(Math.min(time, maxPauseMs), undefined, { signal }) } =
      this.#plan.request;
    const ring = (): void => {
      if (!this.#timers.delete(id)) return;
      this.#deliver({ kind: 'timer', id, text: '' });
    };
    const broken = (): void => {
      if (!signal.aborted) this.#fail(endWith(sandboxError('The sandbox failed to wait.', 'failed')));
    };
    Promise.resolve(sleep(ms, signal, facts)).then(ring, broken);
  }

  #clear(id: number): void {
    this.#timers.get(id)?.abort();
    this.#timers.delete(id);
  }

  #fail(error: Ended): void {
    this.#failed ??= error;
    this.#wake();
  }

  #deliver(delivery: Omit<Delivery, 'now'>): void {
    if (this.#over.aborted) return;
    this.#deliveries.push({ ...delivery, now: this.#now() });
    this.#wake();
  }
}
