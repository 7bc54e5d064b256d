/**
 * One stay of a run in a process: the program runs from its start, gets from the ledger what it already got, and goes on
 * from there, until it ends or nothing is left that a process would have to be kept for.
 */
import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import type { ModelAnswer } from '../../domain/agent-model.js';
import type { StepWrite } from '../../domain/audit.js';
import { type ErrorBody, HelveError, toHelveError } from '../../domain/errors.js';
import type { CallInRun, CallPreview, CallRequest, Door, ToolFailure, ToolResult } from '../../domain/execution.js';
import type { JsonSchema, JsonValue } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import type { RunError, RunLimits, RunLog, RunWait, StoredEffect } from '../../domain/run.js';
import type { Sandbox } from '../../domain/sandbox.js';
import type { RunStep, StoredRun } from '../../domain/storage.js';
import type { Tool } from '../../domain/tool.js';
import { defined } from '../../util/defined.js';
import { sha256 } from '../../util/hash.js';
import { askName, type ExecutableProgram, question } from '../code/index.js';
import { type Answer, readAnswer, ToolCallError } from './answers.js';
import { BudgetError } from './budget.js';
import { createDeliveries, type Deliveries } from './deliveries.js';
import type { FixedCalls } from './fixed-calls.js';
import { bindPlaceholder, fitsPlan, hasPlaceholder, makePlaceholder } from './placeholders.js';
import { findPersonsWait, settledName } from './programs.js';
import { createRecipePlace, type RecipePlace, stepFinishedName } from './recipe-steps.js';
import { modelName, toolNamesName } from './turns.js';

export interface StayParts {
  readonly sandbox: Pick<Sandbox, 'run'>;
  readonly execute: (request: CallRequest) => Promise<ToolResult>;
  readonly preview: (request: CallRequest, options: { readonly draft: boolean }) => Promise<CallPreview | ToolFailure>;
  /** The schema of the tool's answers, as it is declared to the program; undefined: nothing is known. */
  readonly findOutput: (tool: Tool) => Promise<JsonSchema | undefined>;
  /** Writes a step that never runs as a call. Returns false if the run is no longer this process's, or if the store fails. */
  readonly writeStep: (step: OwnStep) => Promise<boolean>;
  /** The names of the tools that the principal is shown now. */
  readonly toolNames: (principal: Principal) => Promise<readonly string[]>;
  /** Why the run may make no more calls; undefined if it may. */
  readonly findObstacle: () => Promise<RunError | undefined>;
  /** The principal of a call, with what its issue takes away now. */
  readonly present: (principal: Principal) => Promise<Principal>;
  readonly reportError: (error: unknown) => void;
  /** A run of the same owner; undefined if there is none. */
  readonly findRun: (id: string) => Promise<StoredRun | undefined>;
  /** Asks the model of an agent's loop. Throws `BudgetError` if the run must end, because others have used up what was left. */
  readonly askModel: (principal: Principal, question: unknown, signal: AbortSignal) => Promise<ModelAnswer>;
  readonly now: () => Date;
  readonly onCall: (call: CallNotice) => void;
  /** Notes whether the program waits for its place in the sandbox. False if the run is no longer this process's, or if the store fails. */
  readonly setQueued: (isQueued: boolean) => Promise<boolean>;
}

type Owned = 'runId' | 'lease';
export type OwnStep =
  | Omit<Extract<StepWrite, { write: 'whole' }>, Owned>
  /** A question, which a person answers later. */
  | Omit<Extract<StepWrite, { write: 'start' }>, Owned>;

/** What happened to a call, for those who follow the run. */
export interface CallNotice {
  readonly number: number;
  readonly tool: string;
  readonly state: 'started' | 'answered' | 'waiting' | 'in_doubt' | 'planned';
  readonly executionId?: string;
  readonly error?: ErrorBody;
}

export interface Stay {
  readonly run: StoredRun;
  readonly program: ExecutableProgram;
  readonly steps: readonly RunStep[];
  /** By number of the call: the approval that it waited for. */
  readonly approvals: ReadonlyMap<number, string>;
  /** The plan that the run follows. */
  readonly plan?: FollowedPlan;
  /** Aborted when the run is cancelled, or the process stops. */
  readonly signal: AbortSignal;
}

