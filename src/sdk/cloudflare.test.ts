import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOpenAI } from '@ai-sdk/openai';
import { parse } from '@swc/core';
import { stepCountIs, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startScriptedModel } from '../../examples/support/scripted-model.js';
import {
  type AdapterGround,
  awkward,
  executions,
  openGround,
  same,
  wrongThenRight,
} from '../../tests/examples/ground.js';
import { createHttpApp, type Listening, listen } from '../surfaces/http/index.js';
import { toolsFor } from './cloudflare.js';
import { remote } from './remote.js';

const source = fileURLToPath(new URL('..', import.meta.url));
const packages = createRequire(import.meta.url);

let helve: AdapterGround;
let server: Listening;
let token: string;
beforeAll(async () => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  helve = await openGround();
  const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 });
  token = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
});
afterAll(() => server.close());

/** The modules that a module imports at run time, without types. `import()` counts too, because a bundle includes it. */
async function importsOf(file: string): Promise<string[]> {
  const tree = await parse(await readFile(file, 'utf8'), { syntax: 'typescript', target: 'es2022' });
  const found: string[] = [];
  const visit = (node: any): void => {
    if (node === null || typeof node !== 'object') return;
    const typesOnly =
      node.typeOnly || (node.specifiers?.length > 0 && node.specifiers.every((one: any) => one.isTypeOnly));
    if (node.source?.value && !typesOnly) found.push(node.source.value);
    if (node.type === 'CallExpression' && node.callee.type === 'Import') found.push(node.arguments[0].expression.value);
    Object.values(node).forEach(visit);
  };
  visit(tree.body);
  return found;
}

async function graphOf(entry: string) {
  const files = new Set<string>();
  const outside = new Map<string, string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const name of await importsOf(file)) {
      if (name.startsWith('.')) waiting.push(resolve(dirname(file), name.replace(/\.js$/, '.ts')));
      else outside.set(name, file);
    }
  }
  return { files: [...files].map((file) => file.slice(source.length)), outside };
}

describe('R-sdk: Cloudflare Agents', () => {
  test('R-sdk: a loop of `streamText`, as AIChatAgent runs it, over a Helve that is served', async () => {
    helve.reached.length = 0;
    const before = (await executions(helve)).length;
    const model = await startScriptedModel(wrongThenRight);
    const openai = createOpenAI({ apiKey: 'none', baseURL: `${model.url}/v1`, fetch: model.fetch as typeof fetch });
    const tools = await toolsFor({ url: server.url, token }, { tools: ['awkward'], validate: 'plane' });
    const result = streamText({ model: openai.chat('gpt-4o'), prompt: 'Count', tools, stopWhen: stepCountIs(5) });
    expect(await result.text).toBe('Counted five.');
    await model.stop();
    expect(same(model.requests[0].tools[0].function.parameters, awkward)).toBe(true);
    expect(model.requests[1].messages.at(-1).content).toContain('/count must be integer');
    expect(helve.reached).toEqual([{ tool: 'awkward', input: { count: 5 } }]);
    const record = ['execution.refused', 'execution.started', 'execution.finished'];
    expect(await executions(helve, before)).toEqual(record);
  });

  test('R-sdk: a service binding’s fetch is used; what `remote` made is taken too', async () => {
    const asked: string[] = [];
    const binding = async (url: string, init: RequestInit) => {
      asked.push(url);
      return fetch(url, init);
    };
    await toolsFor({ url: server.url, token, fetch: binding });
    expect(asked).toEqual([`${server.url}/api/tools/workspace`]);
    expect(Object.keys(await toolsFor(remote({ url: server.url, token }), { tools: ['long'] }))).toEqual(['long']);
  });

  test('R-sdk: it loads no Node built-in, and only packages that a Worker can use', async () => {
    const { files, outside } = await graphOf(`${source}sdk/cloudflare.ts`);
    expect(files).toContain('sdk/remote.ts');
    expect(files).toContain('api/client.ts');
    const { isBuiltin } = await import('node:module');
    expect([...outside.keys()].filter((name) => isBuiltin(name))).toEqual([]);
    expect(
      [...outside.keys()].filter((name) => !['ai', 'zod', 're2js'].includes(name) && !name.startsWith('typebox')),
    ).toEqual([]);
    for (const name of outside.keys()) expect(packages.resolve(name)).toContain('node_modules');
    // The control: the walk notices a Node built-in.
    const { outside: ofHash } = await graphOf(`${source}util/hash.ts`);
    expect([...ofHash.keys()]).toContain('node:crypto');
  });
});
