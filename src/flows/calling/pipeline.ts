/**
 * The only path of a call. Every surface calls `run`; only this file defines the order of the stages: admit → resolve →
 * check intent → validate → authorise → approve → limit → record start → execute → record finish → format. A call of
 * `call_tool` is first converted to a call of the tool that it names. A refusal at any stage goes to record refused →
 * format.
 *
 * If the configuration changed between authorisation and the audit record, the call is authorised again, so no call
 * runs, and no answer is returned, under a grant that no longer exists. A request that has left this machine is not
 * repeated for that: only the right to its answer is checked again.
 */
import { HelveError } from '../../domain/errors.js';
import type { CallPreview, CallRequest, ToolFailure, ToolResult } from '../../domain/execution.js';
import type { CallEnd } from '../../domain/telemetry.js';
import type { TraceContext } from '../../domain/trace-context.js';
import { defined } from '../../util/defined.js';
import { newId } from '../../util/hash.js';
import { type MeantCall, type Outcome, type Refusal, refusal } from './calls.js';
import { type ExplainedCall, explainCall } from './explain.js';
import type { NamedTool, PipelineParts } from './parts.js';
import { refuse, tellable } from './refuse.js';
import { createStageClock, type StageClock } from './stage-clock.js';
import { approve, readMeaning } from './stages/approve.js';
import {
  type AuthorisedCall,
  type AuthorisedFacts,
  authoriseNow,
  factsOf,
  refuseOutright,
} from './stages/authorise.js';
import { checkIntent } from './stages/check-intent.js';
import { execute } from './stages/execute.js';
import { format, formatRefusal } from './stages/format.js';
import { admit, limit } from './stages/limit.js';
import { recordAnswer, recordFinish, recordStart, recordWhole } from './stages/record.js';
import { resolve } from './stages/resolve.js';
import { unwrap } from './stages/unwrap.js';
import { validate } from './stages/validate.js';

export interface Pipeline {
  /** Never throws because of the caller: a refusal or a failure is a result. */
  run(request: CallRequest): Promise<ToolResult>;
  /**
   * Takes the call through every stage before the approval; nothing runs and nothing is recorded. `draft`: some arguments
   * are not known yet, so they need not fit the tool's schema.
   */
  preview(request: CallRequest, options?: { readonly draft?: boolean }): Promise<CallPreview | ToolFailure>;
  /** What it would answer, layer by layer: see explain.ts. Throws for a failing store. */
  explain(request: CallRequest): Promise<ExplainedCall>;
}

/** Maximum number of times a call is authorised again because the configuration changed. */
const maxRounds = 5;

/** Creates the pipeline from its parts. */
export function createPipeline(parts: PipelineParts): Pipeline {
  return {
    explain: (request) => explainCall(request, parts),
    async preview(request, { draft = false } = {}) {
      const executionId = newId();
      const startedAt = parts.now();
      try {
        const result = await previewCall(request, { executionId, draft }, parts);
        return 'refused' in result ? formatRefusal(executionId, request.tool, result, startedAt, parts) : result;
      } catch (error) {
        return formatRefusal(executionId, request.tool, refusal('internal', tellable(error, parts)), startedAt, parts);
      }
    },
    async run(asked) {
      const executionId = newId();
      const startedAt = parts.now();
      const clock = createStageClock();
      const progress: Progress = { executionId, startedAt, clock, draft: false, counted: false, runs: 0 };
      const { principal, door } = asked;
      const trace = parts.trace?.({ executionId, door, principal, from: asked.trace });
      const request = trace === undefined ? asked : { ...asked, trace: trace.context };
      const ended = (result: ToolResult, isRefused: boolean): ToolResult => {
        const end = describeEnd(asked, result, { progress, isRefused, trace: trace?.context });
        parts.onEnded?.(end);
        trace?.end(end, clock.ends());
        return result;
      };
      const timed = (no: Refusal): Refusal => {
        clock.refuse();
        return { ...no, stages: clock.ends() };
      };
      request.onStart?.(executionId);
      try {
        const over = await admit(request, parts);
        if (!over) clock.end('admit');
        const meant = await unwrap(request, executionId, parts);
        if (over) {
          // The schema of the tool that is meant says what of its arguments is secret.
          const known = 'refused' in meant ? request : meant;
          return ended(await refuse(known, executionId, timed(over), startedAt, parts), true);
        }
        if ('refused' in meant) return ended(await refuse(request, executionId, timed(meant), startedAt, parts), true);
        const result = await attempt(meant, progress, parts);
        if (!('refused' in result)) return ended(result, false);
        const no = timed({ ...result, runs: progress.runs });
        return ended(await refuse(meant, executionId, no, startedAt, parts), true);
      } catch (error) {
        const no = refusal('internal', tellable(error, parts));
        return ended(formatRefusal(executionId, request.tool, no, startedAt, parts), false);
      }
    },
  };
}

interface Ending {
  readonly progress: Progress;
  readonly isRefused: boolean;
  readonly trace: TraceContext | undefined;
}

function describeEnd(
  { principal, door }: CallRequest,
  result: ToolResult,
  { progress, isRefused, trace }: Ending,
): CallEnd {
  const { executionId, target, clock } = progress;
  return {
    executionId,
    workspaceId: principal.workspaceId,
    caller: principal,
    door,
    trace,
    tool: target && { name: target.name, toolkit: target.tool.id.toolkit },
    kind: target?.provider.kind ?? 'unknown',
    outcome: result.ok ? 'ok' : isRefused ? 'refused' : 'failed',
    code: result.ok ? 'none' : result.error.code,
    milliseconds: clock.milliseconds(),
  };
}

