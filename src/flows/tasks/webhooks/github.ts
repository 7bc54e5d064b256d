/**
 * Deliveries of GitHub. What kind of event one is follows from its body: the header that names it is not signed, so an old body could
 * be sent again under another name.
 */
import { z } from 'zod';
import type { JsonObject } from '../../../domain/json.js';
import { defined } from '../../../util/defined.js';
import { readChecks, readPull, readReview } from './github-pulls.js';
import { association, issueShape, keyOf, parse, placeOf, repositoryShape, userShape } from './github-shapes.js';
import type { IssueNews, News, WebhookReader } from './news.js';
import { isSignedWith } from './signature.js';

/** What a text was before it was edited; null if there was none. */
const formerText = z.object({ from: z.string().nullish() }).optional();

const issueEvent = z.object({
  action: z.string(),
  issue: issueShape,
  repository: repositoryShape,
  sender: userShape.nullish(),
  label: z.object({ name: z.string() }).nullish(),
  changes: z.object({ title: formerText, body: formerText }).nullish(),
});

const commentEvent = issueEvent.extend({
  comment: z.object({
    id: z.number(),
    body: z.string().nullish(),
    user: userShape.nullish(),
    created_at: z.string(),
    author_association: z.string().default('NONE'),
  }),
});

type Reader = (body: JsonObject) => News | undefined;

/** Each kind is recognised by members that only its bodies have. The first match decides. */
const kinds: readonly (readonly [members: readonly string[], read: Reader])[] = [
  [['issue', 'comment'], readComment],
  [['issue'], readIssue],
  [['review', 'pull_request'], readReview],
  // Tasks do not need comments on lines of code, or their threads.
  [['comment', 'pull_request'], () => undefined],
  [['thread', 'pull_request'], () => undefined],
  [['pull_request'], readPull],
  [['check_run'], readChecks],
  [['check_suite'], readChecks],
];

export const githubWebhooks: WebhookReader = {
  provider: 'github',
  scopes,
  // An installation of an App, for example.
  ignores: (body) => findReader(body) === undefined && scopes(body).length === 0,
  placeOf({ repository }) {
    const { data } = repositoryShape.safeParse(repository);
    return data && placeOf(data);
  },
  isSigned: ({ body, headers }, secret) =>
    isSignedWith({ secret, body, signature: headers.get('x-hub-signature-256'), prefix: 'sha256=' }),
  read: (body) => findReader(body)?.(body),
};

/** The webhook of an organisation also tells what is about no repository: its first delivery, `ping`. */
function scopes({ repository, organization }: JsonObject): readonly string[] {
  const name = repositoryShape.safeParse(repository).data?.full_name;
  if (name !== undefined) return [name, name.slice(0, name.indexOf('/'))];
  const login = userShape.safeParse(organization).data?.login;
  return login === undefined ? [] : [login];
}

function findReader(body: JsonObject): Reader | undefined {
  return kinds.find(([members]) => members.every((name) => isObject(body[name])))?.[1];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

function readIssue(body: JsonObject): IssueNews | undefined {
  const { action, issue, repository, sender, label, changes } = parse(issueEvent, body);
  // GitHub's own list of pull requests is a list of issues.
  if (issue.pull_request) return undefined;
  const place = placeOf(repository);
  const closes = ['closed', 'deleted', 'transferred'].includes(action);
  const reopens = action === 'reopened' && mayReopen(issue, sender?.login);
  return {
    about: 'issue',
    place,
    event: `issues.${action}`,
    issue: filedIssue(place.repo, issue),
    isNew: action === 'opened',
    // A rule for a label applies when that label is added, not when others are.
    ...defined({ labels: action === 'labeled' && label ? [label.name] : undefined }),
    ...(['edited', 'reopened'].includes(action) && senderOf(issue, sender)),
    ...(action === 'edited' && formerOf(changes)),
    ...defined({ change: closes ? ('closed' as const) : reopens ? ('reopened' as const) : undefined }),
    // An issue is opened once: the time may differ between deliveries, so it is left out.
    key: keyOf('issues', action, issue.id, action === 'opened' ? '' : issue.updated_at, label?.name ?? ''),
  };
}

/** Whoever opened an issue may reopen it, which must not make an agent work again and again for a stranger. */
function mayReopen(issue: z.output<typeof issueShape>, sender: string | undefined): boolean {
  return sender !== undefined && (sender !== issue.user?.login || association.isTrusted(issue.author_association));
}

/** Only who belongs to a repository may change the issues of others. An app does what somebody told it. */
function senderOf(
  issue: z.output<typeof issueShape>,
  sender: z.output<typeof userShape> | null | undefined,
): Pick<IssueNews, 'sender'> {
  if (!sender) return {};
  const { login, type } = sender;
  return { sender: { login, mayAssign: type === 'User' && mayReopen(issue, login) } };
}

function formerOf(changes: z.output<typeof issueEvent>['changes']): Pick<IssueNews, 'former'> {
  const { title, body } = changes ?? {};
  if (!title && !body) return {};
  return { former: defined({ title: title && (title.from ?? ''), body: body && (body.from ?? '') }) };
}

function readComment(body: JsonObject): IssueNews | undefined {
  const { action, issue, repository, comment } = parse(commentEvent, body);
  if (action !== 'created' || issue.pull_request) return undefined;
  const place = placeOf(repository);
  const { id, body: text, user, created_at: at } = comment;
  return {
    about: 'issue',
    place,
    event: 'issue_comment.created',
    issue: filedIssue(place.repo, issue),
    isNew: false,
    comment: {
      id: String(id),
      author: user?.login ?? 'ghost',
      text: text ?? '',
      at,
      mayCommand: association.isTrusted(comment.author_association),
    },
    key: keyOf('issue_comment', action, id, at),
  };
}

const filedIssue = (repo: string, issue: z.output<typeof issueShape>): IssueNews['issue'] => ({
  ref: `${repo}#${issue.number}`,
  title: issue.title,
  body: issue.body ?? '',
  labels: issue.labels.map(({ name }) => name),
  author: issue.user?.login,
  url: issue.html_url,
  changedAt: issue.updated_at,
});
