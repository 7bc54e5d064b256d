/** Issues, for the doors: who follows one loses it with their rights. */
import type { IssueActs } from '../../domain/issue-acts.js';
import type { PlaneParts } from '../../flows/parts.js';
import { createIssueActs } from '../../flows/tasks/index.js';
import { whileAllowed } from './rights-check.js';

export function createIssues(parts: PlaneParts): IssueActs {
  const acts = createIssueActs(parts);
  return {
    ...acts,
    async *followIssue(principal, id, signal) {
      for await (const [view] of whileAllowed(parts, principal, acts.followIssue(principal, id, signal))) yield view;
    },
  };
}
