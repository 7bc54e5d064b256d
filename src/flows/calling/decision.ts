/**
 * The one decision: may this principal make this call? Grants say who may, policies restrict it, and the risk tier is
 * the default. A call is decided with its arguments. Lists, searches, descriptions and the access check decide without
 * arguments, and then only what is refused for all arguments is refused.
 */

import type { ApprovalNeed, ShownApproval } from '../../domain/approval-need.js';
import type { DecisionRule } from '../../domain/grant.js';
import { decideAccess, judgeAccess } from '../../grants/index.js';
import { decidePolicy } from '../../policies/index.js';
import { satisfies } from '../../schema/index.js';
import type { CallQuestion, CallVerdict, JudgedCall } from './parts.js';

export function decideCall(question: CallQuestion): CallVerdict {
  const { configuration, principal, tool, input } = question;
  const { decision: access, grant } = decideAccess(question, satisfies);
  if (access.effect === 'deny')
    return { decision: access, refusedBy: 'grant', approval: 'denied', rules: [access], rateLimits: [] };
  const { policies } = configuration;
  const policy = decidePolicy({ policies, principal, tool, input, isBrief: !question.needsAllRules }, satisfies);
  const { decision, approval, rateLimits, elicitation } = policy;
  const isDefault = decision.effect !== 'deny' && decision.rule.startsWith('default.');
  return {
    // The grant says who may; the policy says that nothing restricts it. An explicit policy takes precedence as the
    // named rule.
    decision: isDefault ? { ...decision, rule: access.rule } : decision,
    refusedBy: decision.effect === 'deny' ? 'policy' : undefined,
    grant,
    approval,
    elicitation,
    rateLimits,
    rules: input === undefined ? [access, ...getLimits(question, grant), ...policy.rules] : [access, decision],
  };
}

/** The layers of `decideCall`, each judged by itself. The first refusal among them is its decision. */
export function judgeCall(question: CallQuestion): JudgedCall {
  const { configuration, principal, tool, input } = question;
  const { steps, grant } = judgeAccess(question, satisfies);
  const limits = input === undefined ? getLimits(question, grant) : [];
  const { rules } = decidePolicy({ policies: configuration.policies, principal, tool, input }, satisfies);
  return { access: steps, limits, policies: rules };
}

function getLimits({ tool }: CallQuestion, grant: CallVerdict['grant']): readonly DecisionRule[] {
  if (!grant || !Object.hasOwn(grant.limits, tool.id.name)) return [];
  const reason = 'Arguments outside the limits of the grant are refused';
  return [{ effect: 'deny', rule: `grant:${grant.id}.limits`, reason, dependsOnArguments: true }];
}

/** The approval in the form of lists. */
export function shownApproval(approval: ApprovalNeed): { approval?: ShownApproval } {
  return approval === 'required' || approval === 'depends' ? { approval } : {};
}