export interface FollowedPlan {
  readonly runId: string;
  readonly policyVersion: number;
  readonly plannedAt: string;
  readonly effects: readonly StoredEffect[];
}

type Ending =
  | { readonly end: 'failed' | 'diverged'; readonly error: RunError }
  | { readonly end: 'parked'; readonly waits: readonly RunWait[]; readonly wakeAt?: string }
  /** Somebody else owns the run now, or this process must stop: nothing is changed. */
  | { readonly end: 'lost' }
  /** The program lost its place in the sandbox: it can run again from the ledger at once. `error`: how it ends if it does not. */
  | {
      readonly end: 'displaced';
      readonly waits: readonly RunWait[];
      readonly isFailure: boolean;
      readonly error: RunError;
    };

export type StayEnd = { readonly logs: readonly RunLog[]; readonly effects: readonly StoredEffect[] } & (
  | { readonly end: 'succeeded'; readonly value?: JsonValue }
  | Ending
);

/** A wait that is shorter keeps the program in memory. */
const holdMs = 2_000;
/** Attempts at a call whose answers are lost, before a person is asked. */
const maxAttempts = 3;
const firstPauseMs = 250;
/** How often a model is asked whose answer is lost or refused. */
const maxModelAttempts = 5;
/** How often it is looked whether a run may go on while its model is asked. */
const watchMs = 1_000;
/** A longer answer is kept behind a handle: a program computes with it, but a model must read it. */
const maxAnswerChars = 1_000_000;
const maxModelChars = 40_000;

/** Never rejects. */
export async function stayInProcess(parts: StayParts, stay: Stay): Promise<StayEnd> {
  return new StayInProcess(parts, stay).follow();
}

class StayInProcess {
  readonly #parts: StayParts;
  readonly #stay: Stay;
  readonly #calls: ReadonlyMap<number, RunStep>;
  readonly #timers: ReadonlyMap<number, RunStep>;
  readonly #deliveries: Deliveries;
  readonly #recipe: RecipePlace;
  /** Only a call under an idempotency key has one: it is the call of its request. */
  readonly #door: Door | undefined;
  readonly #over = new AbortController();
  readonly #asked = new Set<number>();
  readonly #waits: RunWait[] = [];
  /** By number: when a timer that has not rung is due, in milliseconds. */
  readonly #due = new Map<number, number>();
  readonly #effects: StoredEffect[] = [];
  /** By number of the effect in the plan: what it really answered. */
  readonly #made = new Map<number, JsonValue | undefined>();
  readonly #working = new Set<Promise<unknown>>();
  /** How many calls the program has made that have not begun: those of a replay begin after it. */
  #unbegun = 0;
  #live: boolean;
  #goLive = (): void => {};
  readonly #replayed: Promise<void>;
  #ending: Ending | undefined;

