/**
 * The official conformance suite's client scenarios of both revisions, with our provider as the client. The suite starts a
 * command with the address of its server; the command only notifies this process, which does the work. The requirements
 * of a revision are read from the suite itself. `auth/*` concerns signing in, which is not part of the provider.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClientChannel } from '../../domain/context.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import { noSuite, type Revision, readChecks, readRequirements, runSuite } from '../../testing/conformance-suite.js';
import { createMcpProvider } from './index.js';
import { callTool, listen } from './testing/servers.js';

interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

const usual: readonly ToolCall[] = [{ name: 'add_numbers', arguments: { a: 2, b: 3 } }];
const answers: Record<string, JsonValue> = {};
let driver: ReturnType<typeof createServer>;
let address: string;
let folder: string;

/** Does what a user of the provider does: lists the tools and calls each of them, as the scenario requires. */
async function act(url: string, calls: readonly ToolCall[]): Promise<void> {
  const provider = createMcpProvider({ servers: [{ slug: 'test', transport: { kind: 'http', url } }] });
  const client: ClientChannel = {
    log: async () => undefined,
    elicit: async () => ({ action: 'accept', content: { confirmed: true } }),
  };
  try {
    const tools = await provider.tools('test');
    // Some servers answer wrongly on purpose: the suite judges what each call sent, and one failure ends no other call.
    await Promise.allSettled(
      tools.map(async (tool) => {
        const input = calls.find(({ name }) => name === tool.id.name)?.arguments ?? {};
        answers[tool.id.name] = (await callTool(provider, 'test', tool, { input, client })).output;
      }),
    );
  } finally {
    await provider.close();
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-client-conformance-'));
  driver = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://driver');
    const { toolCalls = usual } = JSON.parse(searchParams.get('context') || '{}') as { toolCalls?: ToolCall[] };
    const problem = await act(searchParams.get('server') ?? '', toolCalls).then(
      () => '',
      (error: unknown) => String(error),
    );
    response.writeHead(problem === '' ? 200 : 500).end(problem);
  });
  address = await listen(driver);
});

afterAll(async () => {
  driver.closeAllConnections();
  driver.close();
  await rm(folder, { recursive: true, force: true });
});

async function scenariosOf(revision: Revision): Promise<readonly string[]> {
  const { client } = await readRequirements(revision);
  return client.filter((scenario) => !scenario.startsWith('auth/'));
}

const cases = [
  ...(await scenariosOf('2025-11-25')).map((scenario) => ['2025-11-25', scenario] as const),
  ...(await scenariosOf('2026-07-28')).map((scenario) => ['2026-07-28', scenario] as const),
];

describe.skipIf(noSuite !== undefined)('the official conformance suite', () => {
  test.each(cases)('R-mcp-client: conformance, as a client of %s: %s', async (revision, scenario) => {
    const script = `const q=new URLSearchParams({server:process.argv.at(-1),context:process.env.MCP_CONFORMANCE_CONTEXT??''});fetch('${address}?'+q).then(async(r)=>{if(!r.ok){console.error(await r.text());process.exit(1)}})`;
    const place = join(folder, revision, scenario);
    const output = await runSuite([
      'client',
      '--command',
      `${process.execPath} -e "${script}"`,
      '--scenario',
      scenario,
      '--spec-version',
      revision,
      '--output-dir',
      place,
    ]);
    const checks = [...(await readChecks(place)).values()].flat();
    expect(
      checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING'),
      output,
    ).toEqual([]);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length, output).toBeGreaterThan(0);
  });

  test('R-mcp-client: conformance: the answers of the suite’s tools came through', () => {
    expect(answers).toMatchObject({ add_numbers: expect.stringContaining('5') });
  });
});
