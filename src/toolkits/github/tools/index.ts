/** The tools of GitHub. */
import type { ToolDefinition } from '../../../domain/tool.js';
import { getAuthenticatedUser } from './account.js';
import { createBranch, deleteBranch, getBranch, listBranches } from './branches.js';
import { createCheckRun, createCommitStatus, getCombinedStatus, listCheckRuns } from './checks.js';
import { compareCommits, getCommit, listCommits } from './commits.js';
import { listIssueActivity } from './issue-activity.js';
import { createIssueComment, deleteIssueComment, listIssueComments, updateIssueComment } from './issue-comments.js';
import { createIssue, getIssue, listIssues, updateIssue } from './issues.js';
import { addIssueLabels, createLabel, listLabels, listMilestones, removeIssueLabel } from './labels.js';
import { mergePullRequest } from './merge-pull-request.js';
import {
  createPullRequest,
  getPullRequest,
  listPullRequestCommits,
  listPullRequestFiles,
  listPullRequests,
  updatePullRequest,
} from './pull-requests.js';
import { getFile, listFiles, listTree } from './read-files.js';
import { createRelease, listReleases } from './releases.js';
import { createRepository, getRepository, listRepositories } from './repositories.js';
import { createReviewCommentReply, listReviewComments } from './review-comments.js';
import { createReview, listReviews, requestReviewers } from './reviews.js';
import { searchCode, searchIssues, searchRepositories, searchUsers } from './search.js';
import { listWorkflowRunJobs, listWorkflowRuns } from './workflows.js';
import { createFile, deleteFile, updateFile } from './write-files.js';

// biome-ignore format: a line for each kind of thing
export const githubTools: readonly ToolDefinition[] = [
  getAuthenticatedUser,
  listRepositories, getRepository, createRepository, searchRepositories,
  listBranches, getBranch, createBranch, deleteBranch,
  listCommits, getCommit, compareCommits,
  getFile, listFiles, listTree, searchCode, createFile, updateFile, deleteFile,
  listIssues, getIssue, createIssue, updateIssue, searchIssues, listIssueActivity,
  listIssueComments, createIssueComment, updateIssueComment, deleteIssueComment,
  listLabels, createLabel, addIssueLabels, removeIssueLabel, listMilestones,
  listPullRequests, getPullRequest, createPullRequest, updatePullRequest, mergePullRequest,
  listPullRequestFiles, listPullRequestCommits,
  listReviews, createReview, requestReviewers, listReviewComments, createReviewCommentReply,
  listCheckRuns, getCombinedStatus, createCommitStatus, createCheckRun,
  listWorkflowRuns, listWorkflowRunJobs,
  listReleases, createRelease,
  searchUsers,
];
