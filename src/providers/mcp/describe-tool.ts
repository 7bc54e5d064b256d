/**
 * Converts a tool as a server describes it. Its texts are data: they are truncated, and hidden characters are made visible.
 * A hint about its safety counts only if it is a warning.
 */
import type { JsonSchema } from '../../domain/json.js';
import type { RiskTier, Tool, ToolAnnotations } from '../../domain/tool.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { definitionHash, toDefinition } from '../../util/tool-definition.js';
import { hiddenCharacters, imitates, scanText, visibleStart, visibleText } from '../../util/visible-text.js';
import { admitSchema } from './admit-schema.js';
import { headerProblem } from './header-parameters.js';
import { limits } from './limits.js';

export interface RefusedTool {
  /** Visible, at most 100 characters. */
  readonly name: string;
  readonly reason: string;
}

export type Described = { readonly tool: Tool } | { readonly refused: RefusedTool };

/** A list item of a server: everything but the name is checked later. */
export interface ListedTool extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Whether the value has the shape of a listed tool. */
export function isListedTool(value: unknown): value is ListedTool {
  return isPlainObject(value) && typeof value.name === 'string' && isPlainObject(value.inputSchema);
}

/** A listed tool, the text of its definition, and the hash that a workspace accepts. */
export function definitionOfListed(listed: ListedTool): { readonly hash: string; readonly text: string } {
  const text = toDefinition(listed);
  return { hash: definitionHash(text), text };
}

/** Returns the tool, or its name and the reason why it is refused. Does not throw. */
export function describeTool(toolkit: string, listed: unknown): Described {
  if (!isListedTool(listed)) return refuse(listed, 'it has no name or no input schema');
  const problem = nameProblem(listed.name) ?? taskProblem(listed);
  if (problem !== undefined) return refuse(listed, problem);
  if (listed.inputSchema.type !== 'object') return refuse(listed, 'its input is not an object');
  const input = admitSchema(listed.inputSchema);
  if ('refused' in input) return refuse(listed, input.refused);
  const marks = headerProblem(listed.inputSchema);
  if (marks !== undefined) return refuse(listed, marks);
  let definition: Tool['definition'];
  try {
    definition = definitionOfListed(listed);
  } catch (error) {
    return refuse(listed, `its definition cannot be stored: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (definition.text.length > limits.definitionCharacters) {
    return refuse(listed, `its definition has more than ${limits.definitionCharacters} characters`);
  }
  return { tool: toTool(toolkit, listed, input.schema, definition) };
}

function toTool(
  toolkit: string,
  listed: ListedTool,
  inputSchema: JsonSchema,
  definition: NonNullable<Tool['definition']>,
): Tool {
  const given = objectOrEmpty(listed.annotations);
  const annotations = hints(given);
  const outputSchema = getOutput(listed);
  const { name } = listed;
  const title = text(listed.title, limits.titleCharacters) ?? text(given.title, limits.titleCharacters) ?? name;
  return {
    id: { toolkit, name },
    title: title.replace(/\s+/g, ' '),
    description: text(listed.description, limits.descriptionCharacters) ?? '',
    inputSchema,
    ...defined({ outputSchema }),
    annotations,
    scopes: [],
    risk: chooseRisk(given),
    highRisk: false,
    capabilities: [
      name
        .replace(/[^A-Za-z0-9]+/g, ' ')
        .trim()
        .toLowerCase(),
    ].filter((words) => words !== ''),
    examples: [],
    definition,
    provider: 'mcp',
    // A server's claim that a tool only reads is not verified.
    hasEffects: true,
    idempotency: { by: 'ask', how: 'MCP has no way to recognise a call that was made before' },
    intrinsic: false,
    timeoutMs: limits.callMs,
  };
}

/** Missing hints count as the worst case, as the protocol says: our clients see these values. */
function hints(given: Readonly<Record<string, unknown>>): ToolAnnotations {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = given;
  const readOnly = readOnlyHint === true;
  return {
    readOnlyHint: readOnly,
    destructiveHint: !readOnly && destructiveHint !== false,
    idempotentHint: readOnly || idempotentHint === true,
    openWorldHint: openWorldHint !== false,
  };
}

/**
 * Never `read`: the claim that a tool changes nothing is not verified. A tool that warns about itself is `destructive`
 * and therefore denied until a policy allows it. Without hints it is `write`, although the protocol reads that as
 * destructive: most servers set no hints, and a default that denies nearly every tool would make operators allow
 * everything. For a stricter rule, write one policy for the toolkit (`when: { toolkits: [slug] }`, `require_approval` or `deny`).
 */
function chooseRisk({ destructiveHint, readOnlyHint }: Readonly<Record<string, unknown>>): RiskTier {
  return destructiveHint === true && readOnlyHint !== true ? 'destructive' : 'write';
}

/** Only an aid for reading the result: a schema that cannot be compiled, or is not an object's, is omitted. */
function getOutput({ outputSchema }: ListedTool): JsonSchema | undefined {
  if (!isPlainObject(outputSchema) || outputSchema.type !== 'object') return undefined;
  const admitted = admitSchema(outputSchema);
  return 'schema' in admitted ? admitted.schema : undefined;
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'its name is empty';
  if (name.length > limits.nameCharacters) return `its name has more than ${limits.nameCharacters} characters`;
  if (hiddenCharacters(name).length > 0) return 'its name has hidden characters';
  if (imitates(name) || name !== name.normalize('NFKC')) return 'its name has letters that look like others';
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_./: -]*$/u.test(name) || /\s{2}|\s$/.test(name)) {
    return 'its name has characters that no name has';
  }
  const [flag] = scanText(name.replaceAll(/[_./:-]+/g, ' '));
  return flag === undefined ? undefined : 'its name reads like an instruction';
}

/** Whether the tool can only be polled: this client waits for an answer, so it cannot use such a tool. */
function taskProblem({ execution }: ListedTool): string | undefined {
  return isPlainObject(execution) && execution.taskSupport === 'required' ? 'it runs only as a task' : undefined;
}

function text(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  return visibleStart(value, max);
}

function refuse(listed: unknown, reason: string): Described {
  const name = isPlainObject(listed) && typeof listed.name === 'string' ? listed.name : '';
  return { refused: { name: visibleText(name.slice(0, 100)).slice(0, 100), reason } };
}
