/** What the organisation of an issue has left in its billing period. */
import type { AgentWork } from '../../domain/agent-model.js';
import type { JsonValue } from '../../domain/json.js';
import { addCents } from '../../util/money.js';
import type { TaskParts } from './parts.js';

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
    spent && `The ${spent === 'cents' ? 'money' : 'tokens'} of the organisation for this period are used up`;
  return { left: Object.keys(left).length === 0 ? undefined : left, isMoneyLimited: 'cents' in left, refusal };
}

type Amounts = Readonly<Record<string, JsonValue>>;
