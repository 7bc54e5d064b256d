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
    const events = await readPages(service, { place, list: 'issues/events', query: {}, endsBefore: since });
    const until = [issues.until, comments.until].filter((end) => end !== undefined).toSorted()[0];
    return {
      issues: found.map(activeIssueRecord.read),
      comments: comments.raws.map(rawCommentRecord.read),
      events: events.raws
        .map(issueEventRecord.read)
        .filter(({ event }) => told.has(event))
        .toReversed(),
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

/** `until`: when the last one changed, if there are more. */
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
  return { raws, until: page === undefined ? undefined : String(raws.at(-1)?.updated_at) };
}
