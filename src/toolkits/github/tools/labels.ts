/** Labels of repositories and issues, and milestones. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import type { ServiceClient } from '../../../domain/service.js';
import { fillRequest } from '../../../util/fill-request.js';
import { definePage } from '../answers.js';
import { defineGitHubRequest, defineGitHubTool } from '../define-tool.js';
import { issue, labelName, openOrClosed, paging, repository } from '../inputs.js';
import { findJson, writeOnce } from '../requests.js';
import { labelRecord, milestoneRecord } from '../shapes/issue.js';

const issueLabels = {
  shape: z.strictObject({ labels: z.array(labelRecord.shape).describe('All that it has now') }),
  read: (labels: readonly object[]) => ({ labels: labels.map(labelRecord.read) }),
};

export const listLabels = defineGitHubRequest({
  name: 'list_labels',
  title: 'List labels',
  description: 'The labels that a repository has.',
  inputSchema: z.strictObject({ ...repository, ...paging }),
  annotations: effects.reads,
  capabilities: ['list labels'],
  request: 'GET /repos/{owner}/{repo}/labels',
  answer: definePage('labels', labelRecord),
});

interface RawLabel {
  readonly color: string;
  readonly description?: string | null;
}

export const createLabel = defineGitHubRequest({
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
  annotations: effects.createsOnce,
  capabilities: ['create label'],
  request: 'POST /repos/{owner}/{repo}/labels',
  answer: labelRecord,
  idempotency: {
    by: 'probe',
    how: 'A name has one label: one with the wanted color and description is the one that was created',
  },
  async probe({ color, description, ...input }, { service }) {
    const { path } = fillRequest('GET /repos/{owner}/{repo}/labels/{name}', input);
    const found = await findJson<RawLabel>(service, { path });
    const isWanted =
      (color === undefined || found?.color.toLowerCase() === color.toLowerCase()) &&
      (found?.description ?? '') === (description ?? '');
    return found && isWanted ? labelRecord.read(found) : undefined;
  },
});

export const addIssueLabels = defineGitHubRequest({
  name: 'add_issue_labels',
  title: 'Add labels to an issue',
  description: 'Put labels on an issue or pull request, beside those it has. Unknown ones are created.',
  inputSchema: z.strictObject({
    ...issue,
    labels: z.array(labelName).min(1).max(100),
  }),
  annotations: effects.createsOnce,
  capabilities: ['add label', 'label issue'],
  request: 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
  // GitHub does not add a label twice.
  repeatable: true,
  answer: issueLabels,
});

export const removeIssueLabel = defineGitHubTool({
  name: 'remove_issue_label',
  title: 'Remove a label from an issue',
  description: 'Take one label off an issue or pull request. The repository keeps the label.',
  inputSchema: z.strictObject({ ...issue, label: labelName }),
  outputSchema: issueLabels.shape,
  annotations: effects.replaces,
  idempotency: { by: 'probe', how: 'A label that the issue does not have counts as removed' },
  risk: 'write',
  capabilities: ['remove label'],
  async execute(input, { service }) {
    return writeOnce(
      async () => {
        const { path } = fillRequest('DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{label}', input);
        return issueLabels.read(await service.json({ method: 'DELETE', path }));
      },
      () => findLabelsWithout(input, service),
    );
  },
  probe: (input, { service }) => findLabelsWithout(input, service),
});

/** Returns the labels of an issue if the given one is not among them, else undefined. */
async function findLabelsWithout(input: { readonly label: string }, service: ServiceClient) {
  const { path } = fillRequest('GET /repos/{owner}/{repo}/issues/{issue_number}/labels', input);
  const found = issueLabels.read(await service.json({ path, query: { per_page: 100 } }));
  const there = found.labels.some(({ name }) => name.toLowerCase() === input.label.toLowerCase());
  return there ? undefined : found;
}

export const listMilestones = defineGitHubRequest({
  name: 'list_milestones',
  title: 'List milestones',
  description: 'The milestones of a repository; issues name them by number.',
  inputSchema: z.strictObject({
    ...repository,
    state: openOrClosed,
    ...paging,
  }),
  annotations: effects.reads,
  capabilities: ['list milestones'],
  request: 'GET /repos/{owner}/{repo}/milestones',
  answer: definePage('milestones', milestoneRecord),
});
