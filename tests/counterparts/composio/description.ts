/**
 * prism on Composio's own OpenAPI document: it has no data and no state, but it refuses what the document does
 * not allow. Only the routes that are used here, because each schema of the document takes time.
 */
import { readFileSync } from 'node:fs';
import type { Counterpart } from '../child.js';
import { startPrism } from '../prism.js';
import { composioData, composioDocumentFile } from './data.js';

type Operation = { responses: Record<string, { content?: Record<string, { example?: unknown }> }> };

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

/** Method and path of each operation of the client. */
export const usedOperations: readonly (readonly [method: string, path: string])[] = [
  ['get', '/api/v3/toolkits'],
  ['get', '/api/v3/toolkits/{slug}'],
  ['get', '/api/v3/tools'],
  ['get', '/api/v3/tools/enum'],
  ['get', '/api/v3/triggers_types'],
  ['post', '/api/v3/tools/execute/{tool_slug}'],
  ['get', '/api/v3/auth_configs'],
  ['post', '/api/v3/auth_configs'],
  ['post', '/api/v3/connected_accounts'],
  ['get', '/api/v3/connected_accounts/{nanoid}'],
  ['delete', '/api/v3/connected_accounts/{nanoid}'],
  ['post', '/api/v3/connected_accounts/link'],
  ['post', '/api/v3/trigger_instances/{slug}/upsert'],
  ['delete', '/api/v3/trigger_instances/manage/{triggerId}'],
];

export async function startComposioDescription(): Promise<Counterpart> {
  const whole = JSON.parse(readFileSync(composioDocumentFile, 'utf8')) as Document;
  const paths: Document['paths'] = {};
  for (const [method, path] of usedOperations) {
    const operation = whole.paths[path]?.[method];
    if (!operation) throw new Error(`The document has no ${method} ${path}`);
    paths[path] = { ...paths[path], [method]: operation };
  }
  const { tools, toolkits } = composioData();
  exampleOf(paths, '/api/v3/tools', {
    items: tools,
    next_cursor: null,
    total_pages: 1,
    current_page: 1,
    total_items: 930,
  });
  exampleOf(paths, '/api/v3/toolkits', {
    items: toolkits,
    next_cursor: null,
    total_pages: 1,
    current_page: 1,
    total_items: toolkits.length,
  });
  exampleOf(paths, '/api/v3/connected_accounts/link', {
    link_token: 'lk_1',
    redirect_url: 'https://link.example/lk_1',
    expires_at: '2026-01-02T03:04:05.678Z',
    connected_account_id: 'ca_1',
  });
  return startPrism(compilable({ ...whole, paths }));
}

/**
 * `nullable` without a type prevents prism from compiling a schema, and then it would accept anything. With the type of a
 * list it prevents prism from reading a list of one from a query.
 */
function compilable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compilable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) => name !== 'nullable' || ('type' in value && value.type !== 'array'),
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, compilable(one)]));
}

function exampleOf(paths: Document['paths'], path: string, example: unknown): void {
  const { responses } = paths[path]?.get ?? paths[path]?.post ?? { responses: {} };
  const json = (responses['200'] ?? responses['201'])?.content?.['application/json'];
  if (!json) throw new Error(`The document has no answer of ${path}`);
  json.example = example;
}
