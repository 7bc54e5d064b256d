/**
 * Requires a person's approval if the decision asks for one. It is used up later, in the same commit as the start of
 * the call.
 */
import type { Approval, ApprovalRequest } from '../../../domain/approval.js';
import type { Connection } from '../../../domain/connection.js';
import { HelveError, toHelveError } from '../../../domain/errors.js';
import type { PlannedCall } from '../../../domain/execution.js';
import { lookUpConnection } from '../../../grants/index.js';
import { accountFacts } from '../../../util/acting-account.js';
import { defined } from '../../../util/defined.js';
import { type Refusal, refusal, type StageAnswer } from '../calls.js';
import { findUnvouchedSignIn, hashMeaning, type SetupParts } from '../meaning.js';
import type { PipelineParts } from '../parts.js';
import { type AuthorisedCall, type AuthorisedFacts, factsOf } from './authorise.js';

/** Returns the id of the approval to use, `undefined` if none is needed, or a refusal. */
export function approve(call: AuthorisedCall, parts: PipelineParts): StageAnswer<string | undefined | Refusal> {
  const facts = factsOf(call);
  const { run } = facts.request;
  // The store starts this call only if the earlier attempt, which had the approval, is in the ledger without an answer.
  if (run?.replaces !== undefined) return requireSameCall(facts, run.replaces, parts);
  if (run?.planned) return approvePlanned(run.planned, facts, parts);
  return facts.needsApproval || run?.unplanned ? findApproval(facts, parts) : undefined;
}

async function approvePlanned(
  planned: PlannedCall,
  facts: AuthorisedFacts,
  parts: PipelineParts,
): Promise<string | undefined | Refusal> {
  const stale = await checkPlanned(planned, facts, parts);
  if (stale) return stale;
  return facts.target.tool.approver && facts.needsApproval ? findApproval(facts, parts) : undefined;
}

/**
 * The call names its account and its tool. After a rename, another account may have that name; after a change of settings, the tool may
 * reach another host. Nobody has approved the call for these.
 */
async function requireSameCall(
  facts: AuthorisedFacts,
  attempt: string,
  parts: PipelineParts,
): Promise<undefined | Refusal> {
  const { request, target } = facts;
  const { connectionId, name } = target;
  const start = await parts.findStart(request.principal.workspaceId, attempt);
  if (connectionId !== undefined && start?.connectionId !== connectionId)
    return begunOtherwise(
      'run.account',
      `${name}: this call was begun with another account, which now has another name`,
    );
  if (start?.meaning === undefined || start.meaning === ((await readMeaning(facts, parts)) ?? null)) return undefined;
  return begunOtherwise(
    'run.meaning',
    `${name}: this call was begun before the tool's definition, tool_config or settings changed`,
  );
}

function begunOtherwise(rule: string, message: string): Refusal {
  return refusal(
    rule,
    new HelveError('conflict', message, {
      hint: 'It may have had its effect there: check that. It is not made again with what is there now.',
    }),
  );
}

async function findApproval(facts: AuthorisedFacts, parts: PipelineParts): Promise<string | Refusal> {
  const { target } = facts;
  const impossible = await refuseImpossible(facts, parts);
  if (impossible) return impossible;
  try {
    const approval = await parts.approvalFor(await toRequest(facts, parts));
    if (approval.status === 'approved') return approval.id;
    if (approval.status === 'rejected') return rejected(approval, target.name);
    return pending(approval, target.name, accountFacts(findConnection(facts)), parts);
  } catch (error) {
    return refuseUnasked(error);
  }
}

/** A person cannot be asked about this call. */
function refuseUnasked(error: unknown): Refusal {
  if (error instanceof HelveError)
    return refusal(error.code === 'rate_limited' ? 'limit.pending' : 'approval.invalid', error);
  throw error;
}

/** What `approve` would find for a call that needs approval, but nobody is asked: undefined if a person would be asked. */
export async function foreseeApproval(
  facts: AuthorisedFacts,
  parts: Pick<PipelineParts, 'foreseeApproval' | 'platformFor' | 'findSetup'>,
): Promise<Approval | Refusal | undefined> {
  const impossible = await refuseImpossible(facts, parts);
  if (impossible) return impossible;
  try {
    return await parts.foreseeApproval(await toRequest(facts, parts));
  } catch (error) {
    return refuseUnasked(error);
  }
}

