/**
 * What MCP is told about a tool's output, and what is sent when that output is over the budget.
 *
 * A tool with an advertised output schema must answer every success with structured content that fits
 * it, and clients refuse the result otherwise; many clients also put that content before the model. So
 * an output that may outgrow the budget is advertised as "this, or a cut result", and an output that
 * did is sent as the cut result. A schema that bounds its own size is advertised as it stands; one whose
 * references could not survive being wrapped is not advertised at all.
 */
import type { ToolSuccess } from '../domain/execution.js';
import type { JsonSchema, JsonValue } from '../domain/json.js';

const cutSchema: JsonSchema = {
  type: 'object',
  description: 'In place of a result that is too long to show. Read the whole with result_read.',
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
/** What is no longer than this is always sent whole, whatever the budget. */
export const smallCharacters = 2_000;

/** The advertised form of a tool's output schema; undefined where none can be kept. */
export function advertisedOutputSchema(schema: JsonSchema): JsonSchema | undefined {
  if (maxCharacters(schema) <= smallCharacters) return schema;
  if (Object.hasOwn(schema, '$id') || !refsSurvive(schema)) return undefined;
  const root = Object.fromEntries(Object.entries(schema).filter(([keyword]) => rootKeywords.includes(keyword)));
  const whole = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !rootKeywords.includes(keyword)));
  // 2025-11-25 wants an object at the root; other roots are wrapped for it by the SDK.
  const type = schema.type === 'object' ? { type: 'object' } : {};
  return { ...root, ...type, anyOf: [whole, cutSchema] };
}

export function cutOutput({ handle }: ToolSuccess, characters: number): JsonValue {
  return {
    cut: {
      characters,
      ...(handle === undefined ? {} : { handle: handle.handle, shape: handle.shape, expiresAt: handle.expiresAt }),
    },
  };
}

/** The longest JSON that the schema allows, where it can be told at a glance; else infinite. */
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
    // Six: every character may be escaped as \uXXXX.
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

/** References into `$defs` still point there once the schema is wrapped; any other would not. */
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
