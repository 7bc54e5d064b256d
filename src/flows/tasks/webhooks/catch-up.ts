/**
 * Reads from a service what happened to the issues of a repository or a team, and applies what no delivery has told, in the way a delivery
 * would have been applied. Reading the same things again does no harm: those already told are recognised by what is known of the issue, by
 * the ids of comments and by the keys of events. Services do not show what a text said earlier, so an issue whose text may have changed since
 * somebody agreed to it asks for that agreement again.
 */
import type { ActorEvent, ActorJob, ActorView } from '../../../domain/actor-host.js';
import type { Issue } from '../../../domain/task.js';
import type { WebhookProvider } from '../../../domain/task-source.js';
import { issueAddress } from '../parts.js';
import { orgOf } from '../repo-name.js';
import { findReader, type ReadingParts } from '../sources/reader.js';
import type { ActiveIssue, Happened, Missed, ReadActivity } from './activity.js';
import { applyNews } from './apply.js';
import { rememberedMs } from './apply-issue.js';
import { readGitHubActivity } from './github-activity.js';
import { readLinearActivity } from './linear-activity.js';
import { followRepo, type Received } from './repo-rules.js';

const services: Readonly<Record<WebhookProvider, ReadActivity>> = {
  github: readGitHubActivity,
  linear: readLinearActivity,
};

/** Deliveries are on their way for so long. */
const settleMs = 60_000;
/** A repository that is older than reading is read since then. */
const firstMs = 24 * 60 * 60_000;
/** The time in a delivery may be a little later than that of what it tells. */
const toleranceMs = 2_000;

/** The work `catch_up` of a repository or a team. Its event says until when everything was read. */
export async function catchUp(parts: ReadingParts, { actor, signal }: ActorJob): Promise<ActorEvent | undefined> {
  const { workspaceId, id: repo } = actor;
  const view = await parts.actors.read(actor);
  const found = await findReader(parts, { workspaceId, repo, signal });
  const service = found && services[found.source.provider as WebhookProvider];
  if (!service || !view) return undefined;
  const now = parts.now().getTime();
  const settled = now - settleMs;
  const { caughtUp, unread } = view.snapshot.context;
  const earliest = Math.max(Date.parse(found.source.createdAt), now - rememberedMs);
  const since = Math.max(readTime(caughtUp) ?? (caughtUp === null ? earliest : now - firstMs), earliest);
  if (since >= settled) return undefined;
  const activity = await service(found.read, { repo, since: toSeconds(since) });
  if (!activity) return undefined;
  const until = (time: number) => new Date(time).toISOString();
  if (activity.repo !== repo) {
    // Under a name that differs in case it would have a second agent for each issue.
    if (activity.repo.toLowerCase() !== repo.toLowerCase()) return undefined;
    await followRepo(parts, workspaceId, { repo: activity.repo, org: orgOf(activity.repo) ?? activity.repo });
    return { type: 'CAUGHT_UP', until: until(settled) };
  }
  const from = Math.min(since, readTime(unread) ?? since);
  for (const issue of activity.issues) {
    signal.throwIfAborted();
    await applyMissed(parts, { ...found, issue, from, settled });
  }
  const end = activity.until === undefined ? settled : Math.min(settled, Date.parse(activity.until));
  const isAll = end >= settled;
  return { type: 'CAUGHT_UP', until: until(Math.max(end, since + 1_000)), ...(!isAll && { unread: until(from) }) };
}

const readTime = (time: unknown): number | undefined => (typeof time === 'string' ? Date.parse(time) : undefined);

const toSeconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

interface Reading extends Omit<Received, 'news'> {
  readonly issue: ActiveIssue;
  readonly from: number;
  readonly settled: number;
}

async function applyMissed(parts: ReadingParts, reading: Reading): Promise<void> {
  const { person, source, issue } = reading;
  const view = await parts.actors.read(issueAddress(person, issue.ref));
  const known = await parts.storage.workspace(person.workspaceId).issues.find(issue.ref);
  for (const missed of findMissed(reading, view, known)) {
    const news = issue.tell(missed);
    const isLate = issue.mayDiffer(missed.at);
    if (news?.about === 'issue') await applyNews(parts, { person, source, news: { ...news, isLate } });
  }
}

/** Oldest first. `view`: the issue has an actor only once what opened it has been told. */
function findMissed(reading: Reading, view: ActorView | undefined, known: Issue | undefined): readonly Missed[] {
  const { issue, from, settled } = reading;
  const stored = view && known;
  const isRead = (at: string) => Date.parse(at) >= from - 1_000 && Date.parse(at) <= settled;
  const happened = issue.happened
    .filter((one) => isRead(one.at) && !isToldEnd(view, one))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  let labels = stored?.labels ?? labelsBefore(issue, happened);
  const missed: Missed[] = [];
  // What is closed again need not be opened.
  if (!view && issue.isOpen && isRead(issue.createdAt)) missed.push({ action: 'opened', at: issue.createdAt, labels });
  for (const one of happened) {
    if (one.action === 'labeled') {
      const { label = '' } = one;
      // What was labeled so already was told.
      if (!issue.isOpen || !issue.labels.includes(label) || labels.includes(label)) continue;
      labels = [...labels, label];
    }
    missed.push({ ...one, labels });
  }
  const action = findDifference(issue, stored, labels);
  const at = issue.updatedAt;
  if (action !== undefined && isRead(at)) missed.push({ action, at, labels: issue.labels });
  return missed;
}

/** As what the last difference would have been delivered, which only its description shows. */
function findDifference(
  issue: ActiveIssue,
  stored: Issue | undefined,
  labels: readonly string[],
): Missed['action'] | undefined {
  if (stored && (stored.title !== issue.title || (stored.body ?? '') !== issue.body)) return 'edited';
  return haveSame(labels, issue.labels) ? undefined : 'unlabeled';
}

const haveSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));

/** Without those that it got after it was opened. */
function labelsBefore({ labels, createdAt }: ActiveIssue, happened: readonly Happened[]): readonly string[] {
  const isLater = ({ at }: Happened) => Date.parse(at) > Date.parse(createdAt) + 1_000;
  const added = happened.filter((one) => one.action === 'labeled' && isLater(one)).map(({ label }) => label);
  return labels.filter((label) => !added.includes(label));
}

/** Whether it is a closing or reopening, and it or a later one was told. */
function isToldEnd(view: ActorView | undefined, { action, at }: Happened): boolean {
  if (action !== 'closed' && action !== 'reopened') return false;
  const { filed } = (view?.snapshot.context.latest ?? {}) as { readonly filed?: string };
  return filed !== undefined && Date.parse(filed.split(' ', 1)[0] ?? '') >= Date.parse(at) - toleranceMs;
}
