/** `helve tools search`, `describe`, `stats` and the modes of agents, as people and programs read them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

let dataDir: string;
let server: Server;

beforeAll(async () => {
  dataDir = await temporaryFolder('cli-tools');
  await writeFile(join(dataDir, 'helve.yaml'), 'limits: { per_ip: null }\n');
  server = await serve(dataDir);
});
afterAll(async () => {
  await server.stop();
  killChildren();
  await removeTemporaryFolders();
});

const helve = (...args: string[]) => run([...args, '--data', dataDir]);

async function said(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await helve(...args);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  return stdout;
}
const json = async (...args: string[]) => JSON.parse(await said(...args, '--json'));

describe('R-cli: finding tools', () => {
  test('R-cli R-tiers: search prints a line a tool, and with --explain why', async () => {
    const lines = (await said('tools', 'search', 'read a text file', '--limit', '3')).split('\n');
    expect(lines[0]).toMatch(/^read_file\(path: string, .*\) — Read a text file/);
    const explained = await said('tools', 'search', 'read a text file', '--explain', '--toolkit', 'files', 'http');
    expect(explained).toMatch(/\n {4}-?\d+\.\d\d {2}\S/);
    expect(explained).toContain('tier: semantic');
    const found = await json('tools', 'search', 'calculate', '--agent', 'first');
    expect([found.tier, found.hits[0].name]).toEqual(['exact', 'calculate']);
  });

  test('R-cli R-abstain: what nothing does is said, with what to connect', async () => {
    const text = await said('tools', 'search', 'post a message in a Slack channel', '--explain', '--agent', 'first');
    expect(text).toContain('would fit: Slack (helve connect slack)');
    const nothing = await json('tools', 'search', 'bake a sourdough loaf');
    expect(nothing.answer).not.toBe('these');
  });

  test('R-cli: describe prints TypeScript; an unknown name is an error', async () => {
    const text = await said('tools', 'describe', 'calculate');
    expect(text).toContain('risk: read · approval: none');
    expect(text).toMatch(/^export declare function calculate\(input:\{/m);
    expect(await helve('tools', 'describe', 'calculat')).toEqual({
      code: 5,
      stdout: '',
      stderr: 'error: No tool is named calculat (tool_not_found)\nhint:  Did you mean calculate?\n',
    });
  });

  test('R-cli: stats, and refusals of invalid requests', async () => {
    expect(await said('tools', 'stats')).toMatch(/TIER\s+COUNT\s+AVERAGE\nexact\s+\d+/);
    expect((await helve('tools', 'search', 'x', '--limit', 'many')).stderr).toMatch(
      /^error: Option '--limit <n>' argument 'many' is invalid\. It must be a whole number/,
    );
    expect((await helve('agents', 'change', 'first', '--tool-mode', 'some')).stderr).toMatch(
      /^error: --tool-mode: "some"/,
    );
  });

  test('R-cli R-meta-tools: an agent’s mode is changed, and its list with it; --all lists the rest', async () => {
    expect(await said('agents', 'change', 'first', '--tool-mode', 'meta')).toBe('Changed the agent first.\n');
    const names = async (...more: string[]) =>
      (await json('tools', '--agent', 'first', ...more)).map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['search_tools', 'describe_tools', 'call_tool', 'run_code']);
    expect((await names('--all')).length).toBeGreaterThan(30);
    const call = ['call', 'call_tool', '{"tool":"calculate","arguments":{"expression":"6*7"}}', '--agent', 'first'];
    expect((await json(...call)).output.result).toBe(42);
    await said('agents', 'change', 'first', '--tool-mode', 'auto');
    expect((await names()).length).toBeGreaterThan(30);
  });

  test('R-cli R-capability: --intent refuses a tool that does something else', async () => {
    const call = ['call', 'write_file', '{"path":"x","content":"y"}', '--intent', 'read the file x', '--json'];
    const { code, stdout } = await helve(...call);
    expect([code, JSON.parse(stdout).error.code]).toEqual([3, 'intent_mismatch']);
  });
});
