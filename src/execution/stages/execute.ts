/** The effect itself: the provider is called under the caller's signal, the tool's time limit and Helve's own life. */

import { schemaIssues } from '../../schema/checks.js';
import type { CallerFacts } from '../../spec/context.js';
import { HelveError, toHelveError } from '../../spec/errors.js';
import type { Principal } from '../../spec/principal.js';
import type { Outcome } from '../calls.js';
import type { CallConnection, PipelineParts } from '../parts.js';
import { type AuthorisedCall, factsOf } from './authorise.js';

/** Never throws: whatever goes wrong is an outcome, so that it is recorded. */
export async function execute(call: AuthorisedCall, parts: PipelineParts): Promise<Outcome> {
  const { executionId, target, input, config, request, configuration } = factsOf(call);
  const { principal } = request;
  const stop = createStop(request.signal, parts.onStop, target.tool.timeoutMs);
  let account: CallConnection | undefined;
  try {
    const { connectionId } = target;
    if (connectionId !== undefined)
      account = parts.bindConnection({ connectionId, configuration, executionId, signal: stop.signal });
    const work = target.provider.execute({
      tool: target.tool,
      input,
      config,
      executionId,
      caller: callerOf(principal),
      get signal() {
        return stop.signal();
      },
      get finder() {
        return parts.finderFor(principal);
      },
      ...(account === undefined ? {} : { connection: account.connection }),
      progress: (update) => request.onProgress?.(account ? account.clean(update) : update),
      ...(request.client === undefined ? {} : { client: request.client }),
    });
    // A tool that ignores its signal does not hold the caller.
    const given = await Promise.race([work, stop.stopped]);
    const answer = account ? account.clean(given) : given;
    const [issue] = target.tool.outputSchema ? schemaIssues(target.tool.outputSchema, answer.output) : [];
    if (issue) {
      const problem = `${target.name} answered outside its schema: ${issue.path} ${issue.message}`;
      throw new HelveError('invalid_output', problem);
    }
    return {
      ok: true,
      output: answer.output,
      ...(answer.content === undefined ? {} : { content: answer.content }),
      ...sent(account),
    };
  } catch (thrown) {
    const error = (stop.reason() ?? toHelveError(thrown, 'tool_failed')).toJSON();
    return { ok: false, error: account ? account.clean(error) : error, ...sent(account) };
  } finally {
    stop.release();
  }
}

function sent(account: CallConnection | undefined): Pick<Outcome, 'requests'> {
  const requests = account?.requests() ?? 0;
  return requests === 0 ? {} : { requests };
}

interface Stop {
  /** Rejects when the call is to end before the tool has. */
  readonly stopped: Promise<never>;
  reason(): HelveError | undefined;
  /** Made only for tools that look at it: most are done before anybody could stop them. */
  signal(): AbortSignal;
  release(): void;
}

function createStop(caller: AbortSignal | undefined, onStop: PipelineParts['onStop'], timeoutMs: number): Stop {
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
  const tooLong = `The tool did not answer within ${timeoutMs} ms`;
  const timer = setTimeout(
    () => stop(new HelveError('timeout', tooLong, { hint: 'Ask for less, or try later.' })),
    timeoutMs,
  );
  const forget = onStop(() => stop(new HelveError('shutting_down', 'Helve stopped while the call ran')));
  caller?.addEventListener('abort', cancelled, { once: true });
  if (caller?.aborted) cancelled();
  return {
    stopped,
    reason: () => reason,
    signal() {
      controller ??= new AbortController();
      if (reason && !controller.signal.aborted) controller.abort(reason);
      return controller.signal;
    },
    release() {
      clearTimeout(timer);
      forget();
      caller?.removeEventListener('abort', cancelled);
    },
  };
}

function callerOf({ kind, id, name, workspaceId, onBehalfOf }: Principal): CallerFacts {
  return { kind, id, name, workspaceId, ...(onBehalfOf === undefined ? {} : { onBehalfOf }) };
}
