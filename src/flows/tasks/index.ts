/** Issues that agents finish: filing and assigning them, the tools that they may use, and what wakes them. */
import type { IssueActs } from '../../domain/issue-acts.js';
import type { TaskSourceActs } from '../../domain/task-source.js';
import { createAssigning } from './assigning.js';
import { createDeciding } from './deciding.js';
import { createIssues } from './issues.js';
import type { TaskParts } from './parts.js';
import type { SourceParts } from './sources/parts.js';
import { createSources } from './sources/sources.js';
import { createToolConfigs } from './tool-configs.js';
import { createReceiving } from './webhooks/receive.js';

export { createBillingClock } from './billing-clock.js';
export { endUnwantedRuns } from './end-unwanted-runs.js';
export { type ExecuteParts, executeIssue, isWanted, resumeIssue } from './execute.js';
export { resolveRepo } from './known-repos.js';
export { lookAtPullRequest, lookMs, tellToLook } from './look.js';
export { type MergeParts, mergePullRequest } from './merge.js';
export { openByRules } from './open-by-rules.js';
export { chargeOrg } from './org-budget.js';
export { createPlaces } from './places.js';
export { createDryLook, type PrepareParts, prepareIssue } from './prepare.js';
export { findPresentRights } from './present-rights.js';
export { type ReportParts, reportIssue } from './reporting/report.js';
export { resumeForgotten } from './resume-forgotten.js';
export { readPresentConfig, readTaskScope } from './task-scope.js';
export { type VerifyParts, verifyIssue } from './verify.js';
export { createConfigurationWatch, wakeWaiting } from './wake.js';
export { catchUp } from './webhooks/catch-up.js';

export function createTaskSourceActs(parts: SourceParts): TaskSourceActs {
  return { ...createSources(parts), ...createReceiving(parts) };
}

export function createIssueActs(parts: TaskParts): IssueActs {
  return { ...createIssues(parts), ...createAssigning(parts), ...createDeciding(parts), ...createToolConfigs(parts) };
}
