/** Runs the tool: calls the provider under the caller's signal, the tool's time limit and the stop of Helve. */

import type { BoundConnection } from '../../../domain/connection.js';
import type { CallerFacts, ClientChannel } from '../../../domain/context.js';
import { type ErrorBody, HelveError, toHelveError } from '../../../domain/errors.js';
import type { CallRequest } from '../../../domain/execution.js';
import type { JsonValue } from '../../../domain/json.js';
import type { Principal } from '../../../domain/principal.js';
import type { ProviderAnswer, ProviderCall } from '../../../domain/provider.js';
import type { TraceContext } from '../../../domain/trace-context.js';
import { schemaIssues } from '../../../schema/index.js';
import { defined } from '../../../util/defined.js';
import { nameEffect } from '../../../util/effect-key.js';
import { outputText } from '../../../util/json-text.js';
import type { Outcome } from '../calls.js';
import type { CallConnection, NamedTool, PipelineParts } from '../parts.js';
import { type AuthorisedCall, type AuthorisedFacts, factsOf } from './authorise.js';
import { recover } from './recover.js';

/** Never throws: every failure is an outcome, so that it is recorded. */
export async function execute(call: AuthorisedCall, parts: PipelineParts): Promise<Outcome> {
  const facts = factsOf(call);
  const { executionId, target, request, configuration } = facts;
  const trace = ownTrace(request, parts);
  const stop = createStop(request, parts.onStop, target.tool.timeoutMs);
  let account: CallConnection | undefined;
  let begun = false;
  try {
    const early = stop.reason();
    if (early) throw early;
    const { connectionId } = target;
    if (connectionId !== undefined) {
      const effectKey = getEffectKey(request, executionId);
      account = parts.bindConnection({ connectionId, configuration, effectKey, signal: stop.signal, trace });
    }
    begun = true;
    const providerCall = new GivenCall({ facts, account, trace, stop, parts });
    const since = request.run?.doubtfulSince ?? request.effect?.doubtfulSince;
    const work = since
      ? recover(target.provider, providerCall, { since, now: parts.now() })
      : target.provider.execute(providerCall);
    // A tool that ignores its signal does not delay the caller.
    const given = await Promise.race([work, stop.stopped]);
    const answer = account ? cleanAnswer(given, account) : given;
    const { output, text = outputText(output) } = answer;
    checkOutput(target, output);
    return { ok: true, output, text, ...defined({ content: answer.content }), ...sent(account) };
  } catch (thrown) {
    const mayHaveActed = begun && target.tool.hasEffects;
    const error = toFailure(thrown, { stopped: stop.reason(), mayHaveActed, hasActed: account?.hasActed() ?? false });
    return { ok: false, error: account ? account.clean(error) : error, ...sent(account) };
  } finally {
    stop.release();
  }
}

interface Given {
  readonly facts: AuthorisedFacts;
  readonly account: CallConnection | undefined;
  readonly trace: TraceContext | undefined;
  readonly stop: Stop;
  readonly parts: PipelineParts;
}

/**
 * A class with getters, because most tools use few of these parts, and V8 creates an object literal with getters
 * several times more slowly.
 */
class GivenCall implements ProviderCall {
  readonly tool: ProviderCall['tool'];
  readonly input: ProviderCall['input'];
  readonly config: ProviderCall['config'];
  readonly executionId: string;
  readonly caller: CallerFacts;
  readonly connection?: BoundConnection;
  readonly client?: ClientChannel;
  readonly trace: TraceContext | undefined;
  readonly progress: ProviderCall['progress'];
  readonly #given: Given;

  constructor(given: Given) {
    const { facts, account, trace, stop } = given;
    const { request } = facts;
    this.tool = facts.target.tool;
    this.input = facts.input;
    this.config = facts.config;
    this.executionId = facts.executionId;
    this.caller = getCaller(request.principal);
    if (account !== undefined) this.connection = account.connection;
    if (request.client !== undefined) this.client = withoutHaste(request.client, stop);
    this.trace = trace;
    this.progress = (update) => request.onProgress?.(account ? account.clean(update) : update);
    this.#given = given;
  }