  constructor(parts: StayParts, stay: Stay) {
    this.#parts = parts;
    this.#stay = stay;
    // Each call in flight listens.
    setMaxListeners(0, this.#over.signal);
    const { steps, run } = stay;
    this.#recipe = createRecipePlace(run);
    this.#door = run.mode === 'call' ? (JSON.parse(run.code) as FixedCalls).door : undefined;
    const byNumber = (kind: RunStep['kind']) =>
      new Map(steps.filter((step) => step.kind === kind).map((step) => [step.number, step]));
    this.#calls = byNumber('call');
    this.#timers = byNumber('timer');
    // An effect that an attempt of the plan has begun counts as made, with or without an answer.
    for (const { planned } of steps) if (planned !== undefined) this.#made.set(planned, undefined);
    const positions = steps.flatMap(({ position }) => position ?? []).sort((one, other) => one - other);
    this.#live = steps.length === 0;
    this.#replayed = this.#live
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#goLive = resolve;
        });
    this.#deliveries = createDeliveries({
      at: Date.parse(run.startedAt),
      positions,
      onQuiet: () => this.#onQuiet(),
      onMissing: (position) => this.#onMissing(position),
    });
  }

  async follow(): Promise<StayEnd> {
    const { run, program, signal } = this.#stay;
    const stop = (): void => this.#finish({ end: 'lost' });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const result = await this.#parts.sandbox.run({
      code: program.code,
      call: (name, argumentsJson, { index }) => this.#call({ number: index + 1, name, argumentsJson }),
      sleep: (ms, cleared, { id }) => this.#sleep(id + 1, ms, cleared),
      namespaces: run.tools,
      limits: run.limits as Partial<RunLimits>,
      tenant: run.principal.workspaceId,
      now: () => this.#deliveries.now(),
      seed: run.seed,
      signal: this.#over.signal,
      onIdle: () => this.#deliveries.setIdle(),
      onQueue: async (isQueued) => {
        if (!(await this.#parts.setQueued(isQueued))) stop();
      },
    });
    // Effects that have begun must reach the ledger first, so that the program finds them when it runs again.
    const { loss } = result.error ?? {};
    const isDisplaced = loss === 'neighbour' || loss === 'failed' || (loss === 'waiting' && this.#mayHaveBegun());
    while (isDisplaced && this.#working.size > 0) await Promise.allSettled(this.#working);
    signal.removeEventListener('abort', stop);
    if (result.ok && !this.#ending) this.#requireAllCalls();
    const facts = { logs: result.logs, effects: this.#effects };
    if (this.#ending) return { ...this.#ending, ...facts };
    if (result.ok) return { end: 'succeeded', ...facts, ...defined({ value: result.value }) };
    const error = this.#toError(result.error);
    if (isDisplaced) return { end: 'displaced', waits: this.#waits, isFailure: loss === 'failed', error, ...facts };
    if (loss === 'closed') return { end: 'lost', ...facts };
    return { end: 'failed', ...facts, error };
  }

  /** Whether the program may have made calls in another place: then it waits for a place again, and does not fail. */
  #mayHaveBegun(): boolean {
    return this.#stay.run.lease > 1 || this.#calls.size > 0 || this.#timers.size > 0;
  }

  #toError(error: RunError | undefined): RunError {
    const { name = 'Error', message = 'The program failed', code, hint, line, column } = error ?? {};
    const { place } = this.#stay.program;
    return { name, message, ...defined({ code, hint, ...place(defined({ line, column })) }) };
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    this.#working.add(work);
    return work.finally(() => this.#working.delete(work));
  }

  /** Ends the stay, whatever the program does. */
  #finish(ending: Ending): void {
    this.#ending ??= ending;
    this.#over.abort();
  }

  #diverge(what: string): void {
    this.#finish({
      end: 'diverged',
      error: {
        name: 'DivergedError',
        message: `The replay did not do what the first run did: ${what}`,
        code: 'diverged',
        hint: 'Nothing was done after that. A newer version of Helve may run a program differently. Look at the calls of this run, and start a new one for what is left to do.',
      },
    });
  }

  /** Nothing is left to deliver, and the program waits. */
  #onQuiet(): void {
    if (this.#ending) return;
    if (!this.#live) {
      this.#requireAllCalls();
      this.#live = true;
      this.#goLive();
    }
    if (this.#unbegun > 0 || this.#working.size > 0) return;
    const now = this.#parts.now().getTime();
    const due = [...this.#due.values()];
    if (due.some((at) => at - now < holdMs)) return;
    const waits = [...this.#waits, ...due.map((at): RunWait => ({ for: 'time', until: new Date(at).toISOString() }))];
    if (waits.length === 0) return;
    const times = waits.flatMap((wait) => (wait.for === 'time' ? [wait.until] : [])).sort();
    this.#finish({ end: 'parked', waits, ...defined({ wakeAt: times[0] }) });
  }

  /** The first run made all calls of the ledger before it waited here or ended. */
  #requireAllCalls(): void {
    const left = [...this.#calls.values()].find(({ number }) => !this.#asked.has(number));
    if (left) this.#diverge(`call ${left.number} (${left.tool}) was not made again`);
  }

  /** A replay that waits without asking for its next answer would never ask for it. */
  #onMissing(position: number): void {
    // An answer that is not in the ledger yet is still being written. The loop of an SDK may ask a little later.
    if (this.#live || this.#stay.run.mode === 'agent') return;
    const missing = this.#stay.steps.find((step) => step.position === position);
    if (missing) this.#diverge(`${missing.kind} ${missing.number} (${missing.tool}) was not made again`);
  }

  async #call(call: ProgramCall): Promise<string> {
    const { number, name, argumentsJson } = call;
    const argumentsHash = sha256(`${name}\n${argumentsJson}`);
    this.#asked.add(number);
    if (name === modelName) this.#recipe.begin();
    const principal = this.#recipe.principal();
    const step = this.#calls.get(number);
    if (step && step.inputHash !== argumentsHash) {
      this.#diverge(`call ${number} (${step.tool}) ${step.tool === name ? 'has other arguments' : `is now ${name}`}`);
      return never();
    }
    if (step?.answer !== undefined && step.position !== undefined) {
      const answer = readAnswer(step.answer);
      this.#remember(step.planned, answer);
      this.#recipe.note(name, answer);
      return this.#deliver({ position: step.position, at: step.answeredAt ?? step.startedAt }, answer);
    }
    this.#unbegun += 1;
    await this.#replayed;
    this.#unbegun -= 1;
    if (this.#ending) return never();
    const { run } = this.#stay;
    const live: LiveCall = { ...call, principal, argumentsHash, step, input: JSON.parse(argumentsJson) as unknown };
    // An attempt that is in the ledger was in the plan.
    const isPlanned = (run.mode === 'plan' || this.#stay.plan !== undefined) && step === undefined;
    const beginning = this.#begin(live, isPlanned);
    this.#working.add(beginning);
    let next: Next;
    try {
      next = await beginning;
    } catch (error) {
      // The store failed. Nothing that is missing from the ledger may influence the program.
      this.#parts.reportError(error);
      next = 'lost';
    } finally {
      // In the same turn in which its wait is noted. Otherwise the stay could end with the waits of other calls and
      // lose this one.
      this.#working.delete(beginning);
    }
    if (next === 'lost') this.#finish({ end: 'lost' });
    else if ('wait' in next) this.#park(next.wait);
    else return this.#deliver(next.place, next.answer);
    return never();
  }

  async #begin(asked: LiveCall, isPlanned: boolean): Promise<Next> {
    await this.#endIfLost();
    if (this.#ending) return 'lost';
    const call = { ...asked, principal: await this.#parts.present(asked.principal) };
    // The caller chose this name, so it must not reach the calls that only programs and loops have.
    if (this.#stay.run.mode === 'call') return this.#make(call, {});
    if (call.name === askName) return this.#ask(call);
    if (this.#stay.run.mode === 'agent') {
      if (call.name === modelName) return this.#askModel(call);
      if (call.name === settledName) return this.#waitForProgram(call);
      if (call.name === toolNamesName) return this.#nameTools(call);
      if (call.name === stepFinishedName)
        return this.#answer(call, { executionId: '', answer: this.#recipe.finish(call.input) });
    }
    return isPlanned ? this.#makePlanned(call) : this.#make(call, {});
  }

  /** The question is in the ledger before anybody can answer it. */
  async #ask(call: LiveCall): Promise<Next> {
    const { number, name: tool, argumentsHash: inputHash, input, step } = call;
    const asked = question.safeParse(input);
    if (!asked.success) {
      const message = `This is not a question: ${z.prettifyError(asked.error)}`;
      const hint = 'person.ask({ question: "…", choices: ["…", "…"] }); choices can be left out.';
      const error = { code: 'invalid_input', message, hint, retryable: false } as const;
      return this.#answer(call, { executionId: '', answer: { ok: false, error } });
    }
    const at = this.#parts.now().toISOString();
    const opening = { write: 'start', kind: 'call', number, tool, inputHash, executionId: '', at } as const;
    if (step === undefined && !(await this.#parts.writeStep(opening))) return 'lost';
    this.#parts.onCall({ number, tool, state: 'waiting' });
    return { wait: { for: 'answer', number, tool, ...defined(asked.data) } };
  }

  async #nameTools(call: LiveCall): Promise<Next> {
    const output = [...(await this.#parts.toolNames(call.principal))];
    return this.#answer(call, { executionId: '', answer: { ok: true, output } });
  }

  /** Waits as the program does. Once nobody has to decide anything, the answer says whether it sleeps. */
  async #waitForProgram(call: LiveCall): Promise<Next> {
    const { number, input } = call;
    const { id = '' } = input as { id?: string };
    const program = await this.#parts.findRun(id);
    const wait = program && findPersonsWait(program);
    if (wait) {
      this.#parts.onCall({ number, tool: wait.tool, state: 'waiting' });
      const within = { runId: id, number: wait.number };
      return { wait: { ...wait, number, within } };
    }
    const sleeps = program === undefined || program.status === 'waiting';
    return this.#answer(call, { executionId: '', answer: { ok: true, output: { sleeps } } });
  }

  /** Ends the stay if the run may not go on. */
  async #endIfLost(): Promise<void> {
    const error = await this.#parts.findObstacle();
    if (error) this.#finish({ end: 'failed', error });
  }

  /** A question can take minutes, and is paid for: it is cut off when the run may not go on. */
  async #watched<Answer>(asking: Promise<Answer>): Promise<Answer> {
    const look = (): void => void this.#endIfLost().catch(this.#parts.reportError);
    const timer = setInterval(() => (this.#ending ? clearInterval(timer) : look()), watchMs).unref();
    return asking.finally(() => clearInterval(timer));
  }

  /** An answer is in the ledger before the loop gets it, so that it is paid for once. */
  async #askModel(call: LiveCall): Promise<Next> {
    const { number, name: tool, input, principal } = call;
    this.#parts.onCall({ number, tool, state: 'started' });
    for (let attempt = 1; ; attempt += 1) {
      try {
        const output = await this.#watched(this.#parts.askModel(principal, input, this.#over.signal));
        const next = await this.#answer(call, { executionId: '', answer: { ok: true, output: toJson(output) } });
        if (next !== 'lost') this.#parts.onCall({ number, tool, state: 'answered' });
        return next;
      } catch (thrown) {
        if (thrown instanceof BudgetError) {
          const { name, message, code } = thrown;
          this.#finish({ end: 'failed', error: { name, message, code } });
        }
        if (this.#ending) return 'lost';
        const error = toHelveError(thrown);
        if (!isPassing(error) || attempt >= maxModelAttempts)
          return this.#answer(call, { executionId: '', answer: { ok: false, error: error.toJSON() } });
        await pause(firstPauseMs * 4 ** attempt, this.#over.signal);
      }
    }
  }

  /** The promise of a call that waits is never settled: the stay ends instead. */
  #park(wait: RunWait): void {
    this.#waits.push(wait);
    if (this.#deliveries.isQuiet()) this.#onQuiet();
  }

  #deliver({ position, at }: Place, answer: Answer): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#deliveries.fill(position, {
        at: Date.parse(at),
        settle: () => (answer.ok ? resolve(JSON.stringify(answer.output)) : reject(new ToolCallError(answer.error))),
      });
    });
  }

  async #make(call: LiveCall, planned: Pick<CallInRun, 'planned' | 'unplanned'>): Promise<Next> {
    let { replaces, doubtfulSince } = continueFrom(call.step);
    let approvalId = this.#stay.approvals.get(call.number);
    for (let attempt = 1; !this.#ending; attempt++) {
      const startedAt = this.#parts.now().toISOString();
      const place = { ...planned, ...defined({ replaces, doubtfulSince }) };
      const { result, recorded } = await this.#attempt(call, { ...place, ...defined({ approvalId }) });
      if (recorded) {
        const answer = readAnswer(recorded.answer);
        this.#remember(planned.planned?.number ?? call.step?.planned, answer);
        return { place: recorded, answer };
      }
      if (result.ok) return 'lost';
      const verdict = judge(result, attempt);
      if (verdict === 'lost') return 'lost';
      if (verdict === 'answer') {
        const answer = approvalId !== undefined && hasExpired(result) ? tooLate(call) : result;
        return this.#answer(call, { executionId: result.executionId, answer });
      }
      if (verdict === 'approval' || verdict === 'time') return { wait: this.#describeWait(call, verdict, result) };
      if (verdict === 'unusable') {
        approvalId = undefined;
        continue;
      }
      doubtfulSince ??= startedAt;
      replaces = result.executionId;
      if (verdict === 'doubt') return { wait: this.#describeDoubt(call, { result, since: doubtfulSince }) };
      await pause(firstPauseMs * 4 ** (attempt - 1), this.#over.signal);
    }
    return 'lost';
  }

  async #attempt(
    call: LiveCall,
    {
      approvalId,
      ...place
    }: Pick<CallInRun, 'replaces' | 'doubtfulSince' | 'planned' | 'unplanned'> & Pick<CallRequest, 'approvalId'>,
  ) {
    const { run } = this.#stay;
    const { number, name, input, principal, argumentsHash } = call;
    let recorded: Recorded | undefined;
    const reserved: number[] = [];
    const result = await this.#parts.execute({
      principal,
      tool: name,
      input,
      signal: this.#over.signal,
      // What an agent works on, such as `Delete old branches`, is not what each of its calls is meant to do.
      ...defined({ intent: run.mode === 'agent' ? undefined : run.intent, approvalId, door: this.#door }),
      onStart: (executionId) => this.#parts.onCall({ number, tool: name, state: 'started', executionId }),
      run: {
        runId: run.id,
        number,
        lease: run.lease,
        maxAnswerChars: run.mode === 'agent' ? maxModelChars : maxAnswerChars,
        argumentsHash,
        isLoop: run.mode === 'agent' || run.mode === 'call',
        ...place,
        nextPosition: () => {
          const position = this.#deliveries.reserve();
          reserved.push(position);
          return position;
        },
        onRecorded: (answer) => {
          recorded = answer;
        },
      },
    });
    // What was not recorded is never delivered.
    const written = (recorded as Recorded | undefined)?.position;
    for (const position of reserved) if (position !== written) this.#deliveries.fill(position, undefined);
    if (recorded) this.#parts.onCall({ number, tool: name, state: 'answered', ...noticed(result) });
    return { result, recorded: recorded as Recorded | undefined };
  }

  /** A plan notes an effect instead of making it; a run that follows a plan makes an effect of the plan. */
  async #makePlanned(call: LiveCall): Promise<Next> {
    const { run, plan } = this.#stay;
    const draft = run.mode === 'plan' && hasPlaceholder(call.input);
    const request = {
      principal: run.principal,
      tool: call.name,
      input: call.input,
      ...defined({ intent: run.intent }),
    };
    const seen = await this.#parts.preview(request, { draft });
    if (!seen.ok) return this.#answer(call, { executionId: seen.executionId, answer: seen });
    if (!seen.tool.tool.hasEffects) return this.#make(call, {});
    return plan ? this.#make(call, this.#findPlanned(plan, seen)) : this.#noteEffect(call, seen);
  }

  #findPlanned(plan: FollowedPlan, seen: CallPreview): Pick<CallInRun, 'planned' | 'unplanned'> {
    const bindings = plan.effects.flatMap(({ number, placeholder }) =>
      bindPlaceholder(placeholder, this.#made.get(number)),
    );
    const effect = plan.effects.find(
      (one) =>
        !this.#made.has(one.number) &&
        one.tool === seen.tool.name &&
        one.connectionId === seen.tool.connectionId &&
        fitsPlan(one.arguments, seen.input, bindings),
    );
    if (!effect) return { unplanned: true };
    this.#made.set(effect.number, undefined);
    const { runId, policyVersion, plannedAt } = plan;
    const { inputHash, tool } = seen;
    const { number, definition } = effect;
    return { planned: { runId, policyVersion, plannedAt, number, tool: tool.name, inputHash, definition } };
  }

  async #noteEffect(call: LiveCall, seen: CallPreview): Promise<Next> {
    const { name, slug, connectionId, tool } = seen.tool;
    const { number } = call;
    const placeholder = makePlaceholder(await this.#parts.findOutput(tool), number);
    const facts = defined({
      connection: slug,
      connectionId,
      approval: seen.approval,
      definition: seen.meaning,
    });
    const effect: StoredEffect = { number, tool: name, ...facts, arguments: seen.input, placeholder };
    this.#parts.onCall({ number, tool: name, state: 'planned' });
    return this.#answer(call, { executionId: '', answer: { ok: true, output: placeholder, effect } });
  }

  /** `planned`: which effect of the plan the call made. */
  #remember(planned: number | undefined, answer: Answer): void {
    if (planned !== undefined) this.#made.set(planned, answer.ok ? answer.output : undefined);
    if (answer.ok && answer.effect) this.#effects.push(answer.effect);
  }

  /** Stores an answer that no execution has written. */
  async #answer(call: LiveCall, { executionId, answer }: { executionId: string; answer: Answer }): Promise<Next> {
    const at = this.#parts.now().toISOString();
    const position = this.#deliveries.reserve();
    const { number, name: tool, argumentsHash: inputHash } = call;
    const text = JSON.stringify(
      answer.ok ? { ok: true, output: answer.output, effect: answer.effect } : { ok: false, error: answer.error },
    );
    const step = {
      write: 'whole',
      kind: 'call',
      number,
      tool,
      inputHash,
      executionId,
      startedAt: at,
      at,
      position,
      answer: text,
    } as const;
    if (!(await this.#parts.writeStep(step))) return 'lost';
    this.#remember(undefined, answer);
    if (!answer.ok) this.#parts.onCall({ number, tool, state: 'answered', error: answer.error });
    return { place: { position, at }, answer };
  }

  #describeWait(
    { number, name }: LiveCall,
    verdict: 'approval' | 'time',
    { error, executionId }: ToolFailure,
  ): RunWait {
    this.#parts.onCall({ number, tool: name, state: 'waiting', error });
    if (verdict === 'approval')
      return { for: 'approval', number, tool: name, approvalId: String(error.details?.approvalId), executionId };
    const seconds = Math.max(1, Number(error.details?.retryAfterSeconds ?? 1));
    const until = new Date(this.#parts.now().getTime() + seconds * 1_000).toISOString();
    return { for: 'time', until, number, tool: name, executionId };
  }

  #describeDoubt({ number, name }: LiveCall, { result, since }: { result: ToolFailure; since: string }): RunWait {
    const { executionId, error } = result;
    this.#parts.onCall({ number, tool: name, state: 'in_doubt', executionId, error });
    return { for: 'doubt', number, tool: name, executionId, since, reason: error.message };
  }

  async #sleep(number: number, ms: number, cleared: AbortSignal): Promise<void> {
    const startedAt = this.#deliveries.now();
    const step = this.#timers.get(number);
    const inputHash = String(ms);
    if (step && step.inputHash !== inputHash) {
      this.#diverge(`timer ${number} waited ${step.inputHash} ms and now waits ${ms} ms`);
      return never();
    }
    if (step?.position !== undefined)
      return this.#ring({ position: step.position, at: step.answeredAt ?? step.startedAt }, cleared);
    const due = startedAt + ms;
    this.#due.set(number, due);
    cleared.addEventListener('abort', () => this.#due.delete(number), { once: true });
    await this.#replayed;
    await pause(due - this.#parts.now().getTime(), cleared);
    this.#due.delete(number);
    if (cleared.aborted || this.#ending) return never();
    const at = this.#parts.now().toISOString();
    const position = this.#deliveries.reserve();
    const isWritten = await this.#track(
      this.#parts.writeStep({
        write: 'whole',
        kind: 'timer',
        number,
        tool: 'timer',
        inputHash,
        executionId: '',
        startedAt: new Date(startedAt).toISOString(),
        at,
        position,
        answer: 'null',
      }),
    );
    if (!isWritten) {
      this.#finish({ end: 'lost' });
      return never();
    }
    return this.#ring({ position, at }, cleared);
  }

  #ring({ position, at }: Place, cleared: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const skip = (): void => this.#deliveries.fill(position, undefined);
      if (cleared.aborted) return skip();
      cleared.addEventListener('abort', skip, { once: true });
      const settle = (): void => {
        cleared.removeEventListener('abort', skip);
        resolve();
      };
      this.#deliveries.fill(position, { at: Date.parse(at), settle });
    });
  }
}

