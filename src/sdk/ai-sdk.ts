/**
 * Tools for the AI SDK (`ai`). The model is sent each tool's own schema; arguments are checked against it by the same
 * validator as the plane's, since the AI SDK does not check a bare JSON Schema at all.
 */
import type { JSONSchema7, ToolSet } from 'ai';
import type { JsonSchema } from '../domain/json.js';
import { type BoundTool, bindTools, freshSchema } from './bind-tools.js';
import { checkInput } from './check-input.js';
import { peer } from './peer.js';
import { sealSchema } from './seal-schema.js';
import type { AdapterOptions, ToolSource } from './tool-source.js';

export type AiSdkOptions<Who> = AdapterOptions<Who> & {
  /**
   * Who refuses wrong arguments. `sdk`: the AI SDK, before it calls (its tool-call repair works, the plane's record does
   * not see the call). `plane`: Helve, with the refusal in its record. Default `sdk`.
   */
  readonly validate?: 'sdk' | 'plane';
  /** Whether schemas are kept from being rewritten by the provider's package. Default true; see docs/sdk/ai-sdk.md. */
  readonly verbatim?: boolean;
};

/** By model-facing name, for `generateText`, `streamText` and agents. */
export async function toolsFor<Who>(source: ToolSource<Who>, options: AiSdkOptions<Who>): Promise<ToolSet> {
  const { jsonSchema } = await peer('ai', () => import('ai'));
  const { validate = 'sdk', verbatim = true } = options;
  const tools = await bindTools(source, options);
  const entries = tools.map((tool) => {
    const schema = verbatim && isRewritten(tool.inputSchema) ? sealSchema(tool.inputSchema) : freshSchema(tool);
    return [
      tool.name,
      {
        description: tool.description,
        // OpenAI's Responses API is strict unless it is told otherwise; strict wants another schema.
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
 * Whether `@ai-sdk/openai` may rewrite it: it drops `propertyNames` and patterns that look around, and dissolves an
 * `allOf` of one `$ref`. Said too often rather than too seldom.
 */
function isRewritten(schema: JsonSchema): boolean {
  return /"(?:propertyNames|allOf)":|\(\?[=!<]/.test(JSON.stringify(schema));
}
