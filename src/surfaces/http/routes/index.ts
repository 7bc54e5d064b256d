/** All routes of the REST API. Authentication, validation, OpenAPI and the client's types come from this one array. */

import { createOpenApi } from '../openapi.js';
import type { ApiOf, Route } from '../route.js';
import { followActor, getActor, listActorMachines, listActors } from './actors.js';
import {
  changeAgent,
  changeGrants,
  createAgent,
  getGrants,
  issueAgentToken,
  listAgents,
  previewGrants,
  removeAgent,
  replaceGrants,
} from './agents.js';
import { decideApproval, decideApprovals, getApproval, listApprovals } from './approvals.js';
import { exportAudit, followAuditCheck, searchAudit, verifyAudit } from './audit.js';
import { cancelCall, countCalls, getCall, listCalls, measureCalls } from './calls.js';
import { getTypes } from './code.js';
import {
  acceptDefinition,
  addToWorkspace,
  authChecks,
  changeConnection,
  checkConnection,
  connect,
  disconnect,
  disconnectAll,
  getConnection,
  getUsage,
  listConnected,
  listDefinitions,
  listSchemes,
  putAuthClient,
  removeAuthClient,
  rotateVault,
  withdrawConnection,
} from './connections.js';
import { createAdminLink, createKey, listCredentials, revokeCredential } from './credentials.js';
import { describeTools, getDiscoveryStats, hintTools, searchTools } from './discovery.js';
import { followEvents } from './events.js';
import { followExecution, getExecution, listExecutions } from './executions.js';
import { explain, getEffective, previewPolicies } from './explain.js';
import { getHealth, getMachine } from './health.js';
import {
  assignIssue,
  cancelIssue,
  commentIssue,
  createIssue,
  decideCheck,
  followIssue,
  getIssue,
  getIssueTimeline,
  listIssues,
  retryIssue,
  unassignIssue,
  updateIssue,
} from './issues.js';
import { browse, debugCacheStatus, debugConnections, listTriggers, stats } from './marketplace.js';
import { openApiRoute } from './openapi.js';
import { getPolicies, replacePolicies } from './policies.js';
import { cancelRun, decideRun, followRun, getRun, listRunCalls, listRuns, startRun } from './runs.js';
import { endOneSession, endSession, endSessions, getSession, listSessions } from './sessions.js';
import { getDoctor, getSettings } from './settings.js';
import { backfill, cancelSync, followSync, syncHistory, synchronise } from './sync.js';
import {
  createTaskSource,
  deleteTaskSource,
  getTaskSource,
  listTaskSources,
  receiveFromGitHub,
  receiveFromLinear,
} from './task-sources.js';
import { getEffectiveToolConfig, getToolConfig, putToolConfig } from './tool-configs.js';
import { enableActions, getAction, listActions, listSummaries, listToolkits } from './toolkits.js';
import { executeTool, exportTools, listTools, validateAccess } from './tools.js';
import { listEvents, listSubscriptions, receiveFromComposio, subscribe, unsubscribe } from './triggers.js';
import { changeUser, createSignInLink, createUser, listUsers, removeUser } from './users.js';
import { createWorkspace, listWorkspaces } from './workspaces.js';

const getOpenApi = openApiRoute(() => createOpenApi(routes));

const typedRoutes = [
  listTools,
  exportTools,
  executeTool,
  validateAccess,
  searchTools,
  describeTools,
  hintTools,
  getDiscoveryStats,
  getTypes,
  startRun,
  listActorMachines,
  listActors,
  getActor,
  followActor,
  listRuns,
  getRun,
  listRunCalls,
  followRun,
  cancelRun,
  decideRun,
  createIssue,
  listIssues,
  getIssue,
  updateIssue,
  commentIssue,
  assignIssue,
  unassignIssue,
  retryIssue,
  cancelIssue,
  decideCheck,
  getIssueTimeline,
  followIssue,
  getToolConfig,
  putToolConfig,
  getEffectiveToolConfig,
  listTaskSources,
  getTaskSource,
  createTaskSource,
  deleteTaskSource,
  receiveFromGitHub,
  receiveFromLinear,
  listExecutions,
  getExecution,
  followExecution,
  listCalls,
  countCalls,
  getCall,
  cancelCall,
  measureCalls,
  followEvents,
  listToolkits,
  listActions,
  getAction,
  listSummaries,
  enableActions,
  listApprovals,
  getApproval,
  decideApproval,
  decideApprovals,
  searchAudit,
  verifyAudit,
  followAuditCheck,
  exportAudit,
  listAgents,
  createAgent,
  changeAgent,
  removeAgent,
  issueAgentToken,
  getGrants,
  changeGrants,
  previewGrants,
  replaceGrants,
  explain,
  getEffective,
  previewPolicies,
  getPolicies,
  replacePolicies,
  listCredentials,
  createKey,
  revokeCredential,
  createAdminLink,
  getSession,
  listSessions,
  endSession,
  endOneSession,
  endSessions,
  listWorkspaces,
  createWorkspace,
  listUsers,
  createUser,
  changeUser,
  removeUser,
  createSignInLink,
  listConnected,
  getConnection,
  listSchemes,
  addToWorkspace,
  connect,
  changeConnection,
  checkConnection,
  disconnect,
  disconnectAll,
  getUsage,
  withdrawConnection,
  putAuthClient,
  removeAuthClient,
  authChecks,
  rotateVault,
  listDefinitions,
  acceptDefinition,
  browse,
  stats,
  listTriggers,
  debugConnections,
  debugCacheStatus,
  synchronise,
  backfill,
  syncHistory,
  followSync,
  cancelSync,
  listSubscriptions,
  subscribe,
  unsubscribe,
  listEvents,
  receiveFromComposio,
  getSettings,
  getDoctor,
  getMachine,
  getHealth,
  getOpenApi,
] as const;

export const routes: readonly Route[] = typedRoutes;

/** The client's own table must equal this one; a test compares them. */
export type ServedApi = ApiOf<typeof typedRoutes>;
