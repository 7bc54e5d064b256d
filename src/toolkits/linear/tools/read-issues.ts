/** Tools that read issues. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defined } from '../../../util/defined.js';
import { type Linear, nextCursor, type Page, selectPage } from '../client.js';
import { defineLinearTool } from '../define-tool.js';
import {
  isId,
  issueId,
  label,
  name,
  next_cursor,
  paging,
  person,
  project,
  team,
  time,
  toPageVariables,
} from '../inputs.js';
import { requireAny, resolvePerson, resolveProject, resolveTeam } from '../resolve.js';
import { issueRecord, issueRequests, issueSummaryRecord } from '../shapes/issue.js';

const listDocument = `query Issues($first: Int, $after: String, $filter: IssueFilter, $includeArchived: Boolean) {
  issues(first: $first, after: $after, filter: $filter, includeArchived: $includeArchived, orderBy: updatedAt) {
    ${selectPage(issueSummaryRecord)}
  }
}`;

const byIdOrName = (value: string) => (isId(value) ? { id: { eq: value } } : { name: { eqIgnoreCase: value } });

async function assigneeFilter(linear: Linear, assignee: string): Promise<object> {
  if (assignee === 'me') return { isMe: { eq: true } };
  if (assignee === 'none') return { null: true };
  return { id: { eq: await resolvePerson(linear, assignee) } };
}

export const listIssues = defineLinearTool({
  name: 'list_issues',
  title: 'List issues',
  description: 'Issues, last changed first, without their texts. Each filter narrows.',
  inputSchema: z.strictObject({
    team: team.optional(),
    assignee: person.optional().describe('me, none, e-mail address, name or id'),
    state: name.optional().describe('Name (In Progress) or id'),
    state_type: z.enum(['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled']).optional(),
    label: label.optional(),
    project: project.optional(),
    updated_since: time.optional(),
    include_archived: z.boolean().default(false),
    ...paging,
  }),
  outputSchema: z.strictObject({ issues: z.array(issueSummaryRecord.shape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list issues'],
  examples: [{ input: { team: 'ENG', assignee: 'me', state_type: 'started' } }],
  async run(input, linear) {
    const { state, state_type, updated_since } = input;
    const ofState = defined({
      ...(state === undefined ? {} : byIdOrName(state)),
      type: state_type && { eq: state_type },
    });
    // Looked up, so that a team, project or person that does not exist is an error and not an empty list.
    const filter = defined({
      team: input.team === undefined ? undefined : { id: { eq: await resolveTeam(linear, input.team) } },
      project: input.project === undefined ? undefined : { id: { eq: await resolveProject(linear, input.project) } },
      assignee: input.assignee === undefined ? undefined : await assigneeFilter(linear, input.assignee),
      state: Object.keys(ofState).length === 0 ? undefined : ofState,
      labels: input.label === undefined ? undefined : { some: byIdOrName(input.label) },
      updatedAt: updated_since === undefined ? undefined : { gte: updated_since },
    });
    const variables = { ...toPageVariables(input), filter, includeArchived: input.include_archived };
    const { issues } = await linear.query<{ issues: Page }>(listDocument, variables);
    if (issues.nodes.length === 0) {
      // Only now: a name is rarely wrong, and several teams may have it.
      if (state !== undefined) await requireAny(linear, 'workflow state', state);
      if (input.label !== undefined) await requireAny(linear, 'label', input.label);
    }
    return { issues: issues.nodes.map(issueSummaryRecord.read), next_cursor: nextCursor(issues) };
  },
});

export const getIssue = defineLinearTool({
  name: 'get_issue',
  title: 'Get an issue',
  description: 'One issue with its text.',
  inputSchema: z.strictObject({ id: issueId }),
  outputSchema: issueRecord.shape,
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['get issue'],
  async run(input, linear) {
    return issueRequests.fetch(linear, input.id);
  },
});

const searchDocument = `query Search($term: String!, $first: Int, $after: String, $teamId: String, $includeComments: Boolean, $includeArchived: Boolean) {
  searchIssues(term: $term, first: $first, after: $after, teamId: $teamId, includeComments: $includeComments, includeArchived: $includeArchived) {
    totalCount ${selectPage(issueSummaryRecord)}
  }
}`;

export const searchIssues = defineLinearTool({
  name: 'search_issues',
  title: 'Search issues',
  description: 'Find issues by words in their titles and texts, best first.',
  inputSchema: z.strictObject({
    query: z.string().min(1).max(500),
    team: team.optional().describe('Its issues come first: key (ENG), name or id'),
    include_comments: z.boolean().default(false).describe('Search in comments too'),
    include_archived: z.boolean().default(false),
    ...paging,
  }),
  outputSchema: z.strictObject({ total: z.number(), issues: z.array(issueSummaryRecord.shape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['search issues'],
  async run({ query, ...input }, linear) {
    const variables = defined({
      term: query,
      ...toPageVariables(input),
      teamId: input.team === undefined ? undefined : await resolveTeam(linear, input.team),
      includeComments: input.include_comments,
      includeArchived: input.include_archived,
    });
    const { searchIssues: found } = await linear.query<{ searchIssues: Page & { totalCount: number } }>(
      searchDocument,
      variables,
    );
    return {
      total: found.totalCount,
      issues: found.nodes.map(issueSummaryRecord.read),
      next_cursor: nextCursor(found),
    };
  },
});
