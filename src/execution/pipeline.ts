/**
 * The one way through. Every door calls `run`; the order of the stages is written here and nowhere
 * else: resolve → check intent → validate → authorise → approve → limit → record start → execute →
 * record finish → format. A call of `call_tool` is first taken for a call of the tool that it names. A refusal at any stage goes to record refused → format.
 *
 * A call whose configuration moved between authorisation and its record goes round again, so no
 * call runs, and no answer is given, under a grant that no longer stands.
 */
import { HelveError } from '../spec/errors.js';
import type { CallRequest, ToolResult } from '../spec/execution.js';
import { newId } from '../util/hash.js';
import { type MeantCall, type Refusal, refusal } from './calls.js';
import type { PipelineParts } from './parts.js';
import { refuse, tellable } from './refuse.js';
import { approve } from './stages/approve.js';
import { type AuthorisedCall, authoriseNow, factsOf, refuseOutright } from './stages/authorise.js';
import { checkIntent } from './stages/check-intent.js';
import { execute } from './stages/execute.js';
import { format, formatRefusal } from './stages/format.js';
import { limit } from './stages/limit.js';
import { recordFinish, recordStart, recordWhole } from './stages/record.js';
import { resolve } from './stages/resolve.js';
import { unwrap } from './stages/unwrap.js';
import { validate } from './stages/validate.js';

export interface Pipeline {
  /** Never throws for what a caller did: a refusal or a failure is a result. */
  run(request: CallRequest): Promise<ToolResult>;
}

/** How often a call is authorised anew because the configuration moved under it. */
const mostRounds = 5;

export function createPipeline(parts: PipelineParts): Pipeline {
  return {
    async run(request) {
      const executionId = newId();
      const startedAt = parts.now();
      request.onStart?.(executionId);
      try {
        const meant = await unwrap(request, executionId, parts);
        if ('refused' in meant) return await refuse(request, executionId, meant, startedAt, parts);
        const result = await attempt(meant, executionId, startedAt, parts);
        return 'refused' in result ? await refuse(meant, executionId, result, startedAt, parts) : result;
      } catch (error) {
        return formatRefusal(executionId, request.tool, refusal('internal', tellable(error, parts)), startedAt, parts);
      }
    },
  };
}

async function attempt(
  request: MeantCall,
  executionId: string,
  startedAt: Date,
  parts: PipelineParts,
): Promise<ToolResult | Refusal> {
  let counted = false;
  for (let round = 0; round < mostRounds; round++) {
    const resolved = await resolve(request, executionId, parts);
    if ('refused' in resolved) return resolved;
    const valid = (await checkIntent(resolved, parts)) ?? validate(resolved);
    if ('refused' in valid) {
      const outright = await refuseOutright(resolved, parts);
      if (outright === 'stale') continue;
      return outright ?? valid;
    }
    const call = await authoriseNow(valid, parts);
    if (call === 'stale') continue;
    if ('refused' in call) return call;
    const approvalId = await approve(call, parts);
    if (typeof approvalId === 'object') return approvalId;
    const limited = counted ? undefined : await limit(call, parts);
    if (limited) return limited;
    counted = true;

    const result = await carryOut(call, approvalId, startedAt, parts);
    if (result !== 'stale') return result;
    parts.configurations.forget(request.principal.workspaceId);
  }
  return refusal(
    'record.contended',
    new HelveError('conflict', 'The configuration kept changing while the call was made', { hint: 'Call again.' }),
  );
}

async function carryOut(
  call: AuthorisedCall,
  approvalId: string | undefined,
  startedAt: Date,
  parts: PipelineParts,
): Promise<ToolResult | Refusal | 'stale'> {
  const record = { call, approvalId, startedAt };
  if (factsOf(call).target.tool.hasEffects) {
    const started = await recordStart(record, parts);
    if (started !== 'recorded') return started;
    const outcome = await execute(call, parts);
    await recordFinish(record, outcome, parts);
    return format(call, outcome, startedAt, parts);
  }
  const outcome = await execute(call, parts);
  const recorded = await recordWhole(record, outcome, parts);
  return recorded === 'recorded' ? format(call, outcome, startedAt, parts) : recorded;
}
