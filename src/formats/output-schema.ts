/**
 * The output schema that MCP advertises for a tool, and the content that is sent when an output exceeds the budget.
 *
 * A tool with an advertised output schema must answer every success with structured content that satisfies
 * it, and clients refuse the result otherwise; many clients also show that content to the model. So
 * an output that may exceed the budget is advertised as "this, or a cut result", and an output that
 * does exceed it is sent as the cut result. A schema that limits its own size is advertised unchanged; a schema
 * whose references would break inside a wrapper is not advertised.
 */
import type { ToolSuccess } from '../domain/execution.js';
import type { JsonSchema, JsonValue } from '../domain/json.js';

const cutSchema: JsonSchema = {
  type: 'object',
  description: 'Replaces a result that is too long to show. Read the whole result with result_read.',
  properties: {
    cut: {
      type: 'object',
      properties: {
        handle: { type: 'string' },
        characters: { type: 'integer' },
        shape: { type: 'string' },
        expiresAt: { type: 'string' },
      },
      required: ['characters'],
    },
  },
  required: ['cut'],
  additionalProperties: false,
};

/** Keywords that belong to the document and stay at its root. */
const rootKeywords = ['$schema', '$defs', 'definitions'];
/** Outputs of up to this length are always sent whole, whatever the budget. */
export const smallCharacters = 2_000;

/** Returns the advertised form of a tool's output schema; undefined if none can be guaranteed. */
export function advertisedOutputSchema(schema: JsonSchema): JsonSchema | undefined {
  if (maxCharacters(schema) <= smallCharacters) return schema;
  if (Object.hasOwn(schema, '$id') || !refsSurvive(schema)) return undefined;
  const root = Object.fromEntries(Object.entries(schema).filter(([keyword]) => rootKeywords.includes(keyword)));
  const whole = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !rootKeywords.includes(keyword)));
  // 2025-11-25 requires an object at the root; the SDK wraps other roots.
  const type = schema.type === 'object' ? { type: 'object' } : {};
  return { ...root, ...type, anyOf: [whole, cutSchema] };
}

/** Returns the content in place of an output that was cut: its length in `characters`, and the handle if there is one. */
export function cutOutput({ handle }: ToolSuccess, characters: number): JsonValue {
  return {
    cut: {
      characters,
      ...(handle === undefined ? {} : { handle: handle.handle, shape: handle.shape, expiresAt: handle.expiresAt }),
    },
  };
}

/** The length of the longest JSON that the schema allows, if that is easy to compute; otherwise infinite. */
function maxCharacters(schema: unknown): number {
  if (!isObject(schema)) return Number.POSITIVE_INFINITY;
  if ('const' in schema) return JSON.stringify(schema.const).length;
  if (Array.isArray(schema.enum)) return Math.max(...schema.enum.map((value) => JSON.stringify(value).length));
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return Math.max(...choices.map(maxCharacters));
  if (Array.isArray(schema.type)) return Math.max(...schema.type.map((type) => maxCharacters({ ...schema, type })));
  switch (schema.type) {
    case 'null':
    case 'boolean':
      return 5;
    // As JavaScript writes them.
    case 'number':
    case 'integer':
      return 25;
    // Six, because every character may be escaped as \uXXXX.
    case 'string':
      return typeof schema.maxLength === 'number' ? 2 + 6 * schema.maxLength : Number.POSITIVE_INFINITY;
    case 'object':
      return maxObjectCharacters(schema);
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function maxObjectCharacters(schema: Record<string, unknown>): number {
  if (schema.additionalProperties !== false || schema.patternProperties !== undefined) return Number.POSITIVE_INFINITY;
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return properties.reduce((sum, [name, value]) => sum + JSON.stringify(name).length + 2 + maxCharacters(value), 2);
}

/** References into `$defs` still work once the schema is wrapped; others would not. */
function refsSurvive(node: unknown): boolean {
  if (Array.isArray(node)) return node.every(refsSurvive);
  if (!isObject(node)) return true;
  return Object.entries(node).every(([keyword, value]) =>
    /^\$(ref|dynamicRef|recursiveRef)$/.test(keyword) && typeof value === 'string'
      ? /^#\/(\$defs|definitions)\//.test(value)
      : refsSurvive(value),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
