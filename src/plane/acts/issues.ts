/** Issues, for the doors: who follows one loses it with their rights. */
import type { IssueActs } from '../../domain/issue-acts.js';
import type { PlaneParts } from '../../flows/parts.js';
import { createIssueActs } from '../../flows/tasks/index.js';
import { createRightsCheck } from './rights-check.js';

export function createIssues(parts: PlaneParts): IssueActs {
  const acts = createIssueActs(parts);
  return {
    ...acts,
    async *followIssue(principal, id, signal) {
      const requireRights = createRightsCheck(parts, principal);
      for await (const view of acts.followIssue(principal, id, signal)) {
        const { revision } = await parts.configurations.getFresh(principal.workspaceId);
        await requireRights(revision);
        yield view;
      }
    },
  };
}
