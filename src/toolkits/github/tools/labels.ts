/** Labels of a repository and of an issue, and the milestones that issues name by number. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineGitHubTool } from '../define-tool.js';
import { issueNumber, labelName, pageOf, paging, repository } from '../inputs.js';
import { getPage, repoPath, writeOnce } from '../requests.js';
import { labelShape, milestoneShape, type RawLabel, type RawMilestone, toLabel, toMilestone } from '../shapes/issue.js';

const remaining = z.strictObject({ labels: z.array(labelShape).describe('All that it has now') });

export const listLabels = defineGitHubTool({
  name: 'list_labels',
  title: 'List labels',
  description: 'The labels that a repository has.',
  inputSchema: z.strictObject({ ...repository, ...paging }),
  outputSchema: pageOf('labels', labelShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list labels'],
  async execute({ owner, repo, ...query }, { service }) {
    const { body, next_page } = await getPage<readonly RawLabel[]>(service, repoPath({ owner, repo }, 'labels'), query);
    return { labels: body.map(toLabel), next_page };
  },
});

export const createLabel = defineGitHubTool({
  name: 'create_label',
  title: 'Create a label',
  description: 'Add a label to those that a repository has.',
  inputSchema: z.strictObject({
    ...repository,
    name: labelName,
    color: z
      .string()
      .regex(/^[0-9A-Fa-f]{6}$/)
      .optional()
      .describe('Six hexadecimal digits without #'),
    description: z.string().max(100).optional(),
  }),
  outputSchema: labelShape,
  annotations: effects.createsOnce,
  scopes: ['repo'],
  capabilities: ['create label'],
  async execute({ owner, repo, ...json }, { service }) {
    const path = repoPath({ owner, repo }, 'labels');
    return toLabel(await service.json<RawLabel>({ method: 'POST', path, json }));
  },
});

export const addIssueLabels = defineGitHubTool({
  name: 'add_issue_labels',
  title: 'Add labels to an issue',
  description: 'Put labels on an issue or pull request, beside those it has. Unknown ones are created.',
  inputSchema: z.strictObject({
    ...repository,
    issue_number: issueNumber,
    labels: z.array(labelName).min(1).max(100),
  }),
  outputSchema: remaining,
  annotations: effects.createsOnce,
  scopes: ['repo'],
  capabilities: ['add label', 'label issue'],
  async execute({ labels, issue_number, ...input }, { service }) {
    const path = repoPath(input, 'issues', issue_number, 'labels');
    // A label that is there already is not added again.
    const request = { method: 'POST', path, json: { labels }, repeatable: true } as const;
    return { labels: (await service.json<readonly RawLabel[]>(request)).map(toLabel) };
  },
});

export const removeIssueLabel = defineGitHubTool({
  name: 'remove_issue_label',
  title: 'Remove a label from an issue',
  description: 'Take one label off an issue or pull request. The repository keeps the label.',
  inputSchema: z.strictObject({ ...repository, issue_number: issueNumber, label: labelName }),
  outputSchema: remaining,
  annotations: effects.replaces,
  risk: 'write',
  scopes: ['repo'],
  capabilities: ['remove label'],
  async execute({ label, issue_number, ...input }, { service }) {
    const labels = repoPath(input, 'issues', issue_number, 'labels');
    return writeOnce(
      async () => {
        const path = repoPath(input, 'issues', issue_number, 'labels', label);
        const raw = await service.json<readonly RawLabel[]>({ method: 'DELETE', path });
        return { labels: raw.map(toLabel) };
      },
      async () => {
        const raw = await service.json<readonly RawLabel[]>({ path: labels, query: { per_page: 100 } });
        const there = raw.some(({ name }) => name.toLowerCase() === label.toLowerCase());
        return there ? undefined : { labels: raw.map(toLabel) };
      },
    );
  },
});

export const listMilestones = defineGitHubTool({
  name: 'list_milestones',
  title: 'List milestones',
  description: 'The milestones of a repository; issues name them by number.',
  inputSchema: z.strictObject({
    ...repository,
    state: z.enum(['open', 'closed', 'all']).optional().describe('Default open'),
    ...paging,
  }),
  outputSchema: pageOf('milestones', milestoneShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list milestones'],
  async execute({ owner, repo, ...query }, { service }) {
    const path = repoPath({ owner, repo }, 'milestones');
    const { body, next_page } = await getPage<readonly RawMilestone[]>(service, path, query);
    return { milestones: body.map(toMilestone), next_page };
  },
});