/** Statuses with which a service refuses a question for a moment only. */
const passingRefusals: readonly unknown[] = [408, 409, 425, 429];

/** Whether the same question may be answered later. A wrong key, for example, stays wrong. */
function isPassing({ code, details }: Pick<ErrorBody, 'code' | 'details'>): boolean {
  const status = Number(details?.status ?? 0);
  const isRefused = status >= 400 && status < 500 && !passingRefusals.includes(status);
  return ['upstream_failed', 'timeout', 'rate_limited'].includes(code) && !isRefused;
}

/** The promise of something that the program no longer gets, since the stay ends. */
const never = (): Promise<never> => new Promise(() => {});

interface ProgramCall {
  readonly number: number;
  readonly name: string;
  readonly argumentsJson: string;
}

interface LiveCall extends ProgramCall {
  readonly input: unknown;
  /** Who makes it, in the step of the recipe to which it belongs. */
  readonly principal: Principal;
  readonly argumentsHash: string;
  /** An attempt that is in the ledger and has no answer. */
  readonly step: RunStep | undefined;
}

interface Place {
  readonly position: number;
  readonly at: string;
}

interface Recorded extends Place {
  readonly answer: string;
}

/** How a call goes on. */
type Next = { readonly place: Place; readonly answer: Answer } | { readonly wait: RunWait } | 'lost';

