/** What a running tool can ask of the client, depending on the client's declared capabilities. */
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { ClientChannel, ProgressUpdate } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import type { Talk } from './conversation.js';
import {
  canElicit,
  canListRoots,
  canSample,
  elicitQuestion,
  type Question,
  rootsQuestion,
  sampleQuestion,
} from './questions.js';
import { patienceMs } from './request-state.js';

export interface Channel {
  readonly client: ClientChannel;
  readonly onProgress: (update: ProgressUpdate) => void;
}

/** `tool`: the name in log lines. */
export function openChannel(talk: Talk, tool: string): Channel {
  const capabilities = talk.capabilities();
  const closeStream = talk.currentRequest()?.http?.closeSSE;
  return {
    client: {
      // A log line must never make a call fail.
      log: async (level, data) => {
        await talk
          .currentRequest()
          ?.mcpReq.log(level, data, tool)
          .catch(() => undefined);
      },
      ...(canElicit(capabilities) && {
        elicit: (message, schema, key) => talk.ask(elicitQuestion(message, schema, key)),
      }),
      ...(canSample(capabilities) && { sample: (prompt, max, key) => talk.ask(sampleQuestion(prompt, max, key)) }),
      ...(canListRoots(capabilities) && { roots: (key) => talk.ask(rootsQuestion(key)) }),
      ...(closeStream && { disconnect: () => talk.currentRequest() && closeStream() }),
    },
    onProgress: createProgressSender(talk),
  };
}

/**
 * Runs work for a client of a revision up to 2025-11-25, which receives requests on the stream of the call itself. After
 * the work has ended nothing more is sent, whatever the tool still does.
 */
export async function talkByRequests<Result>(
  server: Server,
  context: ServerContext,
  work: (talk: Talk) => Promise<Result>,
): Promise<Result> {
  const { mcpReq } = context;
  const options = { relatedRequestId: mcpReq.id, signal: mcpReq.signal, timeout: patienceMs };
  let open = true;
  let asking: Promise<unknown> = Promise.resolve();

  async function askNow<Answer>({ request, readAnswer }: Question<Answer>): Promise<Answer> {
    const response = await mcpReq.send({ method: request.method, params: { ...request.params } }, options);
    const answer = readAnswer(response);
    if (answer !== undefined) return answer;
    throw new HelveError('tool_failed', `The answer of the client does not fit the question (${request.method})`);
  }

  try {
    return await work({
      signal: mcpReq.signal,
      currentRequest: () => (open && !mcpReq.signal.aborted ? context : undefined),
      capabilities: () => server.getClientCapabilities(),
      ask(question) {
        // One after the other, so that a person is not asked two questions at the same time.
        const answer = asking.then(() => askNow(question));
        asking = answer.catch(() => undefined);
        return answer;
      },
    });
  } finally {
    open = false;
  }
}

function createProgressSender(talk: Talk): (update: ProgressUpdate) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (update) => {
    const mcpReq = talk.currentRequest()?.mcpReq;
    const progressToken = mcpReq?._meta?.progressToken;
    // The protocol requires it to increase with every notification.
    if (mcpReq === undefined || progressToken === undefined || !(update.progress > last)) return;
    last = update.progress;
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...update } }).catch(() => undefined);
  };
}
