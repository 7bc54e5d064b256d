/**
 * What the pipeline would answer to a call, layer by layer. The stages themselves are asked, in the pipeline's order, up to
 * the point where a call would be counted, a person asked, or a tool run.
 */
import type { CallRequest } from '../../domain/execution.js';
import { type ExplainStep, type Explanation, type Layer, layers } from '../../domain/explain.js';
import type { DecisionRule } from '../../domain/grant.js';
import type { AccessStep } from '../../grants/index.js';
import { newId } from '../../util/hash.js';
import type { Refusal, ResolvedCall } from './calls.js';
import type { CallVerdict, PipelineParts } from './parts.js';
import { foreseeApproval } from './stages/approve.js';
import { type AuthorisedFacts, authoriseNow, factsOf } from './stages/authorise.js';
import { checkIntent } from './stages/check-intent.js';
import { admit, limit } from './stages/limit.js';
import { resolve } from './stages/resolve.js';
import { unwrap } from './stages/unwrap.js';
import { validate } from './stages/validate.js';

/** `connectionId`: the account that the call would act with. */
export type ExplainedCall = Explanation & { readonly connectionId?: string };

const maxRounds = 5;

/** `request.input` undefined: a call with any arguments. */
export async function explainCall(request: CallRequest, parts: PipelineParts): Promise<ExplainedCall> {
  const over = await admit(request, parts.foreseeLimits);
  const answer = await explainAdmitted(request, parts);
  if (!over) return answer;
  // The pipeline checks this first, but the reader also wants to know what else would refuse the call.
  const steps = answer.steps.map((step) =>
    step.layer === 'limit' ? deny('limit', over.rule, over.error.message) : step,
  );
  return { ...answer, verdict: 'deny', rule: over.rule, steps };
}

async function explainAdmitted(request: CallRequest, parts: PipelineParts): Promise<ExplainedCall> {
  const executionId = newId();
  const meant = await unwrap(request, executionId, parts);
  if ('refused' in meant) return explainUnnamed(meant);
  for (let round = 1; ; round++) {
    const resolved = await resolve(meant, executionId, parts);
    if ('refused' in resolved) return explainUnnamed(resolved);
    // A name such as `create_pdf` implies an argument, which does not count as an argument of the question.
    const answer = await explainResolved(resolved, request.input === undefined, parts);
    if (answer !== 'stale' || round === maxRounds) return answer === 'stale' ? contended : answer;
  }
}

/** The explanation for a name that the caller does not have. */
export function explainUnnamed({ rule, error }: Refusal): Explanation {
  return conclude([deny('name', rule, error.message)]);
}

async function explainResolved(
  call: ResolvedCall,
  isOpen: boolean,
  parts: PipelineParts,
): Promise<ExplainedCall | 'stale'> {
  const { connectionId } = call.target;
  const asked = await ask(call, isOpen, parts);
  const { verdict, judged, wrong, input } = asked;
  const facts = connectionId === undefined ? {} : { connectionId };
  const steps = [
    allow('name', `It is the tool ${call.target.name}`),
    ...judged.access.map(explainAccess),
    explainIntent(call.request.intent, asked.intent),
    explainInput(asked.valid),
    ...judged.limits.map((rule) => explainRule('grant', rule)),
    ...explainPolicies(judged.policies),
  ];
  if (verdict.decision.effect === 'deny') return { ...conclude(steps, verdict.decision.rule), ...facts };
  if (wrong) return { ...conclude(steps, wrong.rule), ...facts };
  const asking = input === undefined ? [explainOpen(verdict), uncounted] : await explainAsking(input, parts);
  if (asking === 'stale') return 'stale';
  const [rule = verdict.decision.rule] = asking.flatMap((step) => (step.verdict === 'allow' ? [] : (step.rule ?? [])));
  return { ...conclude([...steps, ...asking], rule), ...facts };
}

/** Asks the stages in the pipeline's order: what is refused for all arguments comes before what is wrong with these. */
async function ask(call: ResolvedCall, isOpen: boolean, parts: PipelineParts) {
  const { configuration, target, request } = call;
  const { tool, connectionId } = target;
  const question = { configuration, principal: request.principal, tool, connectionId };
  const intent = await checkIntent(call, parts);
  const valid = isOpen ? undefined : validate(call);
  const input = valid && !('refused' in valid) ? valid : undefined;
  const wrong = intent ?? (valid && 'refused' in valid ? valid : undefined);
  const isOutright = input === undefined || wrong !== undefined;
  const decided = isOutright ? question : { ...question, input: input.input };
  return { verdict: parts.decide(decided), judged: parts.judge(decided), wrong, intent, valid, input };
}

/** The layers that were not reached follow, and the strictest step is the verdict. */
function conclude(steps: readonly ExplainStep[], rule?: string): Explanation {
  const denied = steps.find((step) => step.verdict === 'deny' && (rule === undefined || step.rule === rule));
  const reached = new Set(steps.map(({ layer }) => layer));
  const rest = layers.filter((layer) => !reached.has(layer));
  const all = [...steps, ...rest.map((layer) => open(layer, 'Not reached'))];
  const sorted = all.toSorted((one, other) => layers.indexOf(one.layer) - layers.indexOf(other.layer));
  const approval = steps.find(({ layer }) => layer === 'approval')?.verdict;
  const decided = denied?.rule ?? rule ?? 'none';
  return { verdict: denied ? 'deny' : (approval ?? 'deny'), rule: decided, steps: sorted };
}

