/** A slice of GitHub's OpenAPI document (13 MB): some operations and what they refer to. The whole takes prism minutes. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

type Node = Record<string, unknown>;
interface Document {
  readonly openapi: string;
  readonly info: unknown;
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: Record<string, Record<string, unknown>>;
}

export function sliceOfGitHub(operations: readonly string[]): unknown {
  const folder = dirname(require.resolve('@octokit/openapi'));
  const text = readFileSync(join(folder, 'generated', 'api.github.com.json'), 'utf8');
  const { openapi, info, paths, components } = JSON.parse(text) as Document;
  const slice = { openapi, info, paths: {} as Document['paths'], components: {} as Document['components'] };
  const seen = new Set<string>();

  function keep(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as Node;
    if (typeof $ref === 'string' && !seen.has($ref)) {
      seen.add($ref);
      const [, , kind = '', name = ''] = $ref.split('/');
      const target = components[kind]?.[name];
      slice.components[kind] = { ...slice.components[kind], [name]: target };
      keep(target);
    }
    Object.values(node).forEach(keep);
  }

  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ');
    const found = paths[path]?.[method.toLowerCase()];
    if (found === undefined) throw new Error(`GitHub has no operation ${operation}`);
    const lighter = withoutAnsweredSchemas(found as Node);
    slice.paths[path] = { ...slice.paths[path], [method.toLowerCase()]: lighter };
    keep(lighter);
  }
  return makeCompilable(slice);
}

/** Where the document has an example, prism answers with it; compiling the schema beside it takes most of the time. */
function withoutAnsweredSchemas(operation: Node): Node {
  const responses = Object.entries(operation.responses as Record<string, Node>).map(([status, response]) => {
    const json = (response.content as Record<string, Node> | undefined)?.['application/json'];
    if (json?.examples === undefined) return [status, response];
    return [status, { ...response, content: { 'application/json': { examples: json.examples } } }];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

/**
 * `nullable` without a `type` does not compile in prism, which then takes any body. What it means is written out: the
 * schema, or null. And a few examples refer to another one where only a value may stand, one level too deep.
 */
function makeCompilable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(makeCompilable);
  if (typeof node !== 'object' || node === null) return node;
  const made = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, makeCompilable(value)])) as Node;
  const example = made.value as Node | undefined;
  if (typeof example?.$ref === 'string' && example.$ref.startsWith('#/components/examples/')) return example;
  if (made.nullable !== true || typeof made.type === 'string') return made;
  const { nullable: _, ...rest } = made;
  return { anyOf: [rest, { type: 'object', nullable: true, not: { type: 'object' } }] };
}
