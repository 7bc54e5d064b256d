/**
 * The official conformance suite's server scenarios for 2025-11-25 (0.1.13, the newest that starts on
 * Node 20), each judged by its own checks. A passing check can be vacuous: `tools-call-simple-text`
 * passes on a server without the tool, `server-sse-*` settle for JSON; so our own record is asked
 * besides which calls came through the pipeline. `clients-*.test.ts` have our own scenarios.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformanceExtras, conformanceToolkit, conformanceTools } from './conformance-fixture.js';
import { endAll, openRealDoor, type RealDoor, rowsOf } from './real-door.js';

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
  readonly details?: { readonly statusCode?: number; readonly body?: { readonly code?: string } };
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
/** The scenarios that call a tool, the tool, and what came of it. */
const calls: Readonly<Record<string, readonly [tool: string, status: 'ok' | 'failed']>> = {
  'tools-call-simple-text': ['test_simple_text', 'ok'],
  'tools-call-image': ['test_image_content', 'ok'],
  'tools-call-audio': ['test_audio_content', 'ok'],
  'tools-call-embedded-resource': ['test_embedded_resource', 'ok'],
  'tools-call-mixed-content': ['test_multiple_content_types', 'ok'],
  'tools-call-with-logging': ['test_tool_with_logging', 'ok'],
  'tools-call-error': ['test_error_handling', 'failed'],
  'tools-call-with-progress': ['test_tool_with_progress', 'ok'],
  'tools-call-sampling': ['test_sampling', 'ok'],
  'tools-call-elicitation': ['test_elicitation', 'ok'],
  'elicitation-sep1034-defaults': ['test_elicitation_sep1034_defaults', 'ok'],
  'elicitation-sep1330-enums': ['test_elicitation_sep1330_enums', 'ok'],
  'server-sse-polling': ['test_reconnection', 'ok'],
};
// scripts/test-matrix.sh names a newer one, which wants a newer Node.
const suite = process.env.CONFORMANCE_SUITE ?? 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

describe('R-mcp-server: the official conformance suite, 2025-11-25', () => {
  let real: RealDoor;
  let folder: string;
  let results: Map<string, Check[]>;

  beforeAll(async () => {
    real = await openRealDoor({
      toolkits: [conformanceToolkit],
      extras: conformanceExtras,
      everybodyIsAlice: true,
    });
    folder = await mkdtemp(join(tmpdir(), 'helve-conformance-'));
    const url = real.alice.address.replace('127.0.0.1', 'localhost');
    await run(['server', '--url', url, '--suite', 'all', '-o', folder]);
    results = await readResults(folder);
  }, 120_000);

  afterAll(async () => {
    await endAll();
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

  it.each(Object.entries(calls))('R-mcp-server: conformance scenario %s is in the record', async (_name, call) => {
    const [tool, status] = call;
    const ours = ({ tool: name }: { tool?: string }) => name === `conformance.${tool}`;
    const started = (await rowsOf(real, 'execution.started')).filter(ours);
    const finished = (await rowsOf(real, 'execution.finished')).filter(ours);
    expect(started.length).toBeGreaterThan(0);
    expect(finished.map(({ executionId }) => executionId)).toEqual(started.map(({ executionId }) => executionId));
    for (const row of finished) expect(row).toMatchObject({ actor: { name: 'alice' }, body: { status } });
  });

  it('R-mcp-server: conformance left nothing else in the record, and called every tool that it lists but one', async () => {
    const tools = new Set((await rowsOf(real, 'execution.started')).map(({ tool }) => tool));
    const never = conformanceTools.map(({ name }) => name).filter((name) => !tools.has(`conformance.${name}`));
    expect(never).toEqual(['json_schema_2020_12_tool']);
    expect(tools.size).toBe(Object.keys(calls).length);
    expect(await rowsOf(real, 'execution.refused')).toEqual([]);
    expect(await real.helve.plane.verifyAudit(real.helve.admin)).toMatchObject({ ok: true });
  });

  it('R-mcp-server: conformance was refused a foreign Host by our own gate', () => {
    const refused = results.get('dns-rebinding-protection')?.find(({ id }) => id.endsWith('rebinding-rejected'));
    expect(refused?.details).toMatchObject({ statusCode: 403, body: { code: 'forbidden' } });
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
