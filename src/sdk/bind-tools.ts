/** The tools of one principal with everything that an adapter needs, before they take an SDK's shape. */

import { codeTools, isCallTool, isMetaTool } from '../domain/discovery.js';
import { HelveError, toHelveError } from '../domain/errors.js';
import type { ListedTool, ToolFailure, ToolResult } from '../domain/execution.js';
import type { JsonSchema } from '../domain/json.js';
import { forModel } from '../formats/index.js';
import { isPlainObject } from '../util/canonical.js';
import { defined } from '../util/defined.js';
import { suggestName } from '../util/nearest.js';
import { wasSent } from '../util/was-sent.js';
import type { AdapterOptions, ApprovalRequest, ToolSource } from './tool-source.js';

export interface BoundTool {
  /** The model-facing name. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The tool's own schema. Never pass it to an SDK directly, because SDKs change their input. */
  readonly inputSchema: JsonSchema;
  readonly listed: ListedTool;
  /** Never throws for the outcome of a call: a refusal, a failure or an unreachable plane is a result. */
  call(input: unknown, signal?: AbortSignal): Promise<ToolResult>;
  /** The text or JSON for the model, in the requested format. */
  answer(input: unknown, signal?: AbortSignal): Promise<string | ToolResult>;
}

/** The budget for results that Helve stores behind a handle, unless `maxChars` says otherwise. */
const defaultMaxChars = 10_000;

/**
 * Returns the selected tools of the principal. Throws `tool_not_found` for a name that its list does not contain, and
 * `invalid_input` for options that no adapter has.
 */
export async function bindTools<Who>(
  source: ToolSource<Who>,
  options: AdapterOptions<Who>,
): Promise<readonly BoundTool[]> {
  checkOptions(options);
  const principal = options.principal as Who;
  const isCode = options.mode === 'code';
  // A filter function gets all tools, however many there are.
  const all = isCode || options.tools !== undefined ? true : undefined;
  const found = await source.tools({ principal, ...defined({ all }) });
  const listed = isCode ? chosenForCode(found) : chosen(found, options.tools);
  return listed.map((tool) => bind(tool, source, principal, options));
}

/** Of all adapters: `validate` and `verbatim` are the AI SDK's, `name` is the Claude Agent SDK's. */
const optionNames: readonly (keyof AdapterOptions<unknown> | 'validate' | 'verbatim' | 'name')[] = [
  'principal',
  'tools',
  'mode',
  'intent',
  'format',
  'maxChars',
  'onApproval',
  'validate',
  'verbatim',
  'name',
];

/** In a program without types, a mistyped `tools` or `intent` would give a model more than was meant. */
function checkOptions({
  tools,
  mode,
  format,
  ...rest
}: Pick<AdapterOptions<never>, 'tools' | 'mode' | 'format'>): void {
  const names: readonly string[] = optionNames;
  const unknown = Object.keys(rest).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const hint = suggestName(unknown, names, `The options are ${names.join(', ')}.`);
    throw new HelveError('invalid_input', `toolsFor: there is no option ${JSON.stringify(unknown)}`, { hint });
  }
  const wrong = (name: string, hint: string): HelveError =>
    new HelveError('invalid_input', `toolsFor: ${name} is not one of its values`, { hint });
  if (tools !== undefined && typeof tools !== 'function' && !Array.isArray(tools))
    throw wrong('tools', 'Give a list of names, or a function that filters.');
  if (mode !== undefined && mode !== 'code') throw wrong('mode', "Give 'code', or omit it.");
  if (format !== undefined && format !== 'model' && format !== 'standard')
    throw wrong('format', "Give 'model' or 'standard'.");
}

type ResultOptions = Pick<AdapterOptions<never>, 'format' | 'maxChars'>;

/** How many characters of a result a model sees. */
export function budget(result: ToolResult, { maxChars }: ResultOptions): number {
  // Without a handle the rest would be lost, and the plane considered the result short enough.
  return maxChars ?? (result.ok && result.handle === undefined ? Number.POSITIVE_INFINITY : defaultMaxChars);
}

/** The result as text: within the budget, where errors have code and hint; in the standard format, the whole as JSON. */
export function resultText(result: ToolResult, options: ResultOptions): string {
  return options.format === 'standard' ? JSON.stringify(result) : forModel(result, budget(result, options));
}

/** A copy of a schema that an SDK may change. */
export function freshSchema({ inputSchema }: BoundTool): JsonSchema {
  return structuredClone(inputSchema);
}

