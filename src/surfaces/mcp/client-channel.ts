/** What a running tool can reach of the client at the other end: as much as that client declared. */
import type { ElicitRequestFormParams, Server, ServerContext } from '@modelcontextprotocol/server';
import type { ClientChannel, ProgressUpdate } from '../../spec/context.js';
import { patienceMs } from './request-state.js';

export interface Channel {
  readonly client: ClientChannel;
  readonly onProgress?: (update: ProgressUpdate) => void;
  /** After the answer nothing more is sent, whatever the tool still does. */
  close(): void;
}

export function openChannel(server: Server, context: ServerContext, tool: string): Channel {
  const { mcpReq, http } = context;
  let open = true;
  const live = () => open && !mcpReq.signal.aborted;
  const token = mcpReq._meta?.progressToken;
  const closeStream = http?.closeSSE;
  return {
    client: {
      // A log line is never a reason for a call to fail.
      log: async (level, data) => {
        if (live()) await mcpReq.log(level, data, tool).catch(() => undefined);
      },
      ...askingBack(server, context),
      ...(closeStream === undefined ? {} : { disconnect: () => live() && closeStream() }),
    },
    ...(token === undefined ? {} : { onProgress: progressSender(context, token, live) }),
    close() {
      open = false;
    },
  };
}

/** Requests to the client exist up to 2025-11-25 and need a connection that can carry the answer back. */
function askingBack(server: Server, { mcpReq }: ServerContext): Pick<ClientChannel, 'elicit' | 'sample'> {
  if (mcpReq.envelope !== undefined) return {};
  const capabilities = server.getClientCapabilities();
  const options = { relatedRequestId: mcpReq.id, signal: mcpReq.signal, timeout: patienceMs };
  return {
    ...(capabilities?.elicitation?.form === undefined
      ? {}
      : {
          elicit: async (message, schema) => {
            const requestedSchema = schema as ElicitRequestFormParams['requestedSchema'];
            const { action, content } = await mcpReq.elicitInput({ mode: 'form', message, requestedSchema }, options);
            return { action, ...(content === undefined ? {} : { content }) };
          },
        }),
    ...(capabilities?.sampling === undefined
      ? {}
      : {
          sample: async (prompt, maxTokens) => {
            const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
            const { content } = await mcpReq.requestSampling({ messages, maxTokens }, options);
            const blocks = Array.isArray(content) ? content : [content];
            return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
          },
        }),
  };
}

function progressSender({ mcpReq }: ServerContext, progressToken: string | number, live: () => boolean) {
  let last = Number.NEGATIVE_INFINITY;
  return (update: ProgressUpdate) => {
    // The protocol wants it to rise with every notification.
    if (!live() || !(update.progress > last)) return;
    last = update.progress;
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...update } }).catch(() => undefined);
  };
}
