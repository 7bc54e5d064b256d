/**
 * Tools for the AI SDK (`ai`). The model is sent each tool's own schema. Arguments are checked with the plane's own
 * validator, because the AI SDK does not check a plain JSON Schema at all.
 */
import type { JSONSchema7, ToolSet } from 'ai';
import type { JsonSchema } from '../domain/json.js';
import { peer } from '../util/peer.js';
import { type BoundTool, bindTools, freshSchema } from './bind-tools.js';
import { checkInput } from './check-input.js';
import { sealSchema } from './seal-schema.js';
import type { AdapterOptions, ToolSource } from './tool-source.js';

export type AiSdkOptions<Who> = AdapterOptions<Who> & {
  /**
   * Who refuses wrong arguments. `sdk`: the AI SDK, before the call (its tool-call repair works, and the plane does not
   * record the refusal). `plane`: Helve, which records it. Default `sdk`.
   */
  readonly validate?: 'sdk' | 'plane';
  /** Whether to prevent the provider's package from rewriting schemas. Default true; see docs/sdk/ai-sdk.md. */
  readonly verbatim?: boolean;
};

/** Returns the principal's tools by model-facing name, for `generateText`, `streamText` and agents. */
export async function toolsFor<Who>(source: ToolSource<Who>, options = {} as AiSdkOptions<Who>): Promise<ToolSet> {
  const { jsonSchema } = await peer('ai', () => import('ai'));
  const { validate = 'sdk', verbatim = true } = options;
  const tools = await bindTools(source, options);
  const entries = tools.map((tool) => {
    const schema = verbatim && isRewritten(tool.inputSchema) ? sealSchema(tool.inputSchema) : freshSchema(tool);
    return [
      tool.name,
      {
        description: tool.description,
        // OpenAI's Responses API is strict by default, and strict mode needs another schema.
        strict: false,
        inputSchema: jsonSchema(schema as JSONSchema7, { validate: validator(tool, validate) }),
        execute: (input: unknown, { abortSignal }: { abortSignal?: AbortSignal } = {}) =>
          tool.answer(input, abortSignal),
      },
    ];
  });
  return Object.fromEntries(entries);
}

type Validation = { success: true; value: unknown } | { success: false; error: Error };

function validator(tool: BoundTool, mode: 'sdk' | 'plane'): (value: unknown) => Validation {
  if (mode === 'plane') return (value) => ({ success: true, value });
  return (value) => {
    const checked = checkInput(tool, value);
    return checked.ok ? { success: true, value: checked.value } : { success: false, error: new Error(checked.message) };
  };
}

/**
 * Whether `@ai-sdk/openai` may rewrite the schema: it drops `propertyNames` and patterns with lookaround, and dissolves an
 * `allOf` of one `$ref`. False positives are harmless.
 */
function isRewritten(schema: JsonSchema): boolean {
  return /"(?:propertyNames|allOf)":|\(\?[=!<]/.test(JSON.stringify(schema));
}
