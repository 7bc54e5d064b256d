/** The effect itself: the provider is called under the caller's signal, the tool's time limit and Helve's own life. */
import { HelveError, toHelveError } from '../../spec/errors.js';
import { schemaIssues } from '../../util/json-schema.js';
import type { Outcome } from '../calls.js';
import type { PipelineParts } from '../parts.js';
import { type AuthorisedCall, factsOf } from './authorise.js';

/** Never throws: whatever goes wrong is an outcome, so that it is recorded. */
export async function execute(call: AuthorisedCall, parts: PipelineParts): Promise<Outcome> {
  const { executionId, target, input, config, request } = factsOf(call);
  const { principal } = request;
  const stop = new AbortController();
  const release = stopWhen(stop, request.signal, parts.stopping, target.tool.timeoutMs);
  try {
    const answer = await untilStopped(
      target.provider.execute({
        tool: target.tool,
        input,
        config,
        executionId,
        caller: { kind: principal.kind, id: principal.id, name: principal.name, workspaceId: principal.workspaceId },
        signal: stop.signal,
        progress: request.onProgress ?? (() => undefined),
        ...(request.client === undefined ? {} : { client: request.client }),
      }),
      stop.signal,
    );
    const [issue] = target.tool.outputSchema ? schemaIssues(target.tool.outputSchema, answer.output) : [];
    if (issue) {
      throw new HelveError(
        'invalid_output',
        `${target.name} answered outside its schema: ${issue.path} ${issue.message}`,
      );
    }
    return { ok: true, output: answer.output, ...(answer.content === undefined ? {} : { content: answer.content }) };
  } catch (thrown) {
    const error = stop.signal.aborted
      ? toHelveError(stop.signal.reason, 'cancelled')
      : toHelveError(thrown, 'tool_failed');
    return { ok: false, error: error.toJSON() };
  } finally {
    release();
  }
}

/** Aborts `stop` with the reason a caller should see; returns the way to let go of all that was listened to. */
function stopWhen(
  stop: AbortController,
  caller: AbortSignal | undefined,
  stopping: AbortSignal,
  timeoutMs: number,
): () => void {
  const cancelled = (): void => stop.abort(new HelveError('cancelled', 'The caller cancelled the call'));
  const ending = (): void => stop.abort(new HelveError('shutting_down', 'Helve stopped while the call ran'));
  const timer = setTimeout(() => {
    stop.abort(
      new HelveError('timeout', `The tool did not answer within ${timeoutMs} ms`, {
        hint: 'Ask for less, or try later.',
      }),
    );
  }, timeoutMs);
  caller?.addEventListener('abort', cancelled, { once: true });
  stopping.addEventListener('abort', ending, { once: true });
  if (caller?.aborted) cancelled();
  if (stopping.aborted) ending();
  return () => {
    clearTimeout(timer);
    caller?.removeEventListener('abort', cancelled);
    stopping.removeEventListener('abort', ending);
  };
}

/** A tool that ignores its signal does not hold the caller. */
function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopped = (): void => reject(signal.reason);
    if (signal.aborted) stopped();
    signal.addEventListener('abort', stopped, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stopped));
  });
}
