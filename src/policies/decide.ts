/**
 * Per-call rules, pure. Of the workspace's policies that match a call the strictest wins: `deny`,
 * then `require_approval`, then `allow`. Where none matches, the tier decides: destructive tools
 * are denied, high-risk tools wait for a person, the rest pass.
 */
import type { Decision, Policy } from '../spec/grant.js';
import type { JsonObject, JsonSchema } from '../spec/json.js';
import type { Principal } from '../spec/principal.js';
import type { Tool } from '../spec/tool.js';
import { namesTool } from './names.js';

export interface PolicyQuestion {
  readonly policies: readonly Policy[];
  readonly principal: Principal;
  readonly tool: Tool;
  readonly input: JsonObject;
}

export interface PolicyAnswer {
  readonly decision: Decision;
  /** Every matching policy's own rate limit, by policy id. */
  readonly rateLimits: readonly { readonly policyId: string; readonly calls: number; readonly seconds: number }[];
}

const strictness = ['deny', 'require_approval', 'allow'] as const;

export function decidePolicy(
  question: PolicyQuestion,
  satisfies: (schema: JsonSchema, value: unknown) => boolean,
): PolicyAnswer {
  const matching = question.policies.filter((policy) => matches(policy, question, satisfies));
  const rateLimits = matching.flatMap((policy) =>
    policy.rateLimit ? [{ policyId: policy.id, ...policy.rateLimit }] : [],
  );
  for (const effect of strictness) {
    const policy = matching.find((candidate) => candidate.effect === effect);
    if (policy) {
      return {
        decision: { effect, rule: `policy:${policy.id}`, reason: policy.reason ?? `Policy ${policy.id}` },
        rateLimits,
      };
    }
  }
  return { decision: decideByTier(question.tool), rateLimits };
}

function decideByTier(tool: Tool): Decision {
  if (tool.risk === 'destructive') {
    return {
      effect: 'deny',
      rule: 'default.destructive',
      reason: 'Destructive tools are denied unless a policy allows them',
    };
  }
  if (tool.highRisk) {
    return { effect: 'require_approval', rule: 'default.high_risk', reason: 'High-risk tools wait for a person' };
  }
  return {
    effect: 'allow',
    rule: `default.${tool.risk}`,
    reason: `A ${tool.risk} tool, and no policy speaks against it`,
  };
}

function matches(
  policy: Policy,
  { principal, tool, input }: PolicyQuestion,
  satisfies: (schema: JsonSchema, value: unknown) => boolean,
): boolean {
  const { agents, toolkits, tools, risk, arguments: shape } = policy.when;
  if (agents && !(principal.kind === 'agent' && (agents.includes(principal.id) || agents.includes(principal.name))))
    return false;
  if (toolkits && !toolkits.includes(tool.id.toolkit)) return false;
  if (tools && !tools.some((name) => namesTool(name, tool.id, policy.effect))) return false;
  if (risk && !risk.includes(tool.risk)) return false;
  return shape === undefined || satisfies(shape, input);
}
