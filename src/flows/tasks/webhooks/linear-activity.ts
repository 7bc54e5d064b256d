/** The activity of a team of Linear, and what Linear would have delivered about it. */
import type { JsonObject } from '../../../domain/json.js';
import { readRepoName } from '../repo-name.js';
import type { Reader } from '../sources/reader.js';
import type { ActiveIssue, Happened, Missed, ReadActivity } from './activity.js';
import { isEnd, linearPlace, linearWebhooks } from './linear.js';
import type { News } from './news.js';

/** As the tool `list_issue_activity` answers. */
interface Answer {
  readonly issues: readonly Issue[];
  readonly next_cursor?: string;
}

interface Person {
  readonly id: string;
  readonly name: string;
}

interface Issue {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly url: string;
  readonly state: { readonly type: string };
  readonly creator?: Person;
  readonly labels: readonly { readonly name: string }[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly is_trashed?: boolean;
  readonly comments: readonly Comment[];
  readonly changes: readonly Change[];
}

interface Comment {
  readonly id: string;
  readonly body: string;
  readonly user?: Person;
  readonly external_user_id?: string;
  readonly bot?: string;
  readonly session_id?: string;
  readonly thread_session_id?: string;
  readonly created_at: string;
  readonly edited_at?: string;
}

interface Change {
  readonly created_at: string;
  readonly updated_at: string;
  readonly actor_id?: string;
  readonly text_changed?: boolean;
  readonly title_before?: string;
  readonly labels_added?: readonly string[];
  readonly state_type_before?: string;
  readonly state_type?: string;
}

export const readLinearActivity: ReadActivity = async (read, { repo, since }) => {
  const issues = await readAll(read, { team: readRepoName(repo)?.name ?? '', since });
  // An account of another organisation can see a team with this key.
  const other = issues?.map(({ url }) => linearPlace(url)?.repo).find((place) => place !== repo);
  return issues && { repo: other ?? repo, issues: issues.map(toIssue) };
};

/** Undefined if one page cannot be read. */
async function readAll(read: Reader, input: JsonObject): Promise<readonly Issue[] | undefined> {
  // An issue that changes meanwhile can come twice.
  const issues = new Map<string, Issue>();
  let cursor: string | undefined;
  do {
    const page = { ...input, ...(cursor !== undefined && { cursor }) };
    const answer = (await read('list_issue_activity', page)) as Answer | undefined;
    if (!answer) return undefined;
    for (const issue of answer.issues) issues.set(issue.id, issue);
    cursor = answer.next_cursor;
  } while (cursor !== undefined);
  return [...issues.values()];
}

function toIssue(issue: Issue): ActiveIssue {
  const { title, description: body = '', created_at: createdAt, updated_at: updatedAt, changes, is_trashed } = issue;
  const trashed: Happened = { action: 'closed', at: updatedAt, details: {} };
  const edits = changes.filter((one) => one.text_changed || one.title_before !== undefined);
  return {
    ref: linearPlace(issue.url)?.ref ?? issue.url,
    title,
    body,
    createdAt,
    updatedAt,
    labels: issue.labels.map(({ name }) => name),
    isOpen: !isEnd(issue.state.type) && !is_trashed,
    happened: [
      ...changes.flatMap(readChange),
      // What is said in a session is delivered as something else, and has other ids.
      ...issue.comments
        .filter((one) => one.session_id === undefined && one.thread_session_id === undefined)
        .map(readComment),
      ...(is_trashed ? [trashed] : []),
    ],
    mayDiffer: (at) =>
      Date.parse(updatedAt) > Date.parse(at) + 1_000 ||
      edits.some((edit) => Date.parse(edit.updated_at) > Date.parse(at)),
    tell: (missed) => tell(issue, missed),
  };
}

function readChange({ created_at: at, actor_id, labels_added = [], ...change }: Change): readonly Happened[] {
  const { state_type_before: before, state_type: after } = change;
  const details: JsonObject = actor_id === undefined ? {} : { actor: { id: actor_id } };
  const labeled = labels_added.map((label): Happened => ({ action: 'labeled', at, label, details }));
  if (after === undefined || isEnd(before) === isEnd(after)) return labeled;
  return [...labeled, { action: isEnd(after) ? 'closed' : 'reopened', at, details }];
}

/** A comment that was edited may have said something else: then it gives no orders, as that of a program. */
function readComment({ id, body, user, external_user_id, bot, edited_at, created_at: at }: Comment): Happened {
  const details = {
    id,
    body,
    createdAt: at,
    user: user ? { id: user.id, name: user.name } : null,
    externalUser: external_user_id ?? null,
    botActor: bot ?? edited_at ?? null,
  };
  return { action: 'commented', at, details };
}

function tell(issue: Issue, missed: Missed): News | undefined {
  const news = linearWebhooks.read(bodyOf(issue, missed));
  if (news?.about !== 'issue') return news;
  // One change can add several labels.
  if (missed.label !== undefined) return { ...news, key: `${news.key}:${missed.label}` };
  if (missed.action !== 'commented') return news;
  // A delivery of a comment lacks most of the issue, which may have to be filed for it.
  const body = issue.description ?? '';
  const author = issue.creator?.name;
  return { ...news, issue: { ...news.issue, body, labels: missed.labels, author, changedAt: missed.at } };
}

function bodyOf(issue: Issue, { action, at, label, labels, details = {} }: Missed): JsonObject {
  const { id, title, description = '', url, creator } = issue;
  if (action === 'commented') return { type: 'Comment', action: 'create', url, data: { ...details, issue: { title } } };
  const type = action === 'closed' ? 'canceled' : 'started';
  const data = {
    id,
    title,
    description,
    updatedAt: at,
    state: { type },
    labels: labels.map((name) => ({ id: name, name })),
    creator: creator ? { id: creator.id, name: creator.name } : null,
  };
  const before: JsonObject = {
    ...(label !== undefined && { labelIds: labels.filter((name) => name !== label) }),
    ...(action === 'closed' && { stateId: null }),
    ...(action === 'reopened' && { stateId: null, completedAt: at }),
  };
  const kind: JsonObject = action === 'opened' ? { action: 'create' } : { action: 'update', updatedFrom: before };
  return { type: 'Issue', url, createdAt: at, data, ...kind, ...details };
}
