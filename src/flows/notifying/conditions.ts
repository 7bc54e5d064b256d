/**
 * What a workspace currently has to notify people about: waiting calls, ended accounts, changed definitions, and limits
 * that are nearly used up; and the text of it that one person may see.
 */
import type { Approval } from '../../domain/approval.js';
import type { Connection } from '../../domain/connection.js';
import type { JsonValue } from '../../domain/json.js';
import { toAuditName } from '../../domain/naming/index.js';
import type { NotificationKind } from '../../domain/notifications.js';
import type { Principal } from '../../domain/principal.js';
import { seesAccount } from '../../grants/index.js';
import { visibleText } from '../../util/visible-text.js';
import { findDecidablePlan } from '../runs/index.js';
import { systemPrincipal } from '../workspaces/index.js';
import type { NotifyingParts } from './parts.js';

export interface Condition {
  readonly kind: NotificationKind;
  readonly key: string;
  /** Until when Helve remembers that it was reported (ISO 8601). Absent: as long as the condition holds. */
  readonly until?: string;
}

/** One thing that a person is told: plain text in one line, and where they decide. */
export interface Said {
  readonly kind: NotificationKind;
  readonly key: string;
  readonly text: string;
  readonly link?: string;
  /** What is to be decided, if that is a call. */
  readonly approval?: Approval;
}

const approvalPage = 100;
/** A plan waits for a person like a call, and is reported like one. */
const planPrefix = 'plan:';
const mostPlans = 200;
/** The share of a limit from which people are told. */
const nearlyUsed = 0.8;

/**
 * Waiting calls and ended accounts. Both are in the record, so there is nothing new while the record has no new rows.
 */
export async function readUrgent(
  { storage, configurations }: Pick<NotifyingParts, 'storage' | 'configurations'>,
  workspaceId: string,
  isTold: (key: string) => boolean,
): Promise<readonly Condition[]> {
  const { connections } = await configurations.getFresh(workspaceId);
  const accounts = connections.filter(hasEnded).map(({ id }) => ({ kind: 'account', key: `account:${id}` }) as const);
  const found: Condition[] = [...accounts];
  const { approvals } = storage.workspace(workspaceId);
  for (let before: string | undefined; ; ) {
    const page = await approvals.list({
      status: 'pending',
      limit: approvalPage,
      ...(before === undefined ? {} : { before }),
    });
    for (const { id, expiresAt } of page) found.push({ kind: 'approval', key: `approval:${id}`, until: expiresAt });
    const last = page.at(-1);
    // Newest first: everything older than a reported approval was reported too.
    if (!last || page.length < approvalPage || isTold(`approval:${last.id}`)) return found;
    before = last.id;
  }
}

/** Changes of definitions and budgets, which are not in the record, and plans of programs. */
export async function readSlow(
  { actors, pendingDefinitions, storage }: Pick<NotifyingParts, 'actors' | 'pendingDefinitions' | 'storage'>,
  workspaceId: string,
): Promise<readonly Condition[]> {
  const pending = await pendingDefinitions(systemPrincipal(workspaceId));
  const found: Condition[] = pending.map(({ toolkit, tool, hash }) => ({
    kind: 'definition',
    key: definitionKey(toolkit, tool, hash),
  }));
  for (const { id } of await storage.workspace(workspaceId).runs.list({ plan: 'pending', limit: mostPlans }))
    found.push({ kind: 'approval', key: `${planPrefix}${id}` });
  for (let next: string | undefined; ; ) {
    const page = await actors.list({ workspaceId, kind: 'org', ...(next === undefined ? {} : { after: next }) });
    for (const { actor, snapshot } of page.actors)
      for (const { what } of readBudgets(snapshot.context))
        found.push({ kind: 'budget', key: budgetKey(actor.id, what, String(snapshot.context.period ?? '')) });
    if (page.next === undefined) return found;
    next = page.next;
  }
}

/** The text for the person; undefined if they may not see it, cannot do anything about it, or it no longer holds. */
export async function describeFor(
  parts: NotifyingParts,
  principal: Principal,
  { kind, key }: Pick<Condition, 'kind' | 'key'>,
): Promise<Said | undefined> {
  const id = key.slice(key.indexOf(':') + 1);
  const describe = key.startsWith(planPrefix) ? describePlan : describers[kind];
  const said = await describe(parts, principal, id);
  return said && { ...said, kind, key, text: visibleText(said.text) };
}

