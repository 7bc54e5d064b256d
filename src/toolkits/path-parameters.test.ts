/**
 * Every argument of every native toolkit that becomes a part of an address. A server writes down what arrives: a first
 * call with a marker shows which arguments those are, and what else the tool asks; then each is given as a step.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Scripted, sendJson, startScripted } from '../../tests/counterparts/scripted.js';
import type { JsonObject, JsonSchema, JsonValue } from '../domain/json.js';
import type { Tool } from '../domain/tool.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../testing/index.js';
import { connectedTo as toGithub } from './github/testing/connected.js';
import { workspaceAt } from './google/testing/workspace.js';
import { nativeToolkits } from './index.js';
import { connectedTo as toLinear } from './linear/testing/connected.js';
import { connectedTo as toSlack } from './slack/testing/connected.js';
import { connectedTo as toStripe } from './stripe/testing/connected.js';
import { telegram } from './telegram/toolkit.js';

const token = '123456789:AAexample0123456789abcdefghijklmnopqr';
const toTelegram = (url: string): TestHelveOptions => ({
  nativeToolkits: [telegram],
  config: `toolkits:\n  telegram:\n    base_url: ${url}\n`,
  connections: [{ toolkit: 'telegram', name: 'Bot', scheme: 'bot_token', credentials: { token } }],
});

/** Of each toolkit with a service: how it is connected, and how many arguments must be found at least. */
const planes: Record<string, { connect: (url: string) => TestHelveOptions; least: number }> = {
  github: { connect: toGithub, least: 40 },
  google: { connect: (url) => google(url), least: 8 },
  stripe: { connect: toStripe, least: 15 },
  // One address for every method: what is asked is in the body.
  linear: { connect: toLinear, least: 0 },
  slack: { connect: toSlack, least: 0 },
  telegram: { connect: toTelegram, least: 0 },
};
const sharing: Record<string, string> = { google_workspace: 'google', google_gmail: 'google' };

function google(url: string): TestHelveOptions {
  const { connections, ...more } = workspaceAt(url);
  return { ...more, connections: connections.map((one) => ({ ...one, check: false })) };
}

const marker = 'marker7x';
const steps = ['.', '..', '../..', `../${marker}`, '..\\x', '%2e%2e', '.%2E', '%252e%252e', '..;x', '\t..', ' ..\n'];

test('every native toolkit with a service is among those that are tried', () => {
  const served = nativeToolkits.filter(({ service }) => service !== undefined).map(({ slug }) => slug);
  expect(served.filter((slug) => !(slug in planes) && !(slug in sharing))).toEqual([]);
});

/** Ways to an argument: names and places, from the top. */
type Way = readonly (string | number)[];

/** An input that the schema allows, with the marker wherever a free text is wanted; every optional text is given in turn. */
function fill(schema: JsonSchema, optional: Way | undefined, way: Way = []): JsonValue {
  const one = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (schema.const !== undefined) return schema.const as JsonValue;
  if (Array.isArray(schema.enum)) return schema.enum[0] as JsonValue;
  if (one?.[0]) return fill(one[0], optional, way);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    const required = (schema.required ?? []) as string[];
    const wanted = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).filter(
      ([name]) => required.includes(name) || optional?.[way.length] === name,
    );
    return Object.fromEntries(wanted.map(([name, inner]) => [name, fill(inner, optional, [...way, name])]));
  }
  if (type === 'array') return [fill((schema.items ?? {}) as JsonSchema, optional, [...way, 0])];
  if (type === 'integer' || type === 'number') return Math.max(1, Number(schema.minimum ?? 1));
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (schema.format === 'date-time') return '2026-01-31T10:00:00Z';
  if (schema.format === 'date') return '2026-01-31';
  if (schema.format === 'email') return 'ada@example.com';
  return 'filled3';
}

function waysTo(schema: JsonSchema, way: Way = []): Way[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return properties.flatMap(([name, inner]) => {
    const here = [...way, name];
    if (inner.type === 'object') return waysTo(inner, here);
    return inner.type === 'string' || inner.anyOf !== undefined || inner.oneOf !== undefined ? [here] : [];
  });
}

function put(input: JsonValue, way: Way, value: string): JsonObject {
  const copy = structuredClone(input) as Record<string, never>;
  let at = copy as Record<string | number, never>;
  for (const name of way.slice(0, -1)) at = at[name] as never;
  at[way.at(-1) as string] = value as never;
  return copy;
}

/** The same address but for a part that the marker was only a piece of, as in `main...marker`. */
function isLike(request: string, good: readonly string[]): boolean {
  const parts = request.split('/');
  return good.some((one) => {
    const wanted = one.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, at) => part === parts[at] || (part.includes(marker) && part !== marker && parts[at] !== ''))
    );
  });
}

const inputsOf = (tool: Tool, way: Way): JsonObject[] => [
  fill(tool.inputSchema, way) as JsonObject,
  ...tool.examples.map(({ input }) => input as JsonObject),
];

describe.each(Object.entries(planes))('%s', (_, { connect, least }) => {
  let server: Scripted;
  let helve: TestHelve;
  beforeAll(async () => {
    server = await startScripted();
    server.answer = (_, response) => sendJson(response, 200, {});
    helve = await createTestHelve(connect(server.url));
  });
  afterAll(async () => {
    await helve?.close();
    await server?.close();
  });
  beforeEach(() => {
    server.seen.length = 0;
  });

  async function sent(name: string, input: JsonObject): Promise<{ code: string | undefined; requests: string[] }> {
    server.seen.length = 0;
    const result = await helve.call(name, input);
    const requests = server.seen.map(({ method, url }) => `${method} ${new URL(url, server.url).pathname}`);
    return { code: result.ok ? undefined : result.error?.code, requests };
  }

  test('no argument is a step to another address', { timeout: 120_000 }, async () => {
    let found = 0;
    let whole = 0;
    const tools = (await helve.registry.all()).filter(({ tool }) => !tool.intrinsic);
    const listed = await helve.tools({ principal: helve.agent, all: true });
    for (const { tool } of tools) {
      const name = listed.find((one) => one.name.endsWith(`__${tool.id.name}`))?.name;
      if (name === undefined) continue;
      for (const way of waysTo(tool.inputSchema)) {
        for (const input of inputsOf(tool, way)) {
          if (way.length > 1 && !(way[0]! in input)) continue;
          const good = await sent(name, put(input, way, marker));
          if (!good.requests.some((one) => one.includes(marker))) continue;
          found += 1;
          const others = good.requests.filter((one) => !one.includes(marker));
          for (const step of steps) {
            const { code, requests } = await sent(name, put(input, way, step));
            const elsewhere = requests.filter((one) => !others.includes(one) && !isLike(one, good.requests));
            expect({ name, way, step, elsewhere }).toEqual({ name, way, step, elsewhere: [] });
            if (!good.requests.some((one) => one.split('/').includes(marker))) continue;
            expect({ name, way, step, code }).toEqual({ name, way, step, code: 'invalid_input' });
            whole += 1;
          }
          const empty = await sent(name, put(input, way, ''));
          const elsewhere = empty.requests.filter((one) => !others.includes(one) && /\/\/|\/$/.test(one));
          expect({ name, way, elsewhere }).toEqual({ name, way, elsewhere: [] });
          break;
        }
      }
    }
    expect(whole).toBeGreaterThanOrEqual(least * steps.length);
    expect(found).toBeGreaterThanOrEqual(least);
  });
});
