/** Creates the standard result. A result that is too long to show is stored in full behind a handle. */
import { randomBytes } from 'node:crypto';
import { HelveError } from '../../../domain/errors.js';
import type { ResultHandle, ToolFailure, ToolResult } from '../../../domain/execution.js';
import { nameCaller } from '../../../domain/principal.js';
import { defined } from '../../../util/defined.js';
import { sha256 } from '../../../util/hash.js';
import { outputJson } from '../../../util/json-text.js';
import { outline } from '../../../util/outline.js';
import type { MeantCall, Outcome, Refusal } from '../calls.js';
import type { PipelineParts } from '../parts.js';
import { type AuthorisedCall, factsOf } from './authorise.js';

export async function format(
  call: AuthorisedCall,
  outcome: Outcome,
  startedAt: Date,
  parts: PipelineParts,
): Promise<ToolResult> {
  const { executionId, target, rule, request } = factsOf(call);
  const base = { executionId, tool: target.name, rule, durationMs: parts.now().getTime() - startedAt.getTime() };
  if (!outcome.ok) return { ok: false, ...base, error: outcome.error };
  const { tool } = target;
  // An intrinsic tool returns what other tools have answered.
  const isDescribed = tool.outputSchema !== undefined || tool.documentedOutput !== undefined;
  if (!isDescribed && !tool.intrinsic) parts.noteAnswer?.(request.principal.workspaceId, tool, outcome.output);
  const handle = tool.intrinsic ? undefined : await keepLongResult(call, outcome, parts);
  request.onOutput?.(outcome.text);
  return {
    ok: true,
    ...base,
    output: outcome.output,
    ...defined({ content: outcome.content, handle }),
  };
}

/** Returns the result of a call that a stage refused. */
export function formatRefusal(
  executionId: string,
  tool: string,
  no: Refusal,
  startedAt: Date,
  parts: PipelineParts,
): ToolFailure {
  const durationMs = parts.now().getTime() - startedAt.getTime();
  return { ok: false, executionId, tool, rule: no.rule, durationMs, error: no.error.toJSON() };
}

/** A result with more characters is kept behind a handle. */
export function findBudget({ run }: Pick<MeantCall, 'run'>, { resultMaxChars }: PipelineParts): number {
  return run?.maxAnswerChars ?? resultMaxChars;
}

async function keepLongResult(
  call: AuthorisedCall,
  { output, text }: Outcome & { readonly ok: true },
  parts: PipelineParts,
): Promise<ResultHandle | undefined> {
  const { request, target, executionId, input } = factsOf(call);
  const characters = text.length;
  if (characters <= findBudget(request, parts)) return undefined;
  const handle = request.run ? nameHandle(executionId) : `result_${randomBytes(12).toString('hex')}`;
  const expiresAt = new Date(parts.now().getTime() + parts.resultLifetimeMs).toISOString();
  const result = {
    handle,
    executionId,
    caller: nameCaller(request.principal),
    toolkit: target.tool.id.toolkit,
    tool: target.tool.id.name,
    input,
    value: output,
    json: outputJson(output, text),
    expiresAt,
    ...defined({ connectionId: target.connectionId }),
  };
  try {
    await parts.storeResult(request.principal.workspaceId, result);
  } catch (cause) {
    if (!target.tool.hasEffects) throw cause;
    parts.reportError(cause);
    throw notKept(target.name, characters, cause);
  }
  return { handle, characters, expiresAt, shape: outline(output) };
}

/** Not retryable, unlike the error of the store: the effect has happened. */
function notKept(tool: string, characters: number, cause: unknown): HelveError {
  const said = `${tool} ran and succeeded, but its answer of ${characters} characters could not be kept`;
  return new HelveError('outcome_unknown', said, { hint: 'Do not repeat the call; look at what it changed.', cause });
}

/** A replay must get the same name for the same answer. */
const nameHandle = (executionId: string): string => `result_${sha256(executionId).slice(0, 24)}`;

/** What a program, or the model of a loop, gets instead of an answer that is longer than its run allows. */
export function tooLong(tool: string, executionId: string, { characters, isLoop = false }: LongAnswer): HelveError {
  const handle = nameHandle(executionId);
  const how = isLoop
    ? `result_read with {"handle":"${handle}","query":"$…"}`
    : `results.resultRead({ handle: '${handle}', query: '$…' })`;
  return new HelveError(
    'too_large',
    `${tool} ran; its answer has ${characters} characters of JSON and is kept as ${handle}`,
    {
      hint: `Read a part of it: ${how}; the query is a JSONPath. Do not repeat the call for it.`,
      details: { handle, characters },
    },
  );
}

interface LongAnswer {
  readonly characters: number;
  /** Whether a model reads it, which calls tools by name. */
  readonly isLoop?: boolean | undefined;
}