type Described = Omit<Said, 'kind' | 'key'> | undefined;
type Describe = (parts: NotifyingParts, principal: Principal, id: string) => Promise<Described>;

const describers: Readonly<Record<NotificationKind, Describe>> = {
  async approval(parts, principal, id) {
    const approval = await parts.findDecidable(principal, id);
    if (!approval) return undefined;
    const { principal: caller, onBehalfOf, account, toolkit, tool: name } = approval;
    const acting = onBehalfOf === undefined ? '' : ` for ${onBehalfOf.name}`;
    const using = account === undefined ? '' : ` with the account ${account.slug}`;
    const text = `${caller.name}${acting} asks to call ${toAuditName({ toolkit, name })}${using}`;
    return { text, approval, ...linked(parts, `/approvals/${id}`) };
  },
  async account(parts, principal, id) {
    const configuration = await parts.configurations.getFresh(principal.workspaceId);
    const account = configuration.connections.find((one) => one.id === id);
    const mayConnect = principal.permissions.includes('connections:write');
    if (!account || !hasEnded(account) || !mayConnect || !seesAccount(configuration, principal, id)) return undefined;
    const text = `The account ${account.slug} of ${account.toolkit} needs to be connected again`;
    return { text, ...linked(parts, `/panel/connections/${encodeURIComponent(id)}`) };
  },
  async definition(parts, principal, id) {
    if (!principal.permissions.includes('grants:write')) return undefined;
    const pending = await parts.pendingDefinitions(principal);
    const found = pending.find(({ toolkit, tool, hash }) => definitionKey(toolkit, tool, hash) === `definition:${id}`);
    if (!found) return undefined;
    const text = `The definition of ${found.toolkit}.${found.tool} was changed by its maker, and the tool is not called until somebody agrees`;
    return { text, ...linked(parts, '/panel/settings/definitions') };
  },
  async budget(parts, principal, id) {
    if (!principal.permissions.includes('tools:read') || principal.ownAccountsOnly) return undefined;
    const [org = '', what = '', period = ''] = id.split('|').map(decodeURIComponent);
    const actor = await parts.actors.read({ workspaceId: principal.workspaceId, kind: 'org', id: org });
    if (String(actor?.snapshot.context.period ?? '') !== period) return undefined;
    const budget = readBudgets(actor?.snapshot.context ?? {}).find((one) => one.what === what);
    if (!budget) return undefined;
    const text = `The organisation ${org} has used ${budget.percent} % of its ${what} for this billing period`;
    return { text, ...linked(parts, '/panel/tasks/actors') };
  },
};

const describePlan: Describe = async (parts, principal, id) => {
  const run = await findDecidablePlan(parts, principal, id);
  if (!run?.planned) return undefined;
  const { length } = run.planned.effects;
  const text = `${run.principal.name} asks to carry out a plan with ${length} effect${length === 1 ? '' : 's'}`;
  return { text, ...linked(parts, `/runs/${encodeURIComponent(id)}`) };
};

const linked = ({ link }: NotifyingParts, path: string): Pick<Said, 'link'> => {
  const address = link(path);
  return address === undefined ? {} : { link: address };
};

const hasEnded = ({ status }: Connection): boolean => status === 'expired' || status === 'error';

const joined = (parts: readonly string[]): string => parts.map(encodeURIComponent).join('|');
const definitionKey = (toolkit: string, tool: string, hash: string) => `definition:${joined([toolkit, tool, hash])}`;
const budgetKey = (org: string, what: string, period: string) => `budget:${joined([org, what, period])}`;

type Amounts = Readonly<Record<string, JsonValue>>;

/** The limits of an organisation that are nearly used up. */
function readBudgets(context: Readonly<Record<string, JsonValue>>): readonly { what: string; percent: number }[] {
  const { limits, billing } = context as Readonly<Record<string, Amounts | undefined>>;
  const budgets = [
    { what: 'tokens', max: limits?.maxTokens, used: Number(billing?.tokens ?? 0) },
    { what: 'money', max: limits?.maxCents, used: Number(billing?.cents ?? 0) },
  ];
  return budgets.flatMap(({ what, max, used }) =>
    typeof max === 'number' && max > 0 && used / max >= nearlyUsed
      ? [{ what, percent: Math.floor((used / max) * 100) }]
      : [],
  );
}