  get effectKey() {
    return getEffectKey(this.#given.facts.request, this.executionId);
  }
  get signal() {
    return this.#given.stop.signal();
  }
  get finder() {
    return this.#given.parts.finderFor(this.#given.facts.request.principal);
  }
  get codeMode() {
    return this.#given.parts.codeModeFor(this.#given.facts.request);
  }
  get platform() {
    return this.#given.parts.platformFor(this.#given.facts.request.principal);
  }
}

const getEffectKey = ({ effect, run }: CallRequest, executionId: string): string =>
  effect?.key ?? nameEffect(executionId, run);

/** If Helve records no traces, `trace` is the caller's own header, which is not passed on. */
const ownTrace = ({ trace }: CallRequest, parts: PipelineParts): TraceContext | undefined =>
  parts.trace === undefined ? undefined : trace;

/** Without its text, which is made again of what is left. */
function cleanAnswer({ output, content }: ProviderAnswer, account: CallConnection): ProviderAnswer {
  return account.clean({ output, ...defined({ content }) });
}

/** Throws `invalid_output`. */
function checkOutput({ name, tool }: NamedTool, output: JsonValue): void {
  const [issue] = tool.outputSchema ? schemaIssues(tool.outputSchema, output) : [];
  if (issue === undefined) return;
  const hint = tool.hasEffects ? 'The tool ran and may have had its effect. Check before you call again.' : undefined;
  const said = `${name} answered outside its schema: ${issue.path} ${issue.message}`;
  throw new HelveError('invalid_output', said, { hint });
}

interface Failing {
  readonly stopped: HelveError | undefined;
  /** The tool has effects, and has begun. */
  readonly mayHaveActed: boolean;
  /** The service has carried out a request. */
  readonly hasActed: boolean;
}

/**
 * A call with effects that was stopped while it ran may have had its effect. Only the service knows, so the caller is
 * told to check. A tool that fails by itself reports what it has done, but no error that invites another call follows
 * a part that the service has carried out.
 */
function toFailure(thrown: unknown, { stopped, mayHaveActed, hasActed }: Failing): ErrorBody {
  if (stopped === undefined || !mayHaveActed) {
    const error = stopped ?? toHelveError(thrown, 'tool_failed');
    return (mayHaveActed && hasActed && error.retryable ? toPartlyDone(error) : error).toJSON();
  }
  return new HelveError('outcome_unknown', `${stopped.message}, and the tool may have done what was asked`, {
    hint: 'Check whether the effect happened before you call again.',
    details: { reason: stopped.code },
    cause: stopped,
  }).toJSON();
}

function toPartlyDone(cause: HelveError): HelveError {
  return new HelveError('outcome_unknown', `${cause.message}. Before that, a part of the call had its effect`, {
    hint: 'Check what has happened before you call again.',
    details: { ...cause.details, reason: cause.code },
    cause,
  });
}

/** Pauses the tool's time limit while the client is asked: a person takes longer than a tool may. */
function withoutHaste(client: ClientChannel, stop: Stop): ClientChannel {
  const { elicit, sample, roots } = client;
  return {
    ...client,
    ...(elicit && { elicit: (message, schema, key) => stop.pauseFor(() => elicit(message, schema, key)) }),
    ...(sample && { sample: (prompt, maxTokens, key) => stop.pauseFor(() => sample(prompt, maxTokens, key)) }),
    ...(roots && { roots: (key) => stop.pauseFor(() => roots(key)) }),
  };
}

function sent(account: CallConnection | undefined): Pick<Outcome, 'requests'> {
  const requests = account?.requests() ?? 0;
  return requests === 0 ? {} : { requests };
}

interface Stop {
  /** Rejects if the call must end before the tool does. */
  readonly stopped: Promise<never>;
  reason(): HelveError | undefined;
  /** Runs `ask` with the time limit paused. */
  pauseFor<T>(ask: () => Promise<T>): Promise<T>;
  /** Created only for tools that use it: most finish before they could be stopped. */
  signal(): AbortSignal;
  release(): void;
}

function createStop(
  { signal: caller, onStopRequest }: Pick<CallRequest, 'signal' | 'onStopRequest'>,
  onStop: PipelineParts['onStop'],
  timeoutMs: number,
): Stop {
  let reason: HelveError | undefined;
  let controller: AbortController | undefined;
  let reject: (reason: HelveError) => void = () => undefined;
  const stopped = new Promise<never>((_, no) => {
    reject = no;
  });
  stopped.catch(() => undefined);

  function stop(error: HelveError): void {
    if (reason) return;
    reason = error;
    controller?.abort(error);
    reject(error);
  }

  const cancelled = (): void => stop(new HelveError('cancelled', 'The caller cancelled the call'));
  const clock = createClock(timeoutMs, () =>
    stop(
      new HelveError('timeout', `The tool did not answer within ${timeoutMs} ms`, {
        hint: 'Ask for less, or try later.',
      }),
    ),
  );
  const forget = onStop(() => stop(new HelveError('shutting_down', 'Helve stopped while the call ran')));
  const forgetRequests = onStopRequest?.(() => stop(new HelveError('cancelled', 'Somebody stopped the call')));
  caller?.addEventListener('abort', cancelled, { once: true });
  if (caller?.aborted) cancelled();
  return {
    stopped,
    reason: () => reason,
    async pauseFor(ask) {
      clock.pause();
      try {
        return await ask();
      } finally {
        clock.resume();
      }
    },
    signal() {
      controller ??= new AbortController();
      if (reason) controller.abort(reason);
      return controller.signal;
    },
    release() {
      clock.pause();
      forget();
      forgetRequests?.();
      caller?.removeEventListener('abort', cancelled);
    },
  };
}

/** Counts running time only. Pauses nest: the clock continues when every started pause has ended. */
function createClock(limitMs: number, onOver: () => void) {
  let left = limitMs;
  let pauses = 0;
  let startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined = setTimeout(onOver, limitMs);
  return {
    pause(): void {
      pauses += 1;
      if (pauses > 1) return;
      clearTimeout(timer);
      timer = undefined;
      left = Math.max(0, left - (performance.now() - startedAt));
    },
    resume(): void {
      pauses -= 1;
      if (pauses > 0) return;
      startedAt = performance.now();
      timer = setTimeout(onOver, left);
    },
  };
}

function getCaller({ kind, id, name, workspaceId, onBehalfOf, task }: Principal): CallerFacts {
  return { kind, id, name, workspaceId, ...defined({ onBehalfOf, issueId: task?.issueId }) };
}