function chosen(tools: readonly ListedTool[], wanted: AdapterOptions<never>['tools']): readonly ListedTool[] {
  if (wanted === undefined) return tools;
  if (typeof wanted === 'function') return tools.filter(({ tool }) => !isMetaTool(tool.id)).filter(wanted);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return wanted.map((name) => {
    const tool = byName.get(name);
    if (tool !== undefined) return tool;
    throw new HelveError('tool_not_found', `This principal has no tool ${JSON.stringify(name)}`, {
      hint: suggestName(name, [...byName.keys()], 'Grant it, or remove it from the list.'),
    });
  });
}

/** Throws `tool_not_found` if one is switched off in the workspace. */
function chosenForCode(tools: readonly ListedTool[]): readonly ListedTool[] {
  const own = tools.filter(({ tool }) => isMetaTool(tool.id));
  return codeTools.map((name) => {
    const found = own.find(({ tool }) => tool.id.name === name);
    if (found) return found;
    throw new HelveError('tool_not_found', `This principal has no ${name}, which code mode needs`, {
      hint: 'Grant it a tool, and enable the toolkit discovery in the workspace.',
    });
  });
}

/** In code mode tools are described as functions of programs, also to a principal that sees them directly. */
function asProgram({ tool }: ListedTool, input: unknown): unknown {
  const isDescribe = isMetaTool(tool.id) && tool.id.name === 'describe_tools';
  return isDescribe && isPlainObject(input) ? { format: 'program', ...input } : input;
}

function bind<Who>(
  listed: ListedTool,
  source: ToolSource<Who>,
  principal: Who,
  options: AdapterOptions<Who>,
): BoundTool {
  const { onApproval, intent } = options;
  const { name, tool } = listed;

  async function attempt(input: unknown, signal?: AbortSignal, approvalId?: string): Promise<ToolResult> {
    const asked = typeof intent === 'function' ? intent() : intent;
    const stoppedBefore = signal?.aborted === true;
    try {
      const sent = options.mode === 'code' ? asProgram(listed, input) : input;
      return await source.execute({
        principal,
        tool: name,
        input: sent,
        ...defined({ signal, approvalId, intent: asked }),
      });
    } catch (thrown) {
      const stopped = signal?.aborted === true;
      return unreached(listed, thrown, { stopped, mayHaveRun: !stoppedBefore && wasSent(thrown) });
    }
  }

  async function call(input: unknown, signal?: AbortSignal): Promise<ToolResult> {
    const result = await attempt(input, signal);
    const request = approvalRequest(result, isCallTool(tool.id) ? argumentsIn(input) : input, signal);
    if (request === undefined || !(await onApproval?.(request))) return result;
    return attempt(input, signal, request.approvalId);
  }

  return {
    name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    listed,
    call,
    async answer(input, signal) {
      const result = await call(input, signal);
      return options.format === 'standard' ? result : resultText(result, options);
    },
  };
}

/** For `call_tool`: the arguments of the tool that it names, which is what a person approves. */
function argumentsIn(input: unknown): unknown {
  const named = typeof input === 'object' && input !== null && 'arguments' in input ? input.arguments : undefined;
  return named ?? {};
}

/**
 * The result if the call got no answer; the id of its execution is unknown. If the request was sent and the tool has
 * effects, it may have run.
 */
function unreached(
  { name, tool }: ListedTool,
  thrown: unknown,
  { stopped, mayHaveRun }: { readonly stopped: boolean; readonly mayHaveRun: boolean },
): ToolFailure {
  const known = stopped
    ? new HelveError('cancelled', 'The caller cancelled the call', { cause: thrown })
    : toHelveError(thrown);
  const isOpen = mayHaveRun && (stopped || known.code === 'upstream_failed') && !tool.annotations.readOnlyHint;
  const error = isOpen
    ? new HelveError('outcome_unknown', `${known.message}, and the tool may have run`, {
        hint: 'Check whether it had its effect before you call again.',
        details: { reason: known.code },
        cause: thrown,
      })
    : known;
  return { ok: false, executionId: '', tool: name, rule: 'unreached', durationMs: 0, error: error.toJSON() };
}

function approvalRequest(result: ToolResult, input: unknown, signal?: AbortSignal): ApprovalRequest | undefined {
  if (result.ok || result.error.code !== 'approval_required') return undefined;
  const { approvalId, url, expiresAt } = result.error.details ?? {};
  if (typeof approvalId !== 'string') return undefined;
  return {
    tool: result.tool,
    input,
    approvalId,
    ...defined({
      url: typeof url === 'string' ? url : undefined,
      expiresAt: typeof expiresAt === 'string' ? expiresAt : undefined,
      signal,
    }),
  };
}
