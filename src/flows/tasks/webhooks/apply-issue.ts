/** Applies what deliveries say about issues: descriptions, rules that open issues, closing and reopening, comments and orders. */
import { principalRef } from '../../../audit/index.js';
import type { ActorEvent } from '../../../domain/actor-host.js';
import type { AuditEventType } from '../../../domain/audit.js';
import type { Issue } from '../../../domain/task.js';
import { type IssueContext, machines } from '../../../tasks/index.js';
import { defined } from '../../../util/defined.js';
import { idAt } from '../../../util/hash.js';
import { draft } from '../../workspaces/index.js';
import { agreement, hashWords, unknownWords } from '../agreed-words.js';
import { changedAt } from '../changed-at.js';
import { readIssue, startActors } from '../issues.js';
import { issueAddress } from '../parts.js';
import type { SourceParts } from '../sources/parts.js';
import { type Command, readCommand } from './command.js';
import { agreementOfReopening, agreeToEdit } from './edits.js';
import { type FiledComment, type FiledIssue, type IssueNews, orderOf } from './news.js';
import { askRepo, type Received, sendOnce, tellRepo } from './repo-rules.js';

const longest = { title: 300, body: 100_000, label: 100, labels: 100, comment: 100_000 };
/**
 * Actors remember the ids of their events for a little longer than this. An older delivery that is repeated is not
 * passed on.
 */
export const rememberedMs = 29 * 24 * 60 * 60_000;
/** Maximum number of attempts to write a description that other deliveries change at the same time. */
const maxTries = 10;

type ReceivedIssue = Received<IssueNews>;

export async function applyIssue(parts: SourceParts, received: ReceivedIssue): Promise<boolean> {
  const { person, news } = received;
  const { issue, place, comment, change, key } = news;
  const known = await parts.storage.workspace(person.workspaceId).issues.find(issue.ref);
  // Another organisation can have a team with this key.
  if (known && known.repo !== place.repo) return false;
  const mayOrder = news.by === undefined || !(await isConnected(parts, received, news.by));
  const command = mayOrder ? orderIn(comment) : undefined;
  const told = { person, place, received: { event: news.event, subject: subjectOf(news) } };
  const opens = mayOpen(parts, { news, known, mayOrder }) && (await askRepo(parts, told)).length > 0;
  const isKnown = known !== undefined || (await parts.actors.read(issueAddress(person, issue.ref))) !== undefined;
  if (!isKnown && !opens && command?.order !== 'assign') return false;
  const tell = () => tellRepo(parts, { ...told, key });
  const kept = await (opens ? tellAndDescribe(parts, received, { known, tell }) : describe(parts, received));
  await startActors(parts, kept);
  const seen = { ...kept, ...wordsIn(issue) };
  if (change === 'closed' || (change && mayOrder)) await follow(parts, received, { change, issue: seen });
  await agreeToEdit(parts, received, { issue: seen, former: { ...kept, ...wordsIn({ ...issue, ...news.former }) } });
  if (comment) await take(parts, received, { comment, command, issue: seen });
  return true;
}

interface Telling {
  readonly known: Issue | undefined;
  readonly tell: () => Promise<unknown>;
}

/**
 * The actor of an issue needs its description. If that is there, the repository hears of the labels before they are kept: kept ones count as
 * told, also if the process dies in between.
 */
async function tellAndDescribe(parts: SourceParts, received: ReceivedIssue, { known, tell }: Telling): Promise<Issue> {
  if (known) await tell();
  const kept = await describe(parts, received);
  if (!known) await tell();
  return kept;
}

const orderIn = (comment: FiledComment | undefined): Command | undefined =>
  comment?.mayCommand ? readCommand(comment.text) : undefined;

const subjectOf = ({ issue, labels = issue.labels ?? [] }: IssueNews) => ({
  ref: issue.ref,
  labels: labels.slice(0, longest.labels),
  author: issue.author ?? null,
});

interface Opening {
  readonly news: IssueNews;
  readonly known: Issue | undefined;
  readonly mayOrder: boolean;
}

/**
 * A delegation is an order too. An issue that is open is not opened again, even if the id of the event is forgotten.
 */
