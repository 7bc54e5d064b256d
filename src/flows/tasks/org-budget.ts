/** What the organisation of an issue has left in its billing period, and who counts what its work uses. */
import type { AgentWork } from '../../domain/agent-model.js';
import type { JsonValue } from '../../domain/json.js';
import type { IssueContext } from '../../tasks/index.js';
import { addCents } from '../../util/money.js';
import { BudgetError, type RunsParts } from '../runs/index.js';
import { issueAddress, type TaskParts } from './parts.js';
import { sendTo } from './send.js';

export interface OrgBudget {
  /** Undefined if nothing is limited. */
  readonly left: AgentWork['left'];
  readonly isMoneyLimited: boolean;
  /** Why no attempt may begin: something is used up. */
  readonly refusal: string | undefined;
}

const unlimited: OrgBudget = { left: undefined, isMoneyLimited: false, refusal: undefined };

/** `org`: null for an issue that belongs to none. */
export async function readOrgBudget(
  { actors }: Pick<TaskParts, 'actors'>,
  workspaceId: string,
  org: string | null,
): Promise<OrgBudget> {
  const actor = org === null ? undefined : await actors.read({ workspaceId, kind: 'org', id: org });
  if (actor === undefined) return unlimited;
  const { limits, billing } = actor.snapshot.context as unknown as Readonly<Record<string, Amounts>>;
  const left: { tokens?: number; cents?: number } = {};
  if (typeof limits?.maxTokens === 'number') left.tokens = limits.maxTokens - Number(billing?.tokens ?? 0);
  if (typeof limits?.maxCents === 'number') left.cents = addCents(limits.maxCents, -Number(billing?.cents ?? 0));
  const spent = Object.entries(left).find(([, amount]) => amount <= 0)?.[0];
  const refusal =
    spent &&
    `The ${spent === 'cents' ? 'money of the organisation for this period is' : 'tokens of the organisation for this period are'} used up`;
  return { left: Object.keys(left).length === 0 ? undefined : left, isMoneyLimited: 'cents' in left, refusal };
}

/**
 * Returns the same way to ask the model, for runs on issues: only while their organisation has something left, and the organisation knows
 * at once what an answer used. So attempts that work at the same time spend what is left only once, apart from the answers that they
 * are waiting for. Throws `BudgetError`.
 */
export function chargeOrg(parts: Pick<TaskParts, 'actors'>, ask: RunsParts['askModel']): RunsParts['askModel'] {
  return async (principal, question, signal) => {
    const { workspaceId, task } = principal;
    const issue = task && (await parts.actors.read(issueAddress(principal, task.issueId)));
    const org = (issue?.snapshot.context as unknown as IssueContext | undefined)?.org ?? null;
    const { refusal } = await readOrgBudget(parts, workspaceId, org);
    if (refusal !== undefined) throw new BudgetError(`${refusal}, and the work is not finished`);
    const answer = await ask(principal, question, signal);
    const address = { workspaceId, kind: 'org', id: org ?? '' } as const;
    if (org === null || (await parts.actors.read(address)) === undefined) return answer;
    const { inputTokens, outputTokens, cents = 0 } = answer;
    const used = { steps: 1, tokens: inputTokens + outputTokens, cents };
    await sendTo(parts, address, { type: 'USAGE_ADDED', issue: task?.issueId ?? '', ...used });
    return answer;
  };
}

type Amounts = Readonly<Record<string, JsonValue>>;
