/**
 * Per-call rules, pure. Of the workspace's policies that match a call, the strictest wins: `deny`, then
 * `require_approval`, then `allow`. If none matches, the risk tier decides: destructive tools are denied, high-risk
 * tools require approval by a person, all others are allowed.
 */
import type { ApprovalNeed } from '../domain/approval-need.js';
import type { Decision, DecisionRule, Policy, PolicyEffect } from '../domain/grant.js';
import type { JsonObject, JsonSchema } from '../domain/json.js';
import type { Principal } from '../domain/principal.js';
import type { Tool } from '../domain/tool.js';
import { findOrigin } from '../util/lookup.js';
import { namesTool } from './names.js';
import { hasOwnPolicies, looksAtArguments, selectPolicies } from './select.js';

export interface PolicyQuestion {
  readonly policies: readonly Policy[];
  readonly principal: Principal;
  readonly tool: Tool;
  /** Undefined for any arguments. */
  readonly input?: JsonObject | undefined;
  /** Without arguments: whether `rules` may leave out some of those that are alike. A list of many tools asks so. */
  readonly isBrief?: boolean;
}

export interface PolicyAnswer {
  /** Without arguments: the least strict of the possible decisions. */
  readonly decision: Decision;
  /**
   * Whether the client may submit the answer, according to the policies that require approval; undefined if none says.
   */
  readonly elicitation?: boolean;
  readonly approval: ApprovalNeed;
  /** Every policy that holds, or may hold for some arguments, and the tier if it contributes. */
  readonly rules: readonly DecisionRule[];
  /** Every matching policy's own rate limit, by policy id. */
  readonly rateLimits: readonly { readonly policyId: string; readonly calls: number; readonly seconds: number }[];
}

const strictness = ['deny', 'require_approval', 'allow'] as const;

/** The brief answers for everybody whom no policy names, by list of policies and by tool: neither ever changes. */
const briefAnswers = new WeakMap<readonly Policy[], WeakMap<Tool, PolicyAnswer>>();

/** Decides a call, or all calls of a tool if there is no input. `satisfies` checks a value against a schema. */
export function decidePolicy(question: PolicyQuestion, satisfies: Satisfies): PolicyAnswer {
  const { policies, tool, input, isBrief = false } = question;
  if (!isBrief || input !== undefined || hasOwnPolicies(policies, question)) return decideNow(question, satisfies);
  const answers = getBriefAnswers(policies);
  const known = answers.get(tool);
  if (known) return known;
  const answer = decideNow(question, satisfies);
  answers.set(tool, answer);
  return answer;
}

/** A change of policies that each name their agents leaves the answers for all others as they are. */
function getBriefAnswers(policies: readonly Policy[]): WeakMap<Tool, PolicyAnswer> {
  const known = briefAnswers.get(policies);
  if (known) return known;
  const origin = findOrigin(policies);
  const isForSome =
    origin !== undefined && [...origin.removed, ...origin.added].every(({ when }) => when.agents !== undefined);
  const answers = (isForSome && briefAnswers.get(origin.from)) || new WeakMap<Tool, PolicyAnswer>();
  briefAnswers.set(policies, answers);
  return answers;
}

function decideNow(question: PolicyQuestion, satisfies: Satisfies): PolicyAnswer {
  const matching = selectPolicies(question.policies, question).filter((policy) => matches(policy, question, satisfies));
  const rateLimits = matching.flatMap((policy) =>
    policy.rateLimit ? [{ policyId: policy.id, ...policy.rateLimit }] : [],
  );
  const isOpen = ({ when }: Policy): boolean => question.input === undefined && looksAtArguments(when.arguments);
  const certain = [...matching.filter((policy) => !isOpen(policy)).map(getRule), ...alwaysAsked(question.tool)];
  const open = matching.filter(isOpen).map((policy) => ({ ...getRule(policy), dependsOnArguments: true as const }));
  const settled = strictest(certain) ?? decideByTier(question.tool);
  // If only the tier holds, a policy that comes to hold replaces it; a policy that holds is overridden only by stricter
  // ones.
  const others = open.map((rule) => (certain.length > 0 ? stricter(settled, rule) : rule));
  const possible = [settled, ...others];
  return {
    decision: plain(possible.reduce((one, other) => (rank(other) > rank(one) ? other : one))),
    approval: getNeed(settled, others),
    ...getElicitation(matching.filter(({ effect }) => effect === 'require_approval')),
    rateLimits,
    rules: [...(certain.length > 0 ? certain : [settled]), ...open],
  };
}

/** A policy can deny such a tool, but not let it run without a person. */
function alwaysAsked({ id, approver }: Tool): readonly Decision[] {
  if (!approver?.isAlwaysAsked) return [];
  return [
    { effect: 'require_approval', rule: 'tool.always_asked', reason: `A person decides on each call of ${id.name}` },
  ];
}

type Satisfies = (schema: JsonSchema, value: unknown) => boolean;

function rank({ effect }: Decision): number {
  return strictness.indexOf(effect);
}

function stricter<Rule extends Decision>(one: Rule, other: Rule): Rule {
  return rank(other) < rank(one) ? other : one;
}

/** The first of several equally strict ones. */
function strictest(rules: readonly Decision[]): Decision | undefined {
  return rules.length === 0 ? undefined : rules.reduce(stricter);
}

const needs: Readonly<Record<PolicyEffect, ApprovalNeed>> = {
  allow: 'none',
  require_approval: 'required',
  deny: 'denied',
};

function getNeed(settled: Decision, others: readonly Decision[]): ApprovalNeed {
  return others.every(({ effect }) => effect === settled.effect) ? needs[settled.effect] : 'depends';
}

function plain({ effect, rule, reason }: Decision): Decision {
  return { effect, rule, reason };
}

function getRule({ id, effect, reason }: Policy): Decision {
  return { effect, rule: `policy:${id}`, reason: reason ?? `Policy ${id}` };
}

/** Of several policies that require approval, all must allow it: the strictest wins here too. */
function getElicitation(asking: readonly Policy[]): Pick<PolicyAnswer, 'elicitation'> {
  // If only the tier requires approval, no policy has said anything.
  if (asking.length === 0) return {};
  const said = asking.map(({ elicitation }) => elicitation);
  if (said.includes(false)) return { elicitation: false };
  return said.every((one) => one === true) ? { elicitation: true } : {};
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
    return {
      effect: 'require_approval',
      rule: 'default.high_risk',
      reason: 'High-risk tools require approval by a person',
    };
  }
  return {
    effect: 'allow',
    rule: `default.${tool.risk}`,
    reason: `A ${tool.risk} tool, and no policy restricts it`,
  };
}

function matches(policy: Policy, { principal, tool, input }: PolicyQuestion, satisfies: Satisfies): boolean {
  const { agents, toolkits, tools, risk, arguments: shape } = policy.when;
  if (agents && !(principal.kind === 'agent' && (agents.includes(principal.id) || agents.includes(principal.name))))
    return false;
  if (toolkits && !toolkits.includes(tool.id.toolkit)) return false;
  if (tools && !tools.some((name) => namesTool(name, tool.id, policy.effect))) return false;
  if (risk && !risk.includes(tool.risk)) return false;
  return shape === undefined || input === undefined || satisfies(shape, input);
}
