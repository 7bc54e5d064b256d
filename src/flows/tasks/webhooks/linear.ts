/**
 * Deliveries of Linear: issues, comments, and agent sessions (somebody delegates an issue to the app of Helve, or speaks to it). Which
 * team of which organisation one is about is read from the address of the issue.
 */
import { z } from 'zod';
import { HelveError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { defined } from '../../../util/defined.js';
import { sha256 } from '../../../util/hash.js';
import type { FiledComment, IssueNews, Place, WebhookReader } from './news.js';
import { isSignedWith } from './signature.js';

/** Linear specifies how long a delivery is valid. */
const freshMs = 60_000;

const person = z.object({ id: z.string(), name: z.string() });
const issueAddress =
  /^https:\/\/linear\.app\/(?<org>[a-z0-9-]{1,100})\/issue\/(?<id>(?<team>[A-Z][A-Z0-9]{0,19})-\d{1,10})(?:[/#?]|$)/;

const issueEvent = z.object({
  action: z.string(),
  url: z.string(),
  createdAt: z.string(),
  actor: person.partial().nullish(),
  data: z.object({
    id: z.string(),
    title: z.string(),
    description: z.string().nullish(),
    updatedAt: z.string(),
    labels: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
    creator: person.nullish(),
    state: z.object({ type: z.string() }).nullish(),
  }),
  updatedFrom: z.record(z.string(), z.unknown()).nullish(),
});

const commentEvent = z.object({
  action: z.string(),
  url: z.string(),
  data: z.object({
    id: z.string(),
    body: z.string(),
    createdAt: z.string(),
    user: person.nullish(),
    externalUser: z.unknown().optional(),
    botActor: z.unknown().optional(),
    issue: z.object({ title: z.string() }).nullish(),
  }),
});

const sessionEvent = z.object({
  action: z.string(),
  createdAt: z.string(),
  agentSession: z.object({
    id: z.string(),
    creator: person.nullish(),
    issue: z.object({ title: z.string(), description: z.string().nullish(), url: z.string() }).nullish(),
    comment: z.object({ id: z.string(), body: z.string() }).nullish(),
  }),
  agentActivity: z.object({ id: z.string(), content: z.record(z.string(), z.unknown()), user: person }).nullish(),
});

export const linearWebhooks: WebhookReader = {
  provider: 'linear',
  scopes(body) {
    const place = readAddress(addressOf(body));
    return place ? [place.team, place.org] : [];
  },
  // Projects, cycles, reactions, and comments on documents.
  ignores: (body) => body.type !== 'Issue' && readAddress(addressOf(body)) === undefined,
  placeOf: (body) => linearPlace(addressOf(body)),
  isSigned: ({ body, headers }, secret) =>
    isSignedWith({ secret, body, signature: headers.get('linear-signature'), prefix: '' }),
  requireFresh({ webhookTimestamp: sentAt }, now) {
    // Written so that NaN is refused.
    if (typeof sentAt === 'number' && Math.abs(now.getTime() - sentAt) <= freshMs) return;
    throw new HelveError('unauthenticated', 'The delivery is too old', {
      hint: 'Check the clock of this machine: a delivery from Linear is valid for one minute.',
    });
  },
  read(body) {
    switch (body.type) {
      case 'Issue':
        return readIssue(body);
      case 'Comment':
        return readComment(body);
      case 'AgentSessionEvent':
        return readSession(body);
      default:
        return undefined;
    }
  },
};

function readIssue(body: JsonObject): IssueNews | undefined {
  const { action, url, createdAt, actor, data, updatedFrom } = parse(issueEvent, body);
  const added = addedLabels(data.labels, updatedFrom?.labelIds);
  // An issue is made once: the times may differ between deliveries, so they are left out.
  const times = action === 'create' ? [] : [data.updatedAt, createdAt];
  const key = keyOf('Issue', action, data.id, ...times);
  const events: Readonly<Record<string, string>> = {
    create: 'issues.opened',
    update: added.length > 0 ? 'issues.labeled' : 'issues.edited',
    remove: 'issues.deleted',
  };
  const event = Object.hasOwn(events, action) ? events[action] : undefined;
  if (event === undefined) return undefined;
  const { place, issue } = about(url);
  const change = changeOf(action, data, updatedFrom);
  return {
    about: 'issue',
    place,
    event,
    issue: {
      ...issue,
      title: data.title,
      body: data.description ?? '',
      labels: data.labels.map(({ name }) => name),
      author: data.creator?.name,
      changedAt: data.updatedAt,
    },
    isNew: action === 'create',
    ...defined({ labels: added.length > 0 ? added : undefined, change, by: actor?.id }),
    key,
  };
}

type Before = z.output<typeof issueEvent>['updatedFrom'];

const addedLabels = (labels: readonly { id: string; name: string }[], before: unknown): readonly string[] =>
  Array.isArray(before) ? labels.filter(({ id }) => !before.includes(id)).map(({ name }) => name) : [];

/** Whether an issue in a state of this type is closed. */
export const isEnd = (type: string | undefined): boolean =>
  type === 'completed' || type === 'canceled' || type === 'duplicate';

/** Closed: completed, cancelled, or removed. What had an end before and has none now was reopened. */
function changeOf(action: string, { state }: z.output<typeof issueEvent>['data'], before: Before): IssueNews['change'] {
  if (action === 'remove') return 'closed';
  if (!before || !('stateId' in before)) return undefined;
  if (isEnd(state?.type)) return 'closed';
  return before.completedAt != null || before.canceledAt != null ? 'reopened' : undefined;
}

function readComment(body: JsonObject): IssueNews | undefined {
  const { action, url, data } = parse(commentEvent, body);
  if (action !== 'create' || !data.issue) return undefined;
  const { id, body: text, createdAt: at, user } = data;
  // Somebody who writes from outside, or a program, gives no orders.
  const mayCommand = user != null && data.externalUser == null && data.botActor == null;
  const comment = { id, author: user?.name ?? 'somebody outside of Linear', text, at, mayCommand };
  return said(url, {
    title: data.issue.title,
    comment,
    by: user?.id,
    event: 'issue_comment.created',
    key: keyOf('Comment', id),
  });
}

/** A new session is a delegation: rules of the repository choose the agent. What is then said in it is a comment. */
function readSession(body: JsonObject): IssueNews | undefined {
  const { action, createdAt, agentSession, agentActivity } = parse(sessionEvent, body);
  const { id, creator, issue, comment } = agentSession;
  if (!issue) return undefined;
  const isCreated = action === 'created';
  if (!isCreated && action !== 'prompted') return undefined;
  const spoken = isCreated
    ? comment && { id: comment.id, text: comment.body, user: creator }
    : agentActivity && {
        id: agentActivity.id,
        text: String(agentActivity.content.body ?? ''),
        user: agentActivity.user,
      };
  const kept = spoken && {
    id: spoken.id,
    author: spoken.user?.name ?? 'somebody',
    text: spoken.text,
    at: createdAt,
    mayCommand: spoken.user != null,
  };
  return said(issue.url, {
    title: issue.title,
    body: issue.description ?? '',
    comment: kept ?? undefined,
    by: (isCreated ? creator : agentActivity?.user)?.id,
    event: `agent_session.${action}`,
    key: keyOf('AgentSessionEvent', action, id, agentActivity?.id ?? ''),
  });
}

interface Said extends Pick<IssueNews, 'event' | 'key'> {
  readonly title: string;
  readonly body?: string;
  readonly comment: FiledComment | undefined;
  readonly by: string | undefined;
}

/** Such a delivery lacks the time of the change and some facts about the issue, so it overwrites nothing. */
function said(url: string, { title, body, comment, by, event, key }: Said): IssueNews {
  const { place, issue } = about(url);
  return {
    about: 'issue',
    place,
    event,
    issue: { ...issue, title, author: undefined, changedAt: '', ...defined({ body }) },
    isNew: false,
    ...defined({ comment, by }),
    key,
  };
}

interface Address {
  readonly org: string;
  readonly team: string;
  readonly id: string;
}

function addressOf({ url, agentSession }: JsonObject): unknown {
  if (typeof url === 'string') return url;
  const { issue } = (agentSession ?? {}) as { readonly issue?: JsonObject };
  return typeof issue === 'object' ? issue?.url : undefined;
}

const readAddress = (url: unknown): Address | undefined =>
  typeof url === 'string' ? (issueAddress.exec(url)?.groups as unknown as Address | undefined) : undefined;

/** The body was signed for a source that this address belongs to. */
function about(
  url: string,
): Pick<IssueNews, 'place'> & { readonly issue: { readonly ref: string; readonly url: string } } {
  const found = linearPlace(url);
  if (!found) throw new HelveError('invalid_input', `${url.slice(0, 200)} is not the address of an issue in Linear`);
  const { ref, ...place } = found;
  return { place, issue: { ref, url } };
}

/** The issue at this address, and its team. Undefined for another address. */
export function linearPlace(url: unknown): (Place & { readonly ref: string }) | undefined {
  const address = readAddress(url);
  if (!address) return undefined;
  const { org, team, id } = address;
  return { repo: `linear:${org}/${team}`, org: `linear:${org}`, ref: `linear:${id}` };
}

const keyOf = (...facts: readonly string[]): string => `linear:${sha256(JSON.stringify(facts)).slice(0, 32)}`;

function parse<Shape extends z.ZodType>(shape: Shape, body: JsonObject): z.output<Shape> {
  const { success, data, error } = shape.safeParse(body);
  if (success) return data;
  throw new HelveError('invalid_input', `The delivery is not as Linear describes it: ${z.prettifyError(error)}`);
}