const toJson = (answer: ModelAnswer): JsonValue => answer as unknown as JsonValue;

const noticed = (result: ToolResult) => ({
  executionId: result.executionId,
  ...(result.ok ? {} : { error: result.error }),
});

/** The doubt is settled if a person said that the effect did not happen. */
function continueFrom(step: RunStep | undefined): { replaces?: string; doubtfulSince?: string } {
  if (!step) return {};
  return { replaces: step.executionId, ...(step.cleared ? {} : { doubtfulSince: step.startedAt }) };
}

/** What follows a call that left no answer in the ledger. */
function judge({ rule, error }: ToolFailure, attempt: number) {
  if (error.code === 'outcome_unknown')
    return error.details?.reason === 'in_doubt' || attempt >= maxAttempts ? 'doubt' : 'again';
  if (['run.lost', 'record.failed'].includes(rule) || ['shutting_down', 'cancelled'].includes(error.code))
    return 'lost';
  if (rule === 'approval.used' || isUnusable(rule, error)) return 'unusable';
  if (error.code === 'approval_required') return 'approval';
  return rule === 'limit.rate' ? 'time' : 'answer';
}

/** The approval that was waited for has been used by an equal call, or was given under other policies: a person is asked again. */
const isUnusable = (rule: string, { code }: ErrorBody): boolean =>
  rule === 'approval.invalid' && (code === 'conflict' || code === 'invalid_input');

/** An approval that has expired is not stored for long, so whether somebody decided about it is not known. */
const hasExpired = ({ rule, error }: ToolFailure): boolean =>
  rule === 'approval.invalid' && (error.code === 'expired' || error.code === 'not_found');

function tooLate({ name }: LiveCall): Answer {
  const error = new HelveError('expired', `${name} was not made: its approval has expired`, {
    hint: 'Nobody decided in time, or the run could not go on in time. Make the call again to ask once more.',
  });
  return { ok: false, error: error.toJSON() };
}

const maxPauseMs = 2 ** 31 - 1;

/** Resolves after the time, or when the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, Math.min(Math.max(0, ms), maxPauseMs));
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
