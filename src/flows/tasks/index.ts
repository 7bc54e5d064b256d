/** Issues that agents finish: filing and assigning them, the tools that they may use, and what wakes them. */
import type { IssueActs } from '../../domain/issue-acts.js';
import { createAssigning } from './assigning.js';
import { createDeciding } from './deciding.js';
import { createIssues } from './issues.js';
import type { TaskParts } from './parts.js';
import { createToolConfigs } from './tool-configs.js';

export { createBillingClock } from './billing-clock.js';
export { type ExecuteParts, executeIssue, isWanted, resumeIssue } from './execute.js';
export { type MergeParts, mergePullRequest } from './merge.js';
export { createPlaces } from './places.js';
export { type PrepareParts, prepareIssue } from './prepare.js';
export { type VerifyParts, verifyIssue } from './verify.js';
export { createConfigurationWatch } from './wake.js';

export function createIssueActs(parts: TaskParts): IssueActs {
  return { ...createIssues(parts), ...createAssigning(parts), ...createDeciding(parts), ...createToolConfigs(parts) };
}