const told = (rule: string | undefined) => (rule === undefined ? {} : { rule });
const allow = (layer: Layer, reason: string, rule?: string): ExplainStep => ({
  layer,
  verdict: 'allow',
  ...told(rule),
  reason,
});
const deny = (layer: Layer, rule: string, reason: string): ExplainStep => ({ layer, verdict: 'deny', rule, reason });
const open = (layer: Layer, reason: string): ExplainStep => ({ layer, verdict: 'unknown', reason });

const passed: Readonly<Record<AccessStep['layer'], string>> = {
  workspace: 'The toolkit and the tool are switched on in the workspace',
  connection: 'The account can be used, or the tool needs none',
  definition: 'The definition is the one that was agreed to, or it cannot change',
  grant: 'Granted',
};

const explainAccess = ({ layer, decision }: AccessStep): ExplainStep =>
  decision === undefined
    ? allow(layer, passed[layer])
    : { layer, verdict: decision.effect, rule: decision.rule, reason: decision.reason };

function explainIntent(intent: string | undefined, refused: Refusal | undefined): ExplainStep {
  if (refused) return deny('intent', refused.rule, refused.error.message);
  return allow('intent', intent ? 'The tool does what was asked for' : 'No intent was stated');
}

function explainInput(valid: ReturnType<typeof validate> | undefined): ExplainStep {
  if (!valid) return open('input', 'The question names no arguments');
  if ('refused' in valid) return deny('input', valid.rule, valid.error.message);
  return allow('input', 'The arguments fit the schema of the tool');
}

function explainRule(layer: Layer, { effect, rule, reason, dependsOnArguments }: DecisionRule): ExplainStep {
  if (!dependsOnArguments) return { layer, verdict: effect, rule, reason };
  return { layer, verdict: 'unknown', rule, reason: `${effect} for some arguments: ${reason}` };
}

const strictness: readonly DecisionRule['effect'][] = ['allow', 'require_approval', 'deny'];

/** The tier holds for all arguments, unless a less strict policy holds for some of them. */
function explainPolicies(rules: readonly DecisionRule[]): ExplainStep[] {
  const isLess = (one: DecisionRule, other: DecisionRule): boolean =>
    strictness.indexOf(one.effect) < strictness.indexOf(other.effect);
  return rules.map((one) => {
    const isTier = one.rule.startsWith('default.');
    const isOpen = isTier && rules.some((other) => other.dependsOnArguments && isLess(other, one));
    return explainRule('policy', isOpen ? { ...one, dependsOnArguments: true } : one);
  });
}

const approvals = {
  none: ['allow', 'No person is asked'],
  required: ['require_approval', 'A person must approve each call, with its exact arguments'],
  depends: ['unknown', 'The arguments decide whether it is refused, or whether a person is asked'],
  denied: ['deny', 'It is refused'],
} as const;

/** Whatever the arguments are. */
function explainOpen({ approval, decision, rules }: CallVerdict): ExplainStep {
  const isLimited = rules.some(({ rule, dependsOnArguments }) => dependsOnArguments && rule.endsWith('.limits'));
  const [verdict, reason] = approvals[isLimited ? 'depends' : approval];
  return { layer: 'approval', verdict, rule: decision.rule, reason };
}

/** The approval, and then the limits, which are looked at only when no person has to be asked. */
async function explainAsking(
  valid: Exclude<ReturnType<typeof validate>, Refusal>,
  parts: PipelineParts,
): Promise<readonly ExplainStep[] | 'stale'> {
  const call = await authoriseNow(valid, parts);
  if (call === 'stale') return call;
  if ('refused' in call) return [deny('approval', call.rule, call.error.message)];
  const asking = await explainApproval(factsOf(call), parts);
  if (asking.verdict !== 'allow') return [asking];
  const over = await limit(call, parts.foreseeLimits);
  return [asking, over ? deny('limit', over.rule, over.error.message) : allow('limit', 'No limit is reached')];
}

async function explainApproval(facts: AuthorisedFacts, parts: PipelineParts): Promise<ExplainStep> {
  const { needsApproval, rule, reason } = facts;
  if (!needsApproval) return allow('approval', 'No person is asked', rule);
  const standing = await foreseeApproval(facts, parts);
  if (standing && 'refused' in standing) return deny('approval', standing.rule, standing.error.message);
  if (standing?.status === 'rejected') return deny('approval', standing.rule, 'A person rejected this exact call');
  if (standing?.status === 'approved')
    return allow('approval', 'A person approved this exact call, once', standing.rule);
  const why = `A person must approve this exact call: ${reason}`;
  return { layer: 'approval', verdict: 'require_approval', rule: standing?.rule ?? rule, reason: why };
}

const uncounted = open('limit', 'The limits are counted for each call');

const contended: Explanation = {
  verdict: 'unknown',
  rule: 'record.contended',
  steps: [open('name', 'The configuration kept changing')],
};
