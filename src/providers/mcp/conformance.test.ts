/**
 * The official conformance suite's client scenarios (0.1.13, the newest that starts on Node 20) with our provider as the
 * client. The suite starts a command with the address of its server; the command only tells this process, which does the
 * work. `auth/*` concerns signing in, which is not the provider's.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientChannel } from '../../spec/context.js';
import type { JsonObject, JsonValue } from '../../spec/json.js';
import { createMcpProvider } from './index.js';
import { callTool, listen } from './testing/servers.js';

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const suite = process.env.CONFORMANCE_SUITE ?? 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const inputs: Readonly<Record<string, JsonObject>> = { add_numbers: { a: 2, b: 3 } };
const answers: Record<string, JsonValue> = {};
let driver: ReturnType<typeof createServer>;
let address: string;
let folder: string;

/** What a user of the provider does: look at the tools, and call each of them. */
async function act(url: string): Promise<void> {
  const provider = createMcpProvider({ servers: [{ slug: 'test', transport: { kind: 'http', url } }] });
  const client: ClientChannel = {
    log: async () => undefined,
    elicit: async () => ({ action: 'accept', content: {} }),
  };
  try {
    for (const tool of await provider.tools('test')) {
      const input = inputs[tool.id.name] ?? {};
      answers[tool.id.name] = (await callTool(provider, 'test', tool, { input, client })).output;
    }
  } finally {
    await provider.close();
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-client-conformance-'));
  driver = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://driver').searchParams.get('server') ?? '';
    const problem = await act(url).then(
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

test.each([
  ['initialize', 1],
  ['tools_call', 1],
  ['elicitation-sep1034-client-defaults', 1],
  ['sse-retry', 1],
])('R-mcp-client: conformance, as a client: %s', async (scenario, least) => {
  const script = `fetch('${address}?server='+encodeURIComponent(process.argv.at(-1))).then(async r=>{if(!r.ok){console.error(await r.text());process.exit(1)}})`;
  const command = `${process.execPath} -e "${script}"`;
  const output = await run([
    'client',
    '--command',
    command,
    '--scenario',
    scenario,
    '--output-dir',
    join(folder, scenario),
  ]);
  const checks = await readChecks(join(folder, scenario));
  expect(
    checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING'),
    output,
  ).toEqual([]);
  expect(checks.filter(({ status }) => status === 'SUCCESS').length, output).toBeGreaterThanOrEqual(least);
});

test('R-mcp-client: conformance: the answers of the suite’s tools came through', () => {
  expect(answers).toMatchObject({ add_numbers: expect.stringContaining('5') });
});

async function run(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((resolve, reject) => {
    child.on('exit', resolve);
    child.on('error', reject);
  });
  return output;
}

async function readChecks(place: string): Promise<Check[]> {
  for (const name of await readdir(place, { recursive: true }).catch(() => [])) {
    if (name.endsWith('checks.json')) return JSON.parse(await readFile(join(place, name), 'utf8')) as Check[];
  }
  return [];
}
