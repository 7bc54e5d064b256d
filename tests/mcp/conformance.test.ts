/**
 * The official conformance suite's server scenarios for 2025-11-25 (0.1.13, the newest that starts on
 * Node 20), each judged by its own checks. A passing check can be vacuous: `tools-call-simple-text`
 * passes on a server without the tool, `server-sse-*` settle for JSON; so the calls that must have
 * reached the tools are asserted here too, and `clients.test.ts` has our own scenarios.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpDoor } from '../../src/surfaces/mcp/index.js';
import { conformanceExtras, conformanceTools } from './conformance-fixture.js';
import { createFakePlane } from './fake-plane.js';
import { type Listening, listen } from './listener.js';

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const scenarios = [
  ...['server-initialize', 'logging-set-level', 'ping', 'completion-complete', 'tools-list', 'tools-call-simple-text'],
  ...['tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content'],
  ...['tools-call-with-logging', 'tools-call-error', 'tools-call-with-progress', 'tools-call-sampling'],
  ...['tools-call-elicitation', 'json-schema-2020-12', 'elicitation-sep1034-defaults', 'server-sse-polling'],
  ...['server-sse-multiple-streams', 'elicitation-sep1330-enums', 'resources-list', 'resources-read-text'],
  ...['resources-read-binary', 'resources-templates-read', 'resources-subscribe', 'resources-unsubscribe'],
  ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource'],
  ...['prompts-get-with-image', 'dns-rebinding-protection'],
];
const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

describe('R-mcp-server: the official conformance suite, 2025-11-25', () => {
  const plane = createFakePlane({ tools: conformanceTools });
  let listening: Listening;
  let folder: string;
  let results: Map<string, Check[]>;

  beforeAll(async () => {
    listening = await listen(
      createMcpDoor({
        plane,
        serverInfo: { name: 'helve', version: '0.0.0' },
        resultMaxChars: 10_000,
        extras: conformanceExtras,
      }),
    );
    folder = await mkdtemp(join(tmpdir(), 'helve-conformance-'));
    await run(['server', '--url', listening.url.replace('127.0.0.1', 'localhost'), '--suite', 'all', '-o', folder]);
    results = await readResults(folder);
  }, 120_000);

  afterAll(async () => {
    await listening?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(scenarios)('R-mcp-server: conformance scenario %s', (scenario) => {
    const checks = results.get(scenario) ?? [];
    const judged = checks.filter(({ status }) => status === 'SUCCESS');
    expect(judged.length, `checks of ${scenario}`).toBeGreaterThan(0);
    expect(checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')).toEqual([]);
  });

  it('R-mcp-server: conformance runs every scenario of the suite', () => {
    expect([...results.keys()].sort()).toEqual([...scenarios].sort());
  });

  it('R-mcp-server: conformance calls reached the fixture tools', () => {
    const called = new Set(plane.calls.map(({ tool }) => tool));
    const never = conformanceTools.map(({ name }) => name).filter((name) => !called.has(name));
    expect(never).toEqual(['json_schema_2020_12_tool']);
  });

  it('R-mcp-server: conformance saw the stream cut and resumed', () => {
    const ids = results.get('server-sse-polling')?.map(({ id, status }) => `${id} ${status}`);
    expect(ids).toContain('server-sse-priming-event SUCCESS');
    expect(ids).toContain('server-sse-retry-field SUCCESS');
    expect(ids).toContain('server-sse-disconnect-resume SUCCESS');
  });
});

async function run(args: string[]): Promise<void> {
  const child = spawn(process.execPath, [suite, ...args], { stdio: 'ignore' });
  await new Promise((resolve, reject) => {
    child.on('exit', resolve);
    child.on('error', reject);
  });
}

/** The suite writes `server-<scenario>-<time>/checks.json` for each. */
async function readResults(folder: string): Promise<Map<string, Check[]>> {
  const found = new Map<string, Check[]>();
  for (const name of await readdir(folder)) {
    const scenario = scenarios.find((one) => name.replace(/^server-/, '').startsWith(`${one}-20`));
    const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as Check[];
    found.set(scenario ?? name, checks);
  }
  return found;
}