interface Attempted {
  readonly executionId: string;
  readonly draft: boolean;
  /** Absent for a call that is not made. */
  readonly clock?: StageClock;
  /** The tool that was meant, once that is clear. */
  target?: NamedTool;
}

/** The stages before the approval. `stale`: the configuration changed meanwhile. */
async function authoriseOnce(
  request: MeantCall,
  attempted: Attempted,
  parts: PipelineParts,
): Promise<AuthorisedCall | Refusal | 'stale'> {
  const { executionId, draft, clock } = attempted;
  const resolved = await resolve(request, executionId, parts);
  if ('refused' in resolved) return resolved;
  attempted.target = resolved.target;
  clock?.end('resolve');
  const valid = (await checkIntent(resolved, parts)) ?? validate(resolved, { draft });
  if ('refused' in valid) return (await refuseOutright(resolved, parts)) ?? valid;
  clock?.end('validate');
  const authorised = await authoriseNow(valid, parts);
  if (authorised !== 'stale' && !('refused' in authorised)) clock?.end('authorise');
  return authorised;
}

/** A call that is not made yet. */
async function previewCall(
  request: CallRequest,
  { executionId, draft }: Attempted,
  parts: PipelineParts,
): Promise<CallPreview | Refusal> {
  const meant = await unwrap(request, executionId, parts);
  if ('refused' in meant) return meant;
  for (let round = 0; round < maxRounds; round++) {
    const call = await authoriseOnce(meant, { executionId, draft }, parts);
    if (call === 'stale') continue;
    return 'refused' in call ? call : describeCall(factsOf(call), parts);
  }
  return contended();
}

async function describeCall(facts: AuthorisedFacts, parts: PipelineParts): Promise<CallPreview> {
  const { target, input, inputHash, config, configuration, needsApproval, rule } = facts;
  const { name, tool, connectionId, slug } = target;
  return {
    ok: true,
    tool: { name, tool, ...defined({ connectionId, slug }) },
    input,
    inputHash,
    policyVersion: configuration.policyVersion,
    config,
    ...defined({ meaning: await readMeaning(facts, parts) }),
    ...(needsApproval ? { approval: rule } : {}),
  };
}

/** The state of a call over its rounds. */
interface Progress extends Attempted {
  readonly startedAt: Date;
  readonly clock: StageClock;
  counted: boolean;
  /** How often the tool has run. */
  runs: number;
  /** A read whose start is on disk and which has run: its answer is returned only while the grant exists. */
  answer?: { readonly approvalId: string | undefined; readonly call: AuthorisedCall; readonly outcome: Outcome };
}

async function attempt(request: MeantCall, progress: Progress, parts: PipelineParts): Promise<ToolResult | Refusal> {
  const { executionId, startedAt, clock } = progress;
  const result = await rounds(request, progress, parts);
  const { answer, runs } = progress;
  if (!('refused' in result) || !answer) return result;
  // It has run, so it ends with a finish row, and its answer is not returned.
  const record = { ...answer, startedAt, runs, stages: clock.ends() };
  await recordFinish(record, { ok: false, error: result.error.toJSON() }, parts);
  return formatRefusal(executionId, factsOf(answer.call).target.name, result, startedAt, parts);
}

async function rounds(request: MeantCall, progress: Progress, parts: PipelineParts): Promise<ToolResult | Refusal> {
  const { clock } = progress;
  for (let round = 0; round < maxRounds; round++) {
    const call = await authoriseOnce(request, progress, parts);
    if (call === 'stale') continue;
    if ('refused' in call) return call;
    const approvalId = progress.answer?.approvalId ?? (await approve(call, parts));
    if (typeof approvalId === 'object') return approvalId;
    clock.end('approve');
    const limited = progress.counted ? undefined : await limit(call, parts);
    if (limited) return limited;
    progress.counted = true;
    clock.end('limit');

    const result = await carryOut(call, approvalId, progress, parts);
    if (result !== 'stale') return result;
    parts.configurations.forget(request.principal.workspaceId);
  }
  return contended();
}

const contended = (): Refusal =>
  refusal(
    'record.contended',
    new HelveError('conflict', 'The configuration kept changing while the call was made', { hint: 'Call again.' }),
  );

async function carryOut(
  call: AuthorisedCall,
  approvalId: string | undefined,
  progress: Progress,
  parts: PipelineParts,
): Promise<ToolResult | Refusal | 'stale'> {
  const { startedAt, clock } = progress;
  const { hasEffects, local = false } = factsOf(call).target.tool;
  const record = () => ({ call, approvalId, startedAt, runs: progress.runs, stages: clock.ends() });
  if (!hasEffects && local) {
    progress.runs += 1;
    const outcome = await execute(call, parts);
    clock.end('execute');
    const recorded = await recordWhole(record(), outcome, parts);
    return recorded === 'recorded' ? format(call, outcome, startedAt, parts) : recorded;
  }
  if (!progress.answer) {
    const started = await recordStart(record(), parts);
    if (started !== 'recorded') return started;
    clock.end('record');
    progress.runs += 1;
    const outcome = await execute(call, parts);
    clock.end('execute');
    if (hasEffects) {
      await recordFinish(record(), outcome, parts);
      return format(call, outcome, startedAt, parts);
    }
    progress.answer = { approvalId, call, outcome };
  }
  const { outcome } = progress.answer;
  if ((await recordAnswer(record(), outcome, parts)) === 'stale') return 'stale';
  delete progress.answer;
  return format(call, outcome, startedAt, parts);
}
