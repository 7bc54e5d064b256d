/**
 * May this principal make this call? Grants first, then policies; the decision names its rule.
 *
 * The class below is exported only as a type: no other module can construct one, and its fields are `#private`, so
 * everything that `execute` gets has passed this stage.
 */
import { HelveError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { type Refusal, type ResolvedCall, refusal, type StageAnswer, type ValidCall } from '../calls.js';
import type { CallVerdict, PipelineParts } from '../parts.js';

export interface AuthorisedFacts extends ValidCall {
  readonly rule: string;
  readonly reason: string;
  readonly needsApproval: boolean;
  /** Whether the calling program may submit the person's answer. */
  readonly elicitation: boolean;
  readonly config: JsonObject;
  readonly rateLimits: CallVerdict['rateLimits'];
}

class AuthorisedCall {
  readonly #facts: AuthorisedFacts;

  constructor(facts: AuthorisedFacts) {
    this.#facts = Object.freeze(facts);
    Object.freeze(this);
  }

  /** Throws `TypeError` for anything that was not created here. */
  static factsOf(call: AuthorisedCall): AuthorisedFacts {
    return call.#facts;
  }
}

export type { AuthorisedCall };
export const factsOf = AuthorisedCall.factsOf;

const noConfig: JsonObject = Object.freeze({});

/**
 * Returns `stale` if the configuration used for the decision has been replaced. The commit of a call that runs checks
 * this against the newest configuration; a refusal, or a question to a person, has no such commit, so it is checked
 * here.
 */
export function authoriseNow(call: ValidCall, parts: PipelineParts): StageAnswer<AuthorisedCall | Refusal | 'stale'> {
  const answer = authorise(call, parts);
  return 'refused' in answer || factsOf(answer).needsApproval ? unlessStale(answer, call, parts) : answer;
}

async function unlessStale(
  answer: AuthorisedCall | Refusal,
  call: ValidCall,
  parts: PipelineParts,
): Promise<AuthorisedCall | Refusal | 'stale'> {
  const fresh = await parts.configurations.getFresh(call.request.principal.workspaceId);
  return fresh.revision === call.configuration.revision ? answer : 'stale';
}

/**
 * Returns the refusal of a caller that may not call the tool with any arguments; undefined for others. Errors about a
 * call's arguments reveal the tool's schema, so they are returned only to callers that may make some call of it.
 */
export async function refuseOutright(call: ResolvedCall, parts: PipelineParts): Promise<Refusal | 'stale' | undefined> {
  const { configuration, target, request } = call;
  const { tool, connectionId } = target;
  const verdict = parts.decide({ configuration, principal: request.principal, tool, connectionId });
  if (verdict.decision.effect !== 'deny') return undefined;
  const fresh = await parts.configurations.getFresh(request.principal.workspaceId);
  return fresh.revision === configuration.revision ? refuse(verdict, call) : 'stale';
}

function authorise(call: ValidCall, parts: PipelineParts): AuthorisedCall | Refusal {
  const { configuration, target, input } = call;
  const { principal } = call.request;
  const { tool, connectionId } = target;
  const verdict = parts.decide({ configuration, principal, tool, connectionId, input });
  const { decision, grant, rateLimits, elicitation } = verdict;
  if (decision.effect === 'deny') return refuse(verdict, call);

  const config = grant && Object.hasOwn(grant.config, tool.id.name) ? grant.config[tool.id.name] : undefined;
  const { executionId, request, inputHash } = call;
  return new AuthorisedCall({
    executionId,
    request,
    target,
    configuration,
    input,
    inputHash,
    rule: decision.rule,
    reason: decision.reason,
    needsApproval: decision.effect === 'require_approval',
    elicitation: parts.mayElicit({ principal, tool: target.tool, policy: elicitation }),
    config: config ?? noConfig,
    rateLimits,
  });
}

function refuse({ decision, refusedBy }: CallVerdict, { target, request }: ResolvedCall): Refusal {
  const code = refusedBy === 'policy' ? 'denied_by_policy' : 'not_granted';
  const { rule } = decision;
  if (rule.startsWith('connection.')) {
    // The same text for every reason, so that callers cannot learn what others have connected.
    const hint =
      rule === 'connection.scopes' ? decision.reason : 'Tell the person: the account must be connected again.';
    return refusal(
      rule,
      new HelveError('connection_inaccessible', 'Connection not accessible', { hint, details: { rule } }),
    );
  }
  const hint =
    code === 'not_granted'
      ? 'Use another tool, or ask the operator to grant this one.'
      : request.principal.permissions.includes('policies:write')
        ? 'You may change that: see helve policies, or Policies in the panel.'
        : 'Do not try again: the operator has decided against this call.';
  return refusal(
    decision.rule,
    new HelveError(code, `${target.name}: ${decision.reason}`, { hint, details: { rule: decision.rule } }),
  );
}
