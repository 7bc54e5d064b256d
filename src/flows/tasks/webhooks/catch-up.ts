/**
 * Reads from GitHub what happened to the issues of a repository, and applies what no delivery has told, in the way a delivery would have
 * been applied. Reading the same things again does no harm: those already told are recognised by what is known of the issue, by the ids of
 * comments and by the keys of events. GitHub does not show what a text said earlier, so an issue whose text may have changed since somebody
 * agreed to it asks for that agreement again.
 */
import type { ActorEvent, ActorJob, ActorView } from '../../../domain/actor-host.js';
import type { JsonObject } from '../../../domain/json.js';
import type { Issue } from '../../../domain/task.js';
import { readGitHubRepo } from '../github-ref.js';
import { issueAddress } from '../parts.js';
import { findReader, type ReadingParts } from '../sources/reader.js';
import { applyNews } from './apply.js';
import { rememberedMs } from './apply-issue.js';
import { githubWebhooks } from './github.js';
import type { Received } from './repo-rules.js';

/** As the tool `list_issue_activity` answers. */
interface Activity {
  readonly issues: readonly ActiveIssue[];
  readonly comments: readonly ReadComment[];
  readonly events: readonly ReadEvent[];
  readonly until?: string;
}

interface ActiveIssue {
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

interface ReadComment {
  readonly id: number;
  readonly issue_number: number;
  readonly author?: string;
  readonly author_association?: string;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at: string;
}

interface ReadEvent {
  readonly event: string;
  readonly issue_number?: number;
  readonly label?: string;
  readonly actor?: string;
  readonly actor_type?: string;
  readonly created_at: string;
}

/** Deliveries are on their way for so long. */
const settleMs = 60_000;
/** A repository of which nothing was read yet is read since then. */
const firstMs = 24 * 60 * 60_000;
/** The time in a delivery may be a little later than that of what it tells. */
const toleranceMs = 2_000;

/** The work `catch_up` of a repository. Its event says until when everything was read. */
export async function catchUp(parts: ReadingParts, { actor, signal }: ActorJob): Promise<ActorEvent | undefined> {
  const place = readGitHubRepo(actor.id);
  const view = await parts.actors.read(actor);
  const found = place && (await findReader(parts, { workspaceId: actor.workspaceId, place, signal }));
  if (!found || !view) return undefined;
  const now = parts.now().getTime();
  const settled = now - settleMs;
  const { caughtUp } = view.snapshot.context;
  const known = typeof caughtUp === 'string' ? Date.parse(caughtUp) : now - firstMs;
  const since = Math.max(known, Date.parse(found.source.createdAt), now - rememberedMs);
  if (since >= settled) return undefined;
  const activity = (await found.read('list_issue_activity', { ...place, since: toSeconds(since) })) as
    | Activity
    | undefined;
  const name = `${place.owner}/${place.repo}`;
  // GitHub leads the former name of a repository to the present one, which another source may cover.
  const isThere = activity?.issues.every(({ repository = name }) => repository.toLowerCase() === name.toLowerCase());
  if (!activity || !isThere) return undefined;
  for (const issue of activity.issues) {
    signal.throwIfAborted();
    await applyMissed(parts, { ...found, name, activity, issue, since, settled });
  }
  const end = activity.until === undefined ? settled : Math.min(settled, Date.parse(activity.until));
  return { type: 'CAUGHT_UP', until: new Date(Math.max(end, since + 1_000)).toISOString() };
}

const toSeconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

interface Reading extends Omit<Received, 'news'> {
  readonly name: string;
  readonly activity: Activity;
  readonly issue: ActiveIssue;
  readonly since: number;
  readonly settled: number;
}

async function applyMissed(parts: ReadingParts, reading: Reading): Promise<void> {
  const { person, source, name, issue } = reading;
  const ref = `github:${name}#${issue.number}`;
  const view = await parts.actors.read(issueAddress(person, ref));
  const known = await parts.storage.workspace(person.workspaceId).issues.find(ref);
  for (const { at, ...body } of findMissed(reading, view, known)) {
    const news = githubWebhooks.read({ ...body, repository: { full_name: name } });
    const isLate = Date.parse(issue.updated_at) > Date.parse(at) + 1_000;
    if (news?.about === 'issue') await applyNews(parts, { person, source, news: { ...news, isLate } });
  }
}

/** The body of a delivery, and when it would have come. */
type Missed = JsonObject & { readonly at: string };

/** Oldest first. `view`: the issue has an actor only once what opened it has been told. */
function findMissed(reading: Reading, view: ActorView | undefined, known: Issue | undefined): readonly Missed[] {
  const { issue, activity, since, settled } = reading;
  const stored = view && known;
  const isRead = (at: string) => Date.parse(at) >= since - 1_000 && Date.parse(at) <= settled;
  const isOurs = (one: ReadComment | ReadEvent) => one.issue_number === issue.number && isRead(one.created_at);
  const events = activity.events.filter(isOurs);
  const happened = [
    ...events.flatMap((event) => bodyOfEvent(issue, event, view)),
    ...activity.comments.filter(isOurs).map(bodyOfComment),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  let labels = stored?.labels ?? labelsBefore(issue, events);
  const missed: Missed[] = [];
  // What is closed again need not be opened.
  if (!view && issue.state === 'open' && isRead(issue.created_at))
    missed.push({ action: 'opened', at: issue.created_at, ...issueAt(issue, labels) });
  for (const one of happened) {
    const label = one.label?.name;
    // What was labeled so already was told.
    if (label !== undefined && labels.includes(label)) continue;
    if (label !== undefined) labels = [...labels, label];
    missed.push({ ...one, ...issueAt(issue, labels, one.at) });
  }
  const action = findDifference(issue, stored, labels);
  const at = issue.updated_at;
  if (action !== undefined && isRead(at)) missed.push({ action, at, ...issueAt(issue, issue.labels, at) });
  return missed;
}

/** As what the last difference would have been delivered, which only its description shows. */
function findDifference(issue: ActiveIssue, stored: Issue | undefined, labels: readonly string[]): string | undefined {
  if (stored && (stored.title !== issue.title || (stored.body ?? '') !== issue.body)) return 'edited';
  return haveSame(labels, issue.labels) ? undefined : 'unlabeled';
}

const haveSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

/** Without those that it got after it was opened. */
function labelsBefore({ labels, created_at }: ActiveIssue, events: readonly ReadEvent[]): readonly string[] {
  const isLater = ({ created_at: at }: ReadEvent) => Date.parse(at) > Date.parse(created_at) + 1_000;
  const added = events.filter((one) => one.event === 'labeled' && isLater(one)).map(({ label }) => label);
  return labels.filter((label) => !added.includes(label));
}

interface Happened {
  readonly action: string;
  readonly at: string;
  readonly label?: { readonly name: string };
  readonly sender?: { readonly login: string; readonly type: string };
  readonly comment?: JsonObject;
}

function bodyOfEvent(issue: ActiveIssue, event: ReadEvent, view: ActorView | undefined): readonly Happened[] {
  const { event: action, label, actor, actor_type: type = 'User', created_at: at } = event;
  const by = actor === undefined ? {} : { sender: { login: actor, type } };
  if (action === 'labeled') {
    const isStill = label !== undefined && issue.state === 'open' && issue.labels.includes(label);
    return isStill ? [{ action, at, label: { name: label }, ...by }] : [];
  }
  const isEnd = action === 'closed' || action === 'reopened';
  return isEnd && !isToldEnd(view, at) ? [{ action, at, ...by }] : [];
}

/** Whether this closing or reopening, or a later one, was told. */
function isToldEnd(view: ActorView | undefined, at: string): boolean {
  const { filed } = (view?.snapshot.context.latest ?? {}) as { readonly filed?: string };
  return filed !== undefined && Date.parse(filed.split(' ', 1)[0] ?? '') >= Date.parse(at) - toleranceMs;
}

/** Somebody else may have edited a comment: then it gives no orders. */
function bodyOfComment({ id, body, author, author_association: as = 'NONE', ...times }: ReadComment): Happened {
  const { created_at: at, updated_at } = times;
  const comment = { id, body, created_at: at, author_association: updated_at === at ? as : 'NONE' };
  return { action: 'created', at, comment: { ...comment, ...(author !== undefined && { user: { login: author } }) } };
}

function issueAt(issue: ActiveIssue, labels: readonly string[], at = issue.created_at): { readonly issue: JsonObject } {
  const { id, number, title, body, url, author, author_association = 'NONE' } = issue;
  return {
    issue: {
      id,
      number,
      title,
      body,
      html_url: url,
      author_association,
      updated_at: at,
      user: author === undefined ? null : { login: author },
      labels: labels.map((name) => ({ name })),
    },
  };
}
