/** Every real schema of the corpus, as tools of a source that only lists them. */
import { existsSync, readFileSync } from 'node:fs';
import { HelveError } from '../../src/domain/errors.js';
import type { ListedTool } from '../../src/domain/execution.js';
import type { JsonSchema } from '../../src/domain/json.js';
import type { ToolSource } from '../../src/sdk/tool-source.js';
import { testProviderTool } from '../../src/testing/provider-tool.js';
import { githubOperations } from '../data/github-operations.js';
import { awkward } from './ground.js';

const folder = new URL('../../../shared/data/json-schema/', import.meta.url);

/** Without the corpus, the operations of GitHub that the repository has. */
const hasCorpus = existsSync(folder);
/** There are more than this. */
export const leastSchemas = hasCorpus ? 2_000 : 50;

const inRepository = githubOperations().map(({ schema }) => schema);

export function corpus(): JsonSchema[] {
  const real = hasCorpus ? ['composio-in.jsonl', 'github-openapi.jsonl'].flatMap(read) : inRepository;
  return [...real, awkward];
}

function read(file: string): JsonSchema[] {
  const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { schema: JsonSchema }).schema);
}

export function listing(schemas: readonly JsonSchema[]): ToolSource<undefined> {
  return {
    tools: async () => schemas.map((schema, index) => listed(`tool_${index}`, schema)),
    execute: async () => {
      throw new HelveError('internal', 'Nothing here is to be called');
    },
  };
}

export function listed(name: string, inputSchema: JsonSchema): ListedTool {
  return {
    name,
    tool: testProviderTool({ toolkit: 'corpus', name }, { description: `The tool ${name}`, inputSchema }),
  };
}

/** A `fetch` that records the first body it gets. It answers Chat Completions and refuses other requests. */
export function catching(): { fetch: typeof fetch; body(): any } {
  let text: string | undefined;
  const said = { index: 0, message: { role: 'assistant', content: 'That is all' }, finish_reason: 'stop' };
  const completion = { id: '1', object: 'chat.completion', created: 1, model: 'none', choices: [said] };
  return {
    fetch: async (input, init) => {
      text ??= init?.body === undefined ? await new Request(input).text() : String(init.body);
      const isChat = String(input instanceof Request ? input.url : input).endsWith('/chat/completions');
      return isChat ? Response.json(completion) : Response.json({ error: { message: 'no more' } }, { status: 400 });
    },
    body: () => JSON.parse(text ?? 'null'),
  };
}

/** How many of `sent` differ from the schema at the same position of `schemas`, byte for byte. */
export function differing(sent: readonly unknown[], schemas: readonly JsonSchema[]): number {
  const different = schemas.filter((schema, index) => JSON.stringify(sent[index]) !== JSON.stringify(schema));
  return sent.length === schemas.length ? different.length : Number.NaN;
}
