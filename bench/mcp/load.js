// Closed-loop load over Streamable HTTP: each lane sends its next call when it has the answer to the previous one.
import { Pool } from 'undici';

const initialise = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

/** What a client calls: `input` is given the number of the call, and the answer must contain `sign`. */
const calculation = {
  name: 'calculate',
  input: (id) => ({ expression: `${id} + pi` }),
  sign: /3\.14|structuredContent/,
};

/** One client of one server, in one of the two revisions of the protocol. */
export async function connect({ url, token }, revision, { name, input, sign } = calculation) {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 64, pipelining: 1 });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const post = async (message, more = {}) => {
    const body = JSON.stringify(message);
    const response = await pool.request({ path: pathname, method: 'POST', headers: { ...headers, ...more }, body });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  };
  let extra = {};
  let meta;
  if (revision === '2025-11-25') {
    const opened = await post(initialise);
    const session = opened.headers['mcp-session-id'];
    if (session) extra = { 'mcp-session-id': session };
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, extra);
  } else {
    extra = { 'mcp-method': 'tools/call', 'mcp-name': name };
    meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    };
  }
  let id = 0;
  return {
    async call() {
      id += 1;
      const params = { name, arguments: input(id), ...(meta ? { _meta: meta } : {}) };
      const { status, text } = await post({ jsonrpc: '2.0', id, method: 'tools/call', params }, extra);
      if (status !== 200 || !sign.test(text)) throw new Error(`${url}: ${status} ${text.slice(0, 300)}`);
    },
    close: () => pool.close(),
  };
}

/** Latencies in milliseconds and calls per second of `lanes` closed loops during `ms` milliseconds. */
export async function load(client, lanes, ms) {
  const latencies = [];
  const began = performance.now();
  const lane = async () => {
    while (performance.now() - began < ms) {
      const start = performance.now();
      await client.call();
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const seconds = (performance.now() - began) / 1_000;
  return { latencies, throughput: latencies.length / seconds };
}