function mayOpen({ now }: SourceParts, { news: { isNew, event }, known, mayOrder }: Opening): boolean {
  if (event.startsWith('agent_session.') && !mayOrder) return false;
  return !isNew || known === undefined || now().getTime() - Date.parse(known.createdAt) <= rememberedMs;
}

/** Whether an agent could have done it: as an account of the service that is connected here, or perhaps is. */
async function isConnected(parts: SourceParts, { person, source }: ReceivedIssue, id: string): Promise<boolean> {
  const { connections } = await parts.configurations.getFresh(person.workspaceId);
  const accounts = connections.filter(({ toolkit }) => toolkit === source.provider);
  return accounts.some(({ account }) => account === undefined || account.id === id);
}

/** The text of an issue, as it is kept. */
const wordsIn = (issue: FiledIssue) => ({
  title: issue.title.slice(0, longest.title) || issue.ref,
  ...defined({ body: issue.body?.slice(0, longest.body) }),
});

/** Stores the description of the issue unless a later one is known. */
async function describe(parts: SourceParts, { person, source, news }: ReceivedIssue): Promise<Issue> {
  const table = parts.storage.workspace(person.workspaceId).issues;
  const { issue } = news;
  const at = parts.now();
  const words = {
    ...wordsIn(issue),
    ...defined({
      labels: issue.labels?.slice(0, longest.labels).map((label) => label.slice(0, longest.label)),
    }),
  };
  const origin = { source: source.id, url: issue.url, order: issue.changedAt, ...defined({ author: issue.author }) };
  for (let tries = 0; tries < maxTries; tries++) {
    const known = await table.find(issue.ref);
    if (!known) {
      const filed = newIssue({ person, source, news }, at, { ...words, origin });
      const row = draft('issue.created', person, at, { issue: issue.ref, repo: news.place.repo, source: source.id });
      if (await table.insert(filed, [row])) return filed;
      continue;
    }
    const fields = (['title', 'body', 'labels'] as const).filter(
      (name) => words[name] !== undefined && JSON.stringify(known[name]) !== JSON.stringify(words[name]),
    );
    const isOlder = known.origin !== undefined && issue.changedAt < known.origin.order;
    if (isOlder || (fields.length === 0 && known.origin?.order === issue.changedAt)) return known;
    const changed: Issue = { ...known, ...words, origin, updatedAt: changedAt(known, at) };
    const row = draft('issue.changed', person, at, {
      issue: issue.ref,
      fields: fields.filter((name) => name !== 'body'),
      source: source.id,
      ...defined({ by: news.sender?.login }),
    });
    if (await table.change(changed, fields.length === 0 ? [] : [row], known.updatedAt)) return changed;
  }
  const last = await table.find(issue.ref);
  if (last) return last;
  throw new Error(`${issue.ref} could not be described`);
}

function newIssue(
  { person, source, news }: ReceivedIssue,
  at: Date,
  words: Pick<Issue, 'title' | 'origin'> & Partial<Pick<Issue, 'body' | 'labels'>>,
): Issue {
  const { issue, place } = news;
  return {
    labels: [],
    ...words,
    id: issue.ref,
    workspaceId: person.workspaceId,
    ...place,
    checks: source.checks,
    createdBy: outsider(source, issue.author ?? 'ghost'),
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
  };
}

/** People at the service are not principals here: they are named and have no rights. */
const outsider = ({ id, provider }: ReceivedIssue['source'], name: string): Issue['createdBy'] => ({
  kind: 'api_key',
  id: `source:${id}`,
  // A name is shown beside texts that are marked as others' words.
  name: `${name.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 100)} (${provider})`,
});

