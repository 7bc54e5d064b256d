/** One call through every door of one real server gives the same answer and the same record. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/domain/audit.js';
import { createHelve } from '../../src/helve.js';
import { canonicalJson } from '../../src/util/canonical.js';
import { sha256 } from '../../src/util/hash.js';
import { inspectHttp, inspectStdio } from './support/inspector.js';
import { overHttp, overStdio, textOf } from './support/mcp.js';
import { ask } from './support/requests.js';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

const expression = 'sqrt(16) + pi';
const output = { result: 4 + Math.PI, text: '7.141592653589793' };

let dataDir: string;
let server: Server;
let token: string;

beforeAll(async () => {
  dataDir = await temporaryFolder('doors');
  server = await serve(dataDir);
  token = server.token ?? '';
});
afterAll(async () => {
  await server.stop();
  killChildren();
  await removeTemporaryFolders();
});

interface Answer {
  readonly refused: boolean;
  /** The output, or the code of the error. */
  readonly said: unknown;
}

type Door = (tool: string, input: Record<string, unknown>) => Promise<Answer>;

interface McpAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly error?: { readonly code: string } };
}

function fromMcp(result: unknown): Answer {
  const { isError = false, structuredContent } = result as McpAnswer;
  return { refused: isError, said: isError ? codeIn(textOf(result)) : structuredContent };
}

/** People and models read the code in brackets. */
function codeIn(text: string): string {
  return /\b(invalid_input|not_granted|tool_not_found|denied_by_policy)\b/.exec(text)?.[1] ?? text;
}

const fromResult = (body: { ok: boolean; output?: unknown; error?: { code: string } }): Answer =>
  body.ok ? { refused: false, said: body.output } : { refused: true, said: body.error?.code };

const doors: Record<string, Door> = {
  async 'helve.execute'(tool, input) {
    const helve = await createHelve({ dataDir });
    try {
      return fromResult(await helve.execute({ principal: token, tool, input }));
    } finally {
      await helve.close();
    }
  },
  async REST(tool, input) {
    return fromResult((await ask(server.url, 'POST /api/tools/execute', token, { tool, input })).body);
  },
  async 'MCP over Streamable HTTP'(tool, input) {
    const client = await overHttp(server.mcpUrl, token);
    try {
      return fromMcp(await client.callTool({ name: tool, arguments: input }));
    } finally {
      await client.close();
    }
  },
  async 'MCP over stdio'(tool, input) {
    const client = await overStdio(dataDir, 'first');
    try {
      return fromMcp(await client.callTool({ name: tool, arguments: input }));
    } finally {
      await client.close();
    }
  },
  async 'the Inspector over Streamable HTTP'(tool, input) {
    return fromMcp(await inspectHttp(server.mcpUrl, token, tool, input));
  },
  async 'the Inspector over stdio'(tool, input) {
    return fromMcp(await inspectStdio(dataDir, 'first', tool, input));
  },
  async 'helve call'(tool, input) {
    const { code, stdout } = await run(['call', tool, JSON.stringify(input), '--data', dataDir, '--json']);
    const answer = fromResult(JSON.parse(stdout));
    expect(code === 0).toBe(!answer.refused);
    return answer;
  },
};

async function newest(): Promise<number> {
  const { body } = await ask(server.url, 'GET /api/audit?limit=1', await adminKey());
  return body.events[0].seq;
}

let key: string | undefined;
async function adminKey(): Promise<string> {
  key ??= JSON.parse(await readFile(join(dataDir, 'cli.json'), 'utf8')).key as string;
  return key;
}

async function rowsAfter(seq: number): Promise<AuditEvent[]> {
  const { body } = await ask(server.url, 'GET /api/audit?limit=50', await adminKey());
  return (body.events as AuditEvent[]).filter((row) => row.seq > seq && row.type.startsWith('execution.')).reverse();
}

/** The parts that must not depend on the door: everything except time, call id, credential and the name of the door. */
function comparable({ type, tool, body }: AuditEvent) {
  const { durationMs: _, stages: _stages, rule, door: _door, ...rest } = body;
  return { type, tool, body: rest, ruled: typeof rule };
}

describe.each(Object.keys(doors))('%s', (name) => {
  const call = (tool: string, input: Record<string, unknown>) => (doors[name] as Door)(tool, input);
  const isCli = name === 'helve call';

  test('R-pipeline: gives the same answer as every door, and leaves the same record', async () => {
    const before = await newest();
    expect(await call('calculate', { expression })).toEqual({ refused: false, said: output });
    const rows = await rowsAfter(before);
    const inputHash = sha256(canonicalJson({ expression }));
    expect(rows.map(comparable)).toEqual([
      {
        type: 'execution.started',
        tool: 'Math.calculate',
        body: { input: { expression }, inputHash, risk: 'read' },
        ruled: 'string',
      },
      {
        type: 'execution.finished',
        tool: 'Math.calculate',
        body: { status: 'ok', runs: 1, output, characters: expect.any(Number) },
        ruled: 'undefined',
      },
    ]);
    expect(new Set(rows.map(({ executionId }) => executionId)).size).toBe(1);
    // The command line is its own principal; at every other door here it is the first agent.
    const actor = isCli ? { kind: 'api_key', name: 'command line' } : { kind: 'agent', name: 'first' };
    for (const row of rows) expect(row.actor).toMatchObject(actor);
    expect(rows[0]?.body.rule).toMatch(isCli ? /^principal\.api_key$/ : /^grant:/);
  });

  test('R-pipeline: refuses what every door refuses, and records the refusal', async () => {
    const before = await newest();
    const input = { expresion: '1' };
    expect(await call('calculate', input)).toEqual({ refused: true, said: 'invalid_input' });
    const rows = await rowsAfter(before);
    expect(rows.map(({ type, tool, body }) => [type, tool, body.rule, body.input])).toEqual([
      ['execution.refused', 'Math.calculate', 'input.schema', input],
    ]);
    expect(rows[0]?.body.error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('expresion') });
  });
});

test('R-pipeline: one call has one hash of its arguments, whichever door it came through', async () => {
  const { body } = await ask(server.url, 'GET /api/audit?types=execution.started&limit=50', await adminKey());
  const hashes = new Set((body.events as AuditEvent[]).map((row) => row.body.inputHash));
  expect(body.events).toHaveLength(Object.keys(doors).length);
  expect([...hashes]).toHaveLength(1);
});

test('R-audit: the chain that all doors and several processes wrote is whole', async () => {
  const report = await ask(server.url, 'GET /api/audit/verify', await adminKey());
  expect(report.body).toMatchObject({ ok: true, rows: report.body.head.seq });
});
