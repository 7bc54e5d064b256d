/** The declarations of every bundled tool: they compile, and cost a model far less than the tools' schemas. */
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tool } from '../../src/domain/tool.js';
import { createNamespaces } from '../../src/flows/code/namespaces.js';
import { printNamespace } from '../../src/flows/code/print.js';
import { compile } from '../../src/schema/typescript/tests/compile.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';

let helve: TestHelve;
const printed: { readonly toolkit: string; readonly tools: readonly Tool[]; readonly text: string }[] = [];

beforeAll(async () => {
  helve = await createTestHelve();
  for (const { slug } of await helve.registry.toolkits()) {
    const tools = (await helve.registry.tools(slug)).map(({ tool }) => tool);
    const entries = tools.map((tool) => ({
      name: tool.id.name,
      tool,
      provider: {} as never,
      approval: 'none' as const,
    }));
    for (const namespace of createNamespaces({ entries, connections: new Map() }).values())
      printed.push({ toolkit: slug, tools, text: printNamespace(namespace) });
  }
});
afterAll(() => helve.close());

describe('R-typedefs: bundled tools', () => {
  it('R-typedefs: the declarations of all of them compile together', () => {
    expect(printed.length).toBeGreaterThan(20);
    expect(printed.flatMap(({ text }) => text.match(/^function /gm) ?? []).length).toBeGreaterThan(200);
    expect([...compile(printed.map(({ text }) => text).join('\n'))]).toEqual([]);
  });

  it('R-typedefs: they have at most 0.6 of the tokens of the schemas', () => {
    const encoder = new Tiktoken(o200k);
    const count = (text: string): number => encoder.encode(text, [], []).length;
    const schemas = printed.flatMap(({ tools }) =>
      tools.map(({ id, description, inputSchema, outputSchema }) =>
        JSON.stringify({ name: id.name, description, inputSchema, outputSchema }),
      ),
    );
    const sum = (texts: readonly string[]): number => texts.reduce((all, text) => all + count(text), 0);
    expect(sum(printed.map(({ text }) => text)) / sum(schemas)).toBeLessThanOrEqual(0.6);
  });
});
