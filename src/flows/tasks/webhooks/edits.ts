/**
 * Whether an edit at the service counts as agreement. Whoever may assign an agent with a comment may also change what it was assigned: then
 * the agent works with the new text. An agent must not change its own orders, or those of others, with the account of its person. What an
 * account did through Helve is in the record, so the rest was done by hand.
 */
import type { AuditEvent } from '../../../domain/audit.js';
import type { JsonObject } from '../../../domain/json.js';
import type { Issue } from '../../../domain/task.js';
import type { IssueContext } from '../../../tasks/index.js';
import { canonicalJson } from '../../../util/canonical.js';
import { findEarliest } from '../../../util/effect-key.js';
import { sha256 } from '../../../util/hash.js';
import { agreement, hashWords } from '../agreed-words.js';
import { readIssue } from '../issues.js';
import { issueAddress } from '../parts.js';
import { readGitHubPlace } from '../repo-name.js';
import type { SourceParts } from '../sources/parts.js';
import { stateOf } from '../view.js';
import type { IssueNews } from './news.js';
import { type Received, sendOnce } from './repo-rules.js';

type ReceivedIssue = Received<IssueNews>;

/** More calls than this in the time around one edit: then it is not known who made it. */
const maxCalls = 500;

/**
 * The agreement of whoever reopened the issue, to what it says now. Undefined if they may not assign an agent, or if an agent may have done it.
 * `issue`: as the delivery describes it.
 */
export async function agreementOfReopening(
  parts: SourceParts,
  received: ReceivedIssue,
  issue: Issue,
): Promise<JsonObject | undefined> {
  const { person, news } = received;
  if (news.sender?.mayAssign !== true) return undefined;
  return (await findCalls(parts, received))?.length === 0 ? agreement(issue, person) : undefined;
}

/**
 * Tells the issue that somebody who may assign an agent has edited it, or its own agent. It agrees only if the text before the edit was agreed
 * to: what a stranger wrote before stays unread. `issue`: as the delivery describes it; `former`: as it was before.
 */
export async function agreeToEdit(
  parts: SourceParts,
  received: ReceivedIssue,
  { issue, former }: { readonly issue: Issue; readonly former: Issue },
): Promise<void> {
  const { person, news } = received;
  if (news.former === undefined || !(await isAgreed(parts, received))) return;
  const agreed = { ...agreement(issue, person), from: hashWords(former) };
  const address = issueAddress(person, issue.id);
  // Edits of one second have the same time.
  const key = `${news.key}:${sha256(JSON.stringify(agreed)).slice(0, 32)}`;
  await sendOnce(parts, address, { event: { type: 'CONFIGURED', agreed }, key });
  const [{ snapshot }] = await readIssue(parts, person, issue.id);
  const { blockedBy } = snapshot.context as unknown as IssueContext;
  const { state } = stateOf(snapshot.value);
  const waits = state === 'preparing' || (state === 'blocked' && !blockedBy.some(({ limit }) => limit));
  if (waits) await sendOnce(parts, address, { event: { type: 'TOOLS_CHANGED' }, key: `${key}:look` });
}

async function isAgreed(parts: SourceParts, received: ReceivedIssue): Promise<boolean> {
  const { sender, issue, former = {} } = received.news;
  const calls = await findCalls(parts, received);
  if (calls === undefined) return false;
  const { runs } = parts.storage.workspace(received.person.workspaceId);
  for (const { body } of calls) {
    const run = typeof body.runId === 'string' ? await runs.find(body.runId) : undefined;
    if (run?.principal.task?.issueId !== issue.ref) return false;
  }
  // An app may write for anybody, but this text is what the issue's own agent sent with it.
  return sender?.mayAssign === true || calls.some((call) => hasSent(call, { issue, former }));
}

/** The calls through Helve that may have changed the issue at that time. Undefined if there are too many to tell. */
async function findCalls(
  { storage }: SourceParts,
  { person, news: { issue, former } }: ReceivedIssue,
): Promise<readonly AuditEvent[] | undefined> {
  const place = readGitHubPlace(issue.ref);
  const since = findEarliest(issue.changedAt).toISOString();
  const rows = await storage.workspace(person.workspaceId).audit.search({
    types: ['execution.started'],
    tool: 'GitHub.updateIssue',
    since,
    limit: maxCalls,
  });
  if (!place || rows.length === maxCalls) return undefined;
  // GitHub leads former names of a repository, and former places of an issue, to the present one.
  return rows.filter((call) => {
    const { issue_number: number, state } = call.body.input as JsonObject;
    return number === place.number || (former ? hasSent(call, { issue, former }) : state === 'open');
  });
}

/** Whether the call sent the texts that an edit has changed. The record cuts long texts, so the hash of the whole input is compared. */
function hasSent({ body }: AuditEvent, { issue, former = {} }: Pick<IssueNews, 'issue' | 'former'>): boolean {
  const changed = Object.fromEntries(
    (['title', 'body'] as const).flatMap((name) => (former[name] === undefined ? [] : [[name, issue[name] ?? '']])),
  );
  return body.inputHash === sha256(canonicalJson({ ...(body.input as JsonObject), ...changed }));
}