/** What a person is asked, or was. */
async function toRequest(call: AuthorisedFacts, parts: SetupParts): Promise<ApprovalRequest> {
  const { request, target, input, inputHash, configuration, ...facts } = call;
  return {
    principal: request.principal,
    tool: target.tool,
    input,
    inputHash,
    policyVersion: configuration.policyVersion,
    ...(facts.needsApproval ? { rule: facts.rule, reason: facts.reason } : outsidePlan),
    elicitation: facts.elicitation,
    ...defined({
      connectionId: target.connectionId,
      approvalId: request.approvalId,
      signedInAt: findUnvouchedSignIn(findConnection(call)),
      meaning: await readMeaning(call, parts),
      runId: request.run?.runId,
    }),
  };
}

const findConnection = ({ target, configuration }: AuthorisedFacts): Connection | undefined =>
  lookUpConnection(configuration, target.connectionId);

const outsidePlan = { rule: 'plan.unplanned', reason: 'the call is not in the plan that was approved' };

export function readMeaning(facts: AuthorisedFacts, parts: SetupParts): Promise<string | undefined> {
  const { target, config } = facts;
  return hashMeaning({ tool: target.tool, config, connection: findConnection(facts) }, parts);
}

/** The plan was approved for exactly this call under these policies, with this account and this meaning of the tool. */
async function checkPlanned(
  planned: PlannedCall,
  facts: AuthorisedFacts,
  parts: SetupParts,
): Promise<Refusal | undefined> {
  const { target, inputHash, configuration } = facts;
  const isSameCall = planned.tool === target.name && planned.inputHash === inputHash;
  const signedInAt = findUnvouchedSignIn(findConnection(facts));
  const isSameAccount = signedInAt === undefined || signedInAt <= planned.plannedAt;
  const isSameTool = planned.definition === (await readMeaning(facts, parts));
  if (isSameCall && isSameAccount && isSameTool && planned.policyVersion === configuration.policyVersion)
    return undefined;
  const other = isSameAccount ? 'for another call or under other policies' : 'before the account signed in again';
  return refusal(
    'plan.stale',
    new HelveError(
      'conflict',
      `${target.name}: the plan was approved ${isSameTool ? other : "before the tool's definition, tool_config or settings changed"}`,
      { hint: 'Make a new plan and have it approved.' },
    ),
  );
}

/** A person is not asked about a call that could not run even if approved. */
async function refuseImpossible(
  { target, input, config, request }: AuthorisedFacts,
  parts: Pick<PipelineParts, 'platformFor'>,
): Promise<Refusal | undefined> {
  const { provider, tool } = target;
  try {
    await provider.checkCall?.({
      tool,
      input,
      config,
      get platform() {
        return parts.platformFor(request.principal);
      },
    });
    return undefined;
  } catch (error) {
    return refusal('call.impossible', toHelveError(error, 'tool_failed'));
  }
}

function pending(
  approval: Approval,
  name: string,
  account: ReturnType<typeof accountFacts>,
  parts: PipelineParts,
): Refusal {
  const hint =
    'Tell the person. After they approve, make the same call with the same arguments again; it then runs once.';
  const details = { elicitation: approval.elicitation, ...account };
  const url = parts.approvalUrl(approval.id);
  return refusal(approval.rule, approvalRequired(approval, { name, url, hint, details }));
}

interface ApprovalTexts {
  /** The tool's model-facing name. */
  readonly name: string;
  readonly url: string | undefined;
  /** What the caller does once it is approved. */
  readonly hint: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The error of a call that waits for this approval. */
export function approvalRequired(
  { id, expiresAt }: Pick<Approval, 'id' | 'expiresAt'>,
  { name, url, hint, details }: ApprovalTexts,
): HelveError {
  const where = url === undefined ? '' : `: ${url}`;
  return new HelveError('approval_required', `${name} needs a person's approval for this exact call${where}`, {
    hint,
    details: { approvalId: id, expiresAt, ...details, ...defined({ url }) },
  });
}

function rejected(approval: Approval, name: string): Refusal {
  const { note } = approval;
  return refusal(
    approval.rule,
    new HelveError('approval_rejected', `${name}: a person rejected this call${note ? `: ${note}` : ''}`, {
      hint: note
        ? 'Do not make the same call again; do what the person says.'
        : 'Do not try again; ask what to do instead.',
      details: { approvalId: approval.id, ...defined({ note }) },
    }),
  );
}
