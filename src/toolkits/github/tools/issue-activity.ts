/** What happened to the issues of a repository, in few requests: three lists of the whole repository instead of some for each issue. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import type { ServiceClient } from '../../../domain/service.js';
import { fillRequest } from '../../../util/fill-request.js';
import { readNextPage } from '../answers.js';
import { defineGitHubTool } from '../define-tool.js';
import { repository, since } from '../inputs.js';
import { activeIssueRecord, issueEventRecord, rawCommentRecord } from '../shapes/issue.js';

/** An issue may have a text of 262,144 bytes, and the answer to a request must stay below 5 MiB. */
const perPage = 15;
const maxPages = 40;
/** For how many issues their own events are read. */
const maxIssues = 50;

/** What GitHub tells of the state of an issue, and who changed it. */
const told = new Set(['closed', 'reopened', 'labeled', 'unlabeled']);

export const listIssueActivity = defineGitHubTool({
  name: 'list_issue_activity',
  title: 'List the activity of issues',
  description:
    'What happened to the issues of a repository since a time, oldest first: issues that changed, with their texts; comments; and who labeled, closed or reopened one.',
  inputSchema: z.strictObject({ ...repository, since }),
  outputSchema: z.strictObject({
    issues: z.array(activeIssueRecord.shape),
    comments: z.array(rawCommentRecord.shape),
    events: z.array(issueEventRecord.shape),
    until: z.string().optional().describe('There is more: ask again with this as since'),
  }),
  annotations: effects.reads,
  capabilities: ['list issue activity'],
  async execute({ since, ...place }, { service }) {
    const changed = { since, sort: 'updated', direction: 'asc' };
    const issues = await readPages(service, { place, list: 'issues', query: { state: 'all', ...changed } });
    const found = issues.raws.filter((raw) => !('pull_request' in raw));
    if (found.length === 0 && issues.until === undefined) return { issues: [], comments: [], events: [] };
    const comments = await readPages(service, { place, list: 'issues/comments', query: changed });
    const latest = await readPages(service, { place, list: 'issues/events', query: {}, endsBefore: since });
    // That list begins with the newest: where it does not reach back to the time, each issue has to be asked.
    const shown = latest.isCut ? found.slice(0, maxIssues) : found;
    const events = latest.isCut ? await readEventsOf(service, { place, issues: shown }) : latest.raws.toReversed();
    const left = found.length > shown.length ? String(shown.at(-1)?.updated_at) : undefined;
    const until = [issues.until, comments.until, left].filter((end) => end !== undefined).toSorted()[0];
    return {
      issues: shown.map(activeIssueRecord.read),
      comments: comments.raws.map(rawCommentRecord.read),
      events: events.map(issueEventRecord.read).filter(({ event }) => told.has(event)),
      ...(until !== undefined && { until }),
    };
  },
});

type Raw = Readonly<Record<string, unknown>>;

interface Listed {
  readonly place: object;
  readonly list: string;
  readonly query: Readonly<Record<string, string>>;
  /** For a list that begins with the newest and cannot be asked since a time. */
  readonly endsBefore?: string;
}

interface Wanted {
  readonly place: object;
  readonly issues: readonly Raw[];
}

async function readEventsOf(service: ServiceClient, { place, issues }: Wanted): Promise<readonly Raw[]> {
  const events: Raw[] = [];
  for (const { number } of issues) {
    const own = await readPages(service, { place, list: `issues/${number}/events`, query: {} });
    events.push(...own.raws.map((raw) => ({ ...raw, issue: { number } })));
  }
  return events;
}

/** `isCut`: there are more. `until`: when the last one changed, if there are more. */
async function readPages(service: ServiceClient, { place, list, query, endsBefore }: Listed) {
  const { path } = fillRequest(`GET /repos/{owner}/{repo}/${list}`, place);
  const isOver = (raw: Raw) => endsBefore !== undefined && Date.parse(String(raw.created_at)) < Date.parse(endsBefore);
  const raws: Raw[] = [];
  let page: number | undefined = 1;
  for (let count = 0; page !== undefined && count < maxPages; count++) {
    const response = await service.request({ path, query: { ...query, per_page: perPage, page } });
    const more = response.json<readonly Raw[]>();
    raws.push(...more.filter((raw) => !isOver(raw)));
    page = more.some(isOver) ? undefined : readNextPage(response);
  }
  const isCut = page !== undefined;
  return { raws, isCut, until: isCut ? String(raws.at(-1)?.updated_at) : undefined };
}
