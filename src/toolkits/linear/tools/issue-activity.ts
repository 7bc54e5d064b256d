/** What happened to the issues of a team: their texts, comments and histories in one request for ten issues. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defined } from '../../../util/defined.js';
import { from } from '../../../util/record.js';
import { type Linear, nextCursor, type Page, selectPage } from '../client.js';
import { at, defineLinearRecord, list, maybe } from '../define-record.js';
import { defineLinearTool } from '../define-tool.js';
import { next_cursor, paging, team, time } from '../inputs.js';
import { resolveTeam } from '../resolve.js';
import { issueRecord } from '../shapes/issue.js';
import { personRecord } from '../shapes/people.js';

/** A query may have a complexity of 10,000; with the lists of each issue, this one has about 4,000. */
const issuesPerPage = 10;

const labelName = defineLinearRecord({ id: z.string(), name: z.string() });

const changeRecord = defineLinearRecord({
  created_at: z.string(),
  updated_at: z.string().describe('Changes that one person makes in quick succession are one'),
  actor_id: z.string().optional().describe('Absent for those of integrations'),
  text_changed: at('updatedDescription', z.boolean().optional()),
  title_before: at('fromTitle', z.string().optional()),
  labels_added: {
    ...from('addedLabels', z.array(z.string()).optional(), (labels: readonly { readonly name: string }[]) =>
      labels.map(({ name }) => name),
    ),
    selection: 'addedLabels { id name }',
  },
  state_type_before: at('fromState.type', z.string().optional()),
  state_type: at('toState.type', z.string().optional()),
});

const activeCommentRecord = defineLinearRecord({
  id: z.string(),
  body: z.string(),
  user: maybe('user', personRecord, 'Absent for those of integrations'),
  external_user_id: at('externalUser.id', z.string().optional().describe('Who wrote it from outside of Linear')),
  bot: at('botActor.type', z.string().optional().describe('What kind of program wrote it')),
  session_id: at('agentSession.id', z.string().optional().describe('The session with an agent that it began')),
  thread_session_id: at('parent.agentSession.id', z.string().optional().describe('The session it was said in')),
  created_at: z.string(),
  edited_at: z.string().optional(),
});

const { id, identifier, title, description, url, state, creator, created_at, updated_at } = issueRecord.fields;
const activeIssueRecord = defineLinearRecord({
  id,
  identifier,
  title,
  description,
  url,
  state,
  creator,
  created_at,
  updated_at,
  labels: list('labels', labelName, 50),
  is_trashed: at('trashed', z.boolean().optional()),
});

const comments = `comments(first: 30, after: $more, filter: { createdAt: { gte: $since } }) { ${selectPage(activeCommentRecord)} }`;
const history = `history(first: 30, after: $more) { ${selectPage(changeRecord)} }`;
const listDocument = `query IssueActivity($first: Int, $after: String, $more: String, $filter: IssueFilter, $since: DateTimeOrDuration!) {
  issues(first: $first, after: $after, filter: $filter, includeArchived: true, orderBy: updatedAt) {
    nodes { ${comments} ${history} ${activeIssueRecord.selection} } pageInfo { hasNextPage endCursor }
  }
}`;
const restDocuments = {
  comments: `query MoreComments($id: String!, $more: String, $since: DateTimeOrDuration!) { issue(id: $id) { list: ${comments} } }`,
  history: `query MoreHistory($id: String!, $more: String) { issue(id: $id) { list: ${history} } }`,
};

interface Active {
  readonly id: string;
  readonly comments: Page;
  readonly history: Page;
}

export const listIssueActivity = defineLinearTool({
  name: 'list_issue_activity',
  title: 'List the activity of issues',
  description:
    'What happened to the issues of a team since a time: issues that changed, last changed first, with their texts, new comments and histories.',
  inputSchema: z.strictObject({ team, since: time, cursor: paging.cursor }),
  outputSchema: z.strictObject({
    issues: z.array(
      activeIssueRecord.shape.extend({
        comments: z.array(activeCommentRecord.shape),
        changes: z.array(changeRecord.shape),
      }),
    ),
    next_cursor,
  }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list issue activity'],
  examples: [{ input: { team: 'ENG', since: '2026-01-31T09:00:00Z' } }],
  async run({ team, since, cursor }, linear) {
    const changed = { gte: since };
    // A comment need not change its issue.
    const filter = {
      team: { id: { eq: await resolveTeam(linear, team) } },
      or: [{ updatedAt: changed }, { comments: { some: { createdAt: changed } } }],
    };
    const variables = { first: issuesPerPage, ...defined({ after: cursor }), filter, since };
    const { issues } = await linear.query<{ issues: Page }>(listDocument, variables);
    const found = [];
    for (const raw of issues.nodes as readonly Active[]) {
      const said = await readRest(linear, raw, { list: 'comments', since });
      const changes = (await readRest(linear, raw, { list: 'history', since })).map(changeRecord.read);
      found.push({
        ...activeIssueRecord.read(raw),
        comments: said.map(activeCommentRecord.read),
        changes: changes.filter(({ updated_at }) => Date.parse(updated_at) >= Date.parse(since)),
      });
    }
    return { issues: found, next_cursor: nextCursor(issues) };
  },
});

interface Rest {
  readonly list: 'comments' | 'history';
  readonly since: string;
}

/** The whole list of an issue, of which the answer has the first page. */
async function readRest(linear: Linear, issue: Active, { list, since }: Rest): Promise<readonly object[]> {
  const nodes = [...issue[list].nodes];
  for (let more = nextCursor(issue[list]); more !== undefined; ) {
    const variables = { id: issue.id, more, ...(list === 'comments' && { since }) };
    const page = (await linear.query<{ issue: { list: Page } }>(restDocuments[list], variables)).issue.list;
    nodes.push(...page.nodes);
    more = nextCursor(page);
  }
  return nodes;
}
