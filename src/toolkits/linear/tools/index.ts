/** The tools of Linear. */
import type { ToolDefinition } from '../../../domain/tool.js';
import { createComment, deleteComment, listComments, updateComment } from './comments.js';
import { listIssueActivity } from './issue-activity.js';
import { createProject, getProject, listProjects, updateProject } from './projects.js';
import { getIssue, listIssues, searchIssues } from './read-issues.js';
import { createLabel, getTeam, listCycles, listLabels, listTeams, listWorkflowStates } from './teams.js';
import { getCurrentUser, listUsers } from './users.js';
import { archiveIssue, createIssue, updateIssue, updateIssueStatus } from './write-issues.js';

// biome-ignore format: a line for each kind of thing
export const linearTools: readonly ToolDefinition[] = [
  listIssues, getIssue, searchIssues, listIssueActivity, createIssue, updateIssue, updateIssueStatus, archiveIssue,
  listComments, createComment, updateComment, deleteComment,
  listTeams, getTeam, listWorkflowStates, listCycles, listLabels, createLabel,
  listProjects, getProject, createProject, updateProject,
  listUsers, getCurrentUser,
];