/** The issue was closed or reopened where it was filed. An issue without an agent merely becomes closed or open. */
async function follow(
  parts: SourceParts,
  received: ReceivedIssue,
  { change, issue }: { readonly change: 'closed' | 'reopened'; readonly issue: Issue },
): Promise<void> {
  const { person, news } = received;
  const [{ snapshot }] = await readIssue(parts, person, news.issue.ref);
  const { agent } = snapshot.context as unknown as IssueContext;
  const type = change === 'closed' ? 'CANCEL' : agent === null ? 'UNASSIGN' : 'RETRY';
  const rows = { CANCEL: 'issue.cancelled', UNASSIGN: 'issue.unassigned', RETRY: 'issue.retried' } as const;
  const order = orderOf(news.issue.changedAt, news.key);
  const isRetry = type === 'RETRY' && !news.isLate;
  const agreed = isRetry ? await agreementOfReopening(parts, received, issue) : undefined;
  const event = { type, order, ...defined({ agreed }) };
  await send(parts, received, { event, type: rows[type], key: `${news.key}:${change}` });
}

interface Spoken {
  readonly comment: FiledComment;
  readonly command: Command | undefined;
  /** As its author saw it: a later text may be known here. */
  readonly issue: Issue;
}

/** The order first, so that a process that dies between the two gives it when the delivery comes again. */
async function take(parts: SourceParts, received: ReceivedIssue, spoken: Spoken): Promise<void> {
  const { comment, command, issue } = spoken;
  const { person, source, news } = received;
  const { ref } = news.issue;
  // Helve also receives its own comments.
  if (comment.text.includes('<!-- helve:')) return;
  const id = idAt(comment.at, `${source.provider}:${comment.id}`);
  const table = parts.storage.workspace(person.workspaceId).issues;
  if (command && !(await table.findComment(ref, id))) await obey(parts, received, { command, issue });
  const author = outsider(source, comment.author);
  const kept = {
    id,
    author,
    text: comment.text.slice(0, longest.comment),
    createdAt: new Date(comment.at).toISOString(),
  };
  const row = draft('issue.commented', person, parts.now(), { issue: ref, comment: id, source: source.id });
  await table.comment(ref, kept, [row]);
}

async function obey(
  parts: SourceParts,
  received: ReceivedIssue,
  { command: { order, agent: name }, issue }: { readonly command: Command; readonly issue: Issue },
): Promise<void> {
  const { person, news } = received;
  const key = `${news.key}:${order}`;
  if (order !== 'assign') {
    const meant = {
      retry: ['RETRY', 'issue.retried'],
      cancel: ['CANCEL', 'issue.cancelled'],
      unassign: ['UNASSIGN', 'issue.unassigned'],
    } as const;
    const [type, row] = meant[order];
    const agreed = order === 'retry' && !news.isLate ? agreement(issue, person) : undefined;
    const event = { type, ...defined({ agreed }) };
    return send(parts, received, { event, type: row, key });
  }
  const agent = await parts.storage.workspace(person.workspaceId).findAgent(name ?? '');
  // Nobody can answer the comment before an agent is assigned; the docs say so.
  if (!agent) return;
  const assignment = { onBehalfOf: { ...principalRef(person) }, words: news.isLate ? unknownWords : hashWords(issue) };
  const event = { type: 'ASSIGN_AGENT', agent: agent.slug, assignment };
  await send(parts, received, { event, type: 'issue.assigned', key, agent: agent.slug });
}

interface Ordered {
  readonly event: ActorEvent;
  /** The row of the record. */
  readonly type: AuditEventType;
  readonly key: string;
  readonly agent?: string;
}

/**
 * Recorded once, and only if it changes something. An event with an `order` is always passed on, so that older ones are
 * recognised as such.
 */
async function send(parts: SourceParts, { person, source, news }: ReceivedIssue, ordered: Ordered): Promise<void> {
  const { event, type, key, agent } = ordered;
  const { ref } = news.issue;
  const [{ snapshot }] = await readIssue(parts, person, ref);
  const { order, ...bare } = event;
  const [next] = machines.issue.transition(snapshot, bare as ActorEvent);
  const changes = JSON.stringify(next) !== JSON.stringify(snapshot);
  if (!changes && order === undefined) return;
  const isNew = await sendOnce(parts, issueAddress(person, ref), { event, key });
  if (!isNew || !changes) return;
  const by = news.comment?.author ?? news.sender?.login;
  const row = draft(type, person, parts.now(), { issue: ref, source: source.id, ...defined({ agent, by }) });
  await parts.journal.append({ workspaceId: person.workspaceId, events: [row] });
}
