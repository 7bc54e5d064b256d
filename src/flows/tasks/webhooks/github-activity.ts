/** The activity of a repository of GitHub, and what GitHub would have delivered about it. */
import type { JsonObject } from '../../../domain/json.js';
import { readRepoName } from '../repo-name.js';
import type { ActiveIssue, Activity, Happened, Missed, ReadActivity } from './activity.js';
import { githubWebhooks } from './github.js';
import { association } from './github-shapes.js';

/** As the tool `list_issue_activity` answers. */
interface Answer {
  readonly issues: readonly Issue[];
  readonly comments: readonly Comment[];
  readonly events: readonly Event[];
  readonly until?: string;
}

interface Issue {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly url: string;
  readonly repository?: string;
  readonly author?: string;
  readonly author_association?: string;
  readonly labels: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

interface Comment {
  readonly id: number;
  readonly issue_number: number;
  readonly author?: string;
  readonly author_association?: string;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at: string;
}

interface Event {
  readonly event: string;
  readonly issue_number?: number;
  readonly label?: string;
  readonly actor?: string;
  readonly actor_type?: string;
  readonly created_at: string;
}

export const readGitHubActivity: ReadActivity = async (read, { repo, since }) => {
  const { owner = '', name: repoName = '' } = readRepoName(repo) ?? {};
  const answer = (await read('list_issue_activity', { owner, repo: repoName, since })) as Answer | undefined;
  if (!answer) return undefined;
  const named = `${owner}/${repoName}`;
  // GitHub leads the former name of a repository to the present one, which another source may cover.
  const name = answer.issues.find(({ repository = named }) => repository !== named)?.repository ?? named;
  const activity: Activity = { repo: `github:${name}`, issues: answer.issues.map((one) => toIssue(name, one, answer)) };
  return answer.until === undefined ? activity : { ...activity, until: answer.until };
};

function toIssue(name: string, issue: Issue, { comments, events }: Answer): ActiveIssue {
  const { number, title, body, labels, created_at: createdAt, updated_at: updatedAt } = issue;
  const isOurs = (one: Comment | Event) => one.issue_number === number;
  // A stranger may wait for the order to change the text at once.
  const toleranceMs = association.isTrusted(issue.author_association ?? '') ? 1_000 : 0;
  return {
    ref: `github:${name}#${number}`,
    title,
    body,
    labels,
    createdAt,
    updatedAt,
    isOpen: issue.state === 'open',
    happened: [...events.filter(isOurs).flatMap(readEvent), ...comments.filter(isOurs).map(readComment)],
    mayDiffer: (at) => Date.parse(updatedAt) > Date.parse(at) + toleranceMs,
    tell: (missed) => githubWebhooks.read({ ...bodyOf(issue, missed), repository: { full_name: name } }),
  };
}

function readEvent({ event, label, actor, actor_type: type = 'User', created_at: at }: Event): readonly Happened[] {
  const details: JsonObject = actor === undefined ? {} : { sender: { login: actor, type } };
  if (event === 'closed' || event === 'reopened') return [{ action: event, at, details }];
  return event === 'labeled' && label !== undefined ? [{ action: event, at, label, details }] : [];
}

/** Somebody else may have edited a comment: then it gives no orders. */
function readComment({ id, body, author, author_association: as = 'NONE', ...times }: Comment): Happened {
  const { created_at: at, updated_at } = times;
  const user: JsonObject = author === undefined ? {} : { user: { login: author } };
  const comment = { id, body, created_at: at, author_association: updated_at === at ? as : 'NONE', ...user };
  return { action: 'commented', at, details: { comment } };
}

function bodyOf(issue: Issue, { action, at, label, labels, details }: Missed): JsonObject {
  const { id, number, title, body, url, author, author_association = 'NONE' } = issue;
  const described = {
    id,
    number,
    title,
    body,
    html_url: url,
    author_association,
    updated_at: at,
    user: author === undefined ? null : { login: author },
    labels: labels.map((name) => ({ name })),
  };
  return {
    action: action === 'commented' ? 'created' : action,
    issue: described,
    ...(label !== undefined && { label: { name: label } }),
    ...details,
  };
}
