/** Organisations, repositories, projects and pull requests of tasks: the requests, and what their readers see. */
import { z } from 'zod';
import { issueStates } from '../domain/issue-acts.js';
import { toolConfigShape } from '../domain/task-shapes.js';
import { namedShapes, principalRef, repoNotice, timestamp } from './shapes.js';

const ref = z.string().min(1).max(300);
const name = z.string().min(1).max(300);
const column = z.string().min(1).max(100);
const count = z.int().min(0);
const names = z.array(name).max(1_000);

export const placeParams = z.object({ id: ref });

export const placesQuery = z.strictObject({
  state: z.string().min(1).max(50).optional().describe('The state of the place: open, full, active, paused, merged, …'),
  org: ref.optional().describe('Only those of this organisation'),
  repo: ref.optional().describe('Only those of this repository'),
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .describe('`next` of the previous page'),
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Default 50'),
});

const facts = {
  id: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  version: z.int(),
  children: z
    .record(z.string(), z.record(z.string(), z.int()))
    .optional()
    .describe('How many things belong to it, by kind and state; only of one place, not in lists'),
};
const waiting = z
  .array(z.object({ issue: z.string(), apps: z.array(z.string()), forRoom: z.boolean() }))
  .describe('The issues that wait for an app, or for room');
const running = z.array(z.string()).describe('The issues that are being worked on');
const next = z.string().optional();

export const org = z.object({
  ...facts,
  state: z.enum(['open', 'full']).describe('full: no further issue may begin'),
  connectedApps: z.array(z.string()),
  defaultTools: toolConfigShape.optional().describe('The tool config of this level; not in lists'),
  limits: z.object({ maxRunning: z.int(), maxTokens: z.int(), maxCents: z.number() }).partial(),
  billing: z
    .object({ steps: z.int(), tokens: z.int(), cents: z.number(), period: z.string().optional() })
    .describe('What was used in this billing period'),
  running,
  waiting,
});
namedShapes.add(org, { id: 'Org' });
export const orgList = z.object({ places: z.array(org), next });

export const orgChangesBody = z.strictObject({
  limits: z
    .strictObject({
      maxRunning: count.nullable().optional().describe('How many issues may work at once; null: no limit'),
      maxTokens: count.nullable().optional().describe('In one billing period'),
      maxCents: z.number().min(0).nullable().optional().describe('In one billing period'),
    })
    .optional(),
  defaultTools: toolConfigShape.optional(),
});
namedShapes.add(orgChangesBody, { id: 'OrgChanges' });

const match = {
  label: name.optional(),
  author: name.optional(),
  path: name.optional().describe('A changed file, or a folder if it ends in /'),
};
const newAssignRule = z.strictObject({ ...match, agent: name.describe('Slug or id') });
const trigger = z.strictObject({
  ...match,
  on: name.describe('Event and action of a webhook: issues.opened'),
  opens: z.enum(['issue', 'pr']),
});
const onBehalfOf = principalRef.optional().describe('For whom the agent works: whoever wrote the rule');

export const repo = z.object({
  ...facts,
  state: z.enum(['active', 'paused']),
  org: z.string().optional(),
  project: z.string().optional(),
  toolConfig: toolConfigShape.optional().describe('The tool config of this level; not in lists'),
  autoAssign: z.array(z.object({ ...match, agent: z.string(), onBehalfOf })),
  triggers: z.array(trigger),
  notice: repoNotice,
});
namedShapes.add(repo, { id: 'Repo' });
export const repoList = z.object({ places: z.array(repo), next });

export const repoChangesBody = z.strictObject({
  paused: z.boolean().optional().describe('While paused, webhooks open nothing'),
  project: ref.nullable().optional().describe('Where its new issues go'),
  toolConfig: toolConfigShape.optional(),
  autoAssign: z.array(newAssignRule).max(100).optional().describe('The first rule that fits assigns its agent'),
  triggers: z.array(trigger).max(100).optional(),
});
namedShapes.add(repoChangesBody, { id: 'RepoChanges' });

const ruleAct = z.enum(['assign', 'unassign', 'retry', 'cancel']);
const newBoardRule = z.strictObject({
  column,
  do: ruleAct,
  agent: name.optional().describe('Slug or id; with assign'),
});

export const project = z.object({
  ...facts,
  state: z.enum(['open', 'full']),
  org: z.string().optional(),
  workflow: z.record(z.string(), z.string()).describe('The column of each state of an issue'),
  columns: z.array(z.object({ name: z.string(), issues: z.array(z.string()) })),
  titles: z.record(z.string(), z.string()).optional().describe('By issue; not in lists'),
  automation: z.array(z.object({ column: z.string(), do: ruleAct, agent: z.string().optional(), onBehalfOf })),
  maxRunning: z.int().optional(),
  closed: z.int().describe('How many issues have left the board'),
  running,
  waiting,
});
namedShapes.add(project, { id: 'Project' });
export const projectList = z.object({ places: z.array(project), next });

export const projectChangesBody = z.strictObject({
  workflow: z.partialRecord(z.enum(issueStates), column).optional(),
  columns: z.array(column).max(50).optional(),
  automation: z.array(newBoardRule).max(100).optional().describe('What happens when a person moves a card'),
  maxRunning: count.nullable().optional().describe('null: no limit'),
});
namedShapes.add(projectChangesBody, { id: 'ProjectChanges' });

export const cardBody = z.strictObject({ issue: ref, column });

export const pullRequest = z.object({
  ...facts,
  state: z.enum(['open', 'merging', 'merged', 'closed']),
  repo: z.string().optional(),
  issue: z.string().optional(),
  head: z.string().optional().describe('The commit that it is at'),
  draft: z.boolean(),
  review: z.object({ approvals: z.array(z.string()), changesRequested: z.array(z.string()) }),
  requiredApprovals: z.int(),
  checks: z.record(z.string(), z.string()),
  requiredChecks: z.array(z.string()),
  autoMerge: z.boolean(),
  mergeability: z.object({
    can: z.boolean(),
    why: z.array(z.string()).describe('Why it cannot be merged'),
    told: z.boolean().describe('It is merged as soon as it can be'),
    error: z.string().optional().describe('Why the last merge failed'),
  }),
  mergedFor: principalRef.optional().describe('Who ordered the merge'),
});
namedShapes.add(pullRequest, { id: 'PullRequest' });
export const pullRequestList = z.object({ places: z.array(pullRequest), next });

const account = name.optional().describe('Slug or id; needed only if the caller may use several accounts of GitHub');

export const pullRequestChangesBody = z.strictObject({
  issue: ref.nullable().optional().describe('The issue that it belongs to'),
  requiredApprovals: count.optional(),
  requiredChecks: names.optional().describe('Without them it is not merged, besides those that have reported'),
  autoMerge: z.boolean().optional().describe('Merge as soon as it can be, as the caller'),
  account,
});
namedShapes.add(pullRequestChangesBody, { id: 'PullRequestChanges' });

export const mergeBody = z.strictObject({
  whenReady: z.boolean().optional().describe('As soon as it can be, unless commits are pushed before'),
  account,
});
