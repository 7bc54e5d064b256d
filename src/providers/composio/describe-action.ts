/** An action of the catalogue as a tool of Helve. Its schemas are the source's own, unchanged. */
import type { CatalogueAction } from '../../domain/catalogue.js';
import { toHelveError } from '../../domain/errors.js';
import type { JsonSchema } from '../../domain/json.js';
import type { Idempotency, Tool } from '../../domain/tool.js';
import { visibleStart } from '../../util/visible-text.js';
import { getCapability, judgeNature } from './action-words.js';
import { toolName } from './tool-names.js';

export interface RefusedAction {
  /** Composio's slug. */
  readonly slug: string;
  readonly reason: string;
}

export interface DescribedAction {
  readonly tool: Tool;
  readonly slug: string;
  readonly repeatable: boolean;
}

export type Described = DescribedAction | { readonly refused: RefusedAction };

/** Throws `HelveError` for a schema that must not be used. */
export type AdmitSchema = (schema: JsonSchema) => void;

const byMark: Idempotency = { by: 'repeatable', how: 'Composio marks the action as idempotent' };
const askPerson: Idempotency = { by: 'ask', how: 'Composio takes no idempotency key' };

const maxTitleLength = 200;
const maxDescriptionLength = 4_000;
const timeoutMs = 120_000;

/** Returns the tool, or the reason why the action cannot be offered. */
export function describeAction(app: string, action: CatalogueAction, admit: AdmitSchema | undefined): Described {
  const { slug } = action;
  const inputSchema = getInputSchema(action.inputParameters);
  if (inputSchema === undefined) return { refused: { slug, reason: 'its input is not an object' } };
  try {
    admit?.(inputSchema);
  } catch (thrown) {
    return { refused: { slug, reason: toHelveError(thrown).message.slice(0, 300) } };
  }
  const name = toolName(app, slug);
  const { annotations, risk, hasEffects, repeatable } = judgeNature(name, action.tags);
  const title = visibleStart(action.title.trim() === '' ? slug : action.title, maxTitleLength).replace(/\s+/g, ' ');
  return {
    slug,
    repeatable,
    tool: {
      id: { toolkit: app, name },
      title,
      description: visibleStart(action.description, maxDescriptionLength) || title,
      inputSchema,
      annotations,
      scopes: action.scopes,
      risk,
      hasEffects,
      ...(hasEffects && { idempotency: repeatable ? byMark : askPerson }),
      timeoutMs,
      highRisk: false,
      capabilities: [getCapability(name)].filter((one) => one !== ''),
      examples: [],
      provider: 'composio',
      intrinsic: false,
    },
  };
}

/** Nothing is known about it yet. */
const anyObject: JsonSchema = { type: 'object' };

/** Undefined if it is not an object's schema. Without a `type` it counts as one, because inputs always are. */
function getInputSchema(given: JsonSchema | undefined): JsonSchema | undefined {
  if (given === undefined || Object.keys(given).length === 0) return anyObject;
  if (given.type === 'object') return given;
  return given.type === undefined ? { type: 'object', ...given } : undefined;
}
