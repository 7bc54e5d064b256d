/** Replies that the door sends itself, before there is a protocol server. */

export function refuse(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return reply(status, null, { code, message }, headers);
}

function reply(status: number, id: unknown, error: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, error }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

function idOf(id: unknown): string | number | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

export const refusals = {
  notJson: () => refuse(415, -32_000, 'Content-Type must be application/json'),
  tooLarge: () => refuse(413, -32_000, 'The request body is too large'),
  tooWide: (problem: string) => refuse(400, -32_600, problem),
  unreadable: () => refuse(400, -32_700, 'The request body is not valid JSON'),
  notAcceptable: () => refuse(406, -32_000, 'Accept must allow application/json and text/event-stream'),
  unknownVersion: (version: string) => refuse(400, -32_000, `Unsupported protocol version: ${version.slice(0, 40)}`),
  batch: () =>
    refuse(400, -32_600, 'JSON-RPC batches exist only in protocol version 2025-03-26: send one message per request'),
  headerMismatch: (problem: string, id: unknown) =>
    reply(400, idOf(id), { code: -32_020, message: `Header mismatch: ${problem}` }),
  malformedInitialize: (id: unknown) =>
    reply(400, idOf(id), {
      code: -32_602,
      message:
        'The params of initialize are a protocolVersion (a text), capabilities (an object) and clientInfo (an object with the texts name and version)',
    }),
  noSession: () => refuse(404, -32_001, 'The session does not exist; initialize again'),
  notAllowed: () => refuse(405, -32_000, 'Method not allowed', { allow: 'POST' }),
  closed: () => refuse(503, -32_000, 'Helve is stopping'),
  failed: () => refuse(500, -32_603, 'Internal error'),
};

/** The one version of the protocol with JSON-RPC batches, and the assumed version of a request that names none. */
export const batchVersion = '2025-03-26';
