/** `Mcp-Param-*` headers of 2026-07-28 at the real door: if they differ from the body, the request is refused and nothing runs. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, expect, it } from 'vitest';
import { defineTool } from '../../src/domain/tool.js';
import { atEnd, bearer, endAll, openRealDoor, rpc, send, story, textOf } from './real-door.js';

afterEach(endAll);

const inputSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    where: {
      type: 'object',
      properties: {
        tenant: { type: 'string', 'x-mcp-header': 'Tenant' },
        length: { type: 'integer', 'x-mcp-header': 'Length' },
        toString: { type: 'string', 'x-mcp-header': 'Odd' },
      },
    },
    free: { type: 'string' },
  },
};
const route = defineTool({
  name: 'route',
  title: 'Route',
  description: 'Answers with its input',
  inputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  capabilities: [],
  execute: async (input) => input,
});

async function post(input: object, headers: Record<string, string>, tool = route) {
  const real = await openRealDoor({ tools: [tool] });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const standard = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'route' };
  const response = await send(real.alice, rpc('tools/call', { name: 'route', arguments: input, _meta }, 'r1'), {
    headers: { ...standard, ...headers },
  });
  const text = await response.text();
  return { status: response.status, text, story: await story(real) };
}

const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

it.each<[string, object, Record<string, string>]>([
  ['the values as they are', { region: 'eu', count: 42, dry: true }, { region: 'eu', count: '42', dry: 'true' }],
  ['a number in another spelling', { count: 42 }, { count: '42.0' }],
  ['a text in Base64', { region: 'Grüße, 世界' }, { region: base64('Grüße, 世界') }],
  ['a text that looks like Base64', { region: '=?base64?eA==?=' }, { region: base64('=?base64?eA==?=') }],
  ['half of the mark, which is a text', { region: '=?base64?eA==' }, { region: '=?base64?eA==' }],
  ['a value deeper down', { where: { tenant: 't1' } }, { tenant: 't1' }],
  ['null, and no header', { region: null as unknown as string }, {}],
  ['no value, and no header', { free: 'x' }, {}],
  ['a value of another type, which the schema refuses', { region: { a: 1 } }, {}],
  ['a text where the marked value would be deeper down', { where: 'text' }, {}],
  ['a header that no parameter is marked with', { free: 'x' }, { other: 'y' }],
])('R-mcp-server: Mcp-Param headers that agree are let through: %s', async (_, input, params) => {
  const headers = Object.fromEntries(Object.entries(params).map(([name, value]) => [`mcp-param-${name}`, value]));
  const { text } = await post(input, headers);
  expect(text).not.toContain('Header mismatch');
  expect(text).toContain('executionId');
});

it.each<[string, object, Record<string, string>, string]>([
  ['another value', { region: 'eu' }, { region: 'us' }, 'differs from the value in the body (region'],
  ['another case', { region: 'eu' }, { region: 'EU' }, 'differs from the value in the body'],
  ['no header for a value', { region: 'eu' }, {}, 'is missing'],
  ['a header for no value', { free: 'x' }, { region: 'eu' }, 'has no such value'],
  ['a header for null', { region: null }, { region: 'null' }, 'has no such value'],
  ['a header for what every object inherits', { where: {} }, { odd: 'x' }, 'has no such value'],
  ['another number', { count: 42 }, { count: '43' }, 'differs from the value in the body'],
  ['a number in an invalid spelling', { count: 42 }, { count: '0x2a' }, 'differs from the value in the body'],
  ['another truth', { dry: true }, { dry: 'false' }, 'differs from the value in the body'],
  ['another value deeper down', { where: { tenant: 't1' } }, { tenant: 't2' }, '(where.tenant'],
  ['Base64 without its padding', { region: 'Hello' }, { region: '=?base64?SGVsbG8?=' }, 'is not correctly encoded'],
  [
    'Base64 with other characters',
    { region: 'Hello' },
    { region: '=?base64?SGVs!!!bG8=?=' },
    'is not correctly encoded',
  ],
  [
    'Base64 of bytes that are not text',
    { region: '\ufffd' },
    { region: '=?base64?/w==?=' },
    'is not correctly encoded',
  ],
  ['characters that no header has', { region: 'é' }, { region: 'é' }, 'is not correctly encoded'],
])('R-mcp-server: Mcp-Param headers that disagree are refused: %s', async (_, input, params, words) => {
  const headers = Object.fromEntries(Object.entries(params).map(([name, value]) => [`Mcp-Param-${name}`, value]));
  const { status, text, story } = await post(input, headers);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({
    id: 'r1',
    error: { code: -32020, message: expect.stringContaining(words) },
  });
  expect(story).toEqual([]);
});

it.each([
  'not a name',
  '',
  'line\nbreak',
  'Größe',
])('R-mcp-server: a mark that is not a header name (%j) does not block the calls of its tool', async (name) => {
  const properties = { region: { type: 'string', 'x-mcp-header': name } };
  const { status, text } = await post({ region: 'eu' }, {}, { ...route, inputSchema: { type: 'object', properties } });
  expect(status).toBe(200);
  expect(text).toContain('executionId');
});

it('R-mcp-server: the client of SDK 2 sends the headers by itself, and is accepted', async () => {
  const real = await openRealDoor({ tools: [route] });
  const client = new Client(
    { name: 'test', version: '0' },
    { capabilities: {}, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(real.alice.address), { requestInit: { headers: bearer(real.alice) } }),
  );
  atEnd(() => client.close());
  await client.listTools();
  const input = { region: ' Zürich\n', count: -7, dry: false, where: { tenant: '=?base64?x?=' } };
  const result = await client.callTool({ name: 'route', arguments: input });
  expect(JSON.parse(textOf(result))).toEqual(input);
});
