// The control: the official SDK serving the same tools, with no plane and no record.
// `node bare-server.js v1` is @modelcontextprotocol/sdk 1.x with sessions on node:http, as in its README;
// `v2` is @modelcontextprotocol/server 2.x, stateless, both revisions. With a file as the second argument,
// each call also makes one durable insert there, which costs more in a server, where every call starts
// with cold caches, than in a tight loop.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { calculate, calculateToString } from 'helve/calculate';
import Database from 'libsql';
import { z } from 'zod';
import { answers } from './echo.js';

const description = 'Evaluate a mathematical expression in Python syntax.';
const inputSchema = { expression: z.string().min(1).max(4_000) };
const outputSchema = { result: z.union([z.number(), z.boolean(), z.null()]), text: z.string() };

const insert = process.argv[3] ? openInsert(process.argv[3]) : () => {};

function openInsert(file) {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('create table rows (id integer primary key, body text)');
  const statement = database.prepare('insert into rows (body) values (?)');
  return () => statement.run(['x'.repeat(400)]);
}

function answer({ expression }) {
  insert();
  const output = { result: calculate(expression), text: calculateToString(expression) };
  return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
}

const message = { message: z.string() };
const rows = {
  rows: z.array(z.object({ number: z.int(), title: z.string(), open: z.boolean(), labels: z.array(z.string()) })),
};

/** The tools of echo.js, for bench/mcp/answers.js. */
function addEchoes(server) {
  const say = { description: 'Says it again, at length.', inputSchema: message };
  server.registerTool('echo_text', say, (input) => ({ content: [{ type: 'text', text: answers.text(input) }] }));
  server.registerTool('echo_rows', { ...say, outputSchema: rows }, (input) => {
    const output = answers.rows(input);
    return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
  });
}

async function serveV1() {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const sessions = new Map();
  return createServer(async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id']);
    if (known) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    const server = new McpServer({ name: 'bare', version: '1' });
    server.registerTool('calculate', { description, inputSchema, outputSchema }, answer);
    addEchoes(server);
    await server.connect(transport);
    return transport.handleRequest(request, response);
  });
}

async function serveV2() {
  const { McpServer, createMcpHandler } = await import('@modelcontextprotocol/server');
  const { createAdaptorServer } = await import('@hono/node-server');
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'bare', version: '1' });
    const shapes = { inputSchema: z.object(inputSchema), outputSchema: z.object(outputSchema) };
    server.registerTool('calculate', { description, ...shapes }, answer);
    return server;
  });
  return createAdaptorServer({ fetch: (request) => handler.fetch(request) });
}

const server = await (process.argv[2] === 'v1' ? serveV1() : serveV2());
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/mcp` })),
);
