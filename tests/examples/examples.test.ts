/** Every example as a user runs it: a separate process with the built package. Each checks itself and reports by its exit code. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const examples = readdirSync(`${root}examples`).filter((name) => existsSync(`${root}examples/${name}/main.js`));

/** A build of other sources would be tested instead of these. */
function builtAfter(source: string): boolean {
  const built = `${root}dist/${source.replace(/\.ts$/, '.js')}`;
  return existsSync(built) && statSync(built).mtimeMs >= statSync(`${root}src/${source}`).mtimeMs;
}

describe('R-sdk: examples', () => {
  test('R-sdk: there is one for each SDK, each with a page', () => {
    const sdks = [
      'ai-sdk',
      'anthropic',
      'claude-agent',
      'cloudflare',
      'langchain',
      'mastra',
      'openai',
      'openai-agents',
    ];
    expect(examples).toEqual(expect.arrayContaining(sdks));
    for (const name of sdks) {
      expect(existsSync(`${root}docs/sdk/${name}.md`)).toBe(true);
      expect(existsSync(`${root}examples/${name}/README.md`)).toBe(true);
      expect(builtAfter(`sdk/${name}.ts`), `dist is older than src/sdk/${name}.ts: npm run build`).toBe(true);
    }
  });

  test.each(examples)('R-sdk: %s', async (name) => {
    const { stdout } = await run(process.execPath, [`examples/${name}/main.js`], { cwd: root, timeout: 60_000 });
    for (const line of ['sent ', 'refused ', 'recorded ', 'answered ']) expect(stdout).toContain(line);
    expect(stdout).toMatch(/each with its own schema byte for byte/);
  }, 60_000);

  test('R-sdk: an example that finds something wrong does not end with 0', async () => {
    const check = `import { check } from './examples/support/check.js';
      const helve = { tools: async () => [{ name: 'one', tool: { inputSchema: { type: 'object' } } }] };
      await check(helve, { api: 'mcp', sentTools: [{ name: 'one', inputSchema: {} }] });`;
    const wrong = run(process.execPath, ['--input-type=module', '--eval', check], { cwd: root });
    await expect(wrong).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('one was sent changed') });
  });
});
