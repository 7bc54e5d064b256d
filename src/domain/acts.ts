/**
 * The acts of the plane: for each, the permissions that its caller needs and the events that it records. Everything that
 * depends on them is derived from here: the plane's checks, the routes of the REST API and their description.
 */
import type { AuditEventType } from './audit.js';
import { HelveError } from './errors.js';
import type { Plane } from './plane.js';
import {
  agentTokenPermissions,
  allPermissions,
  type Permission,
  type Principal,
  requirePermission,
} from './principal.js';

/** Operations whose first argument is the caller. */
export type ActByPrincipal = {
  [Name in keyof Plane]: Parameters<Plane[Name]>[0] extends Principal ? Name : never;
}[keyof Plane];

/** Acts, and those operations without a principal of their own that a route offers. */
export type Act =
  | ActByPrincipal
  | 'execute'
  | 'healthy'
  | 'ready'
  | 'receiveEvent'
  | 'receiveWebhook'
  | 'receiveSlackAction';

/** Why something that is usually required is not. */
export interface None {
  readonly none: string;
}

/** Any session of a person is enough, whatever its permissions; the text says why. */
export interface SessionOnly {
  readonly session: string;
}

/** Permissions of which the caller needs all; or what is required instead. */
export type Access = readonly Permission[] | SessionOnly | None;

export interface ActFacts {
  readonly permissions: Access;
  /** The events that it may record, besides those of refused requests. */
  readonly audit: readonly AuditEventType[] | None;
  /** It concerns everybody's accounts, so that nobody does it who may only see their own. */
  readonly concernsAll?: true;
  /** It returns at once: a stream, or the end of a subscription. All other acts return promises. */
  readonly isImmediate?: true;
}

const configuration = { none: 'reads the configuration' };
const catalogue = { none: 'reads the catalogue' };
const record = { none: 'reads the record' };
const actors = { none: 'reads the state of tasks' };
const issues = { none: 'reads issues' };
const search = { none: 'searches tools and calls none' };
const ownNotifications = { session: 'everyone chooses what they are told themselves' };
const ownSession = { session: 'everyone may see and end their own sessions' };

const runEvents = [
  'run.started',
  'run.refused',
  'run.resumed',
  'run.waiting',
  'run.finished',
  'execution.started',
  'execution.finished',
  'execution.refused',
  'approval.requested',
  'approval.withdrawn',
] as const;

export const acts = {
  agents: { permissions: ['agents:read'], audit: configuration },
  listAgents: { permissions: ['agents:read'], audit: configuration },
  createAgent: { permissions: ['agents:write'], audit: ['agent.created'] },
  changeAgent: { permissions: ['agents:write'], audit: ['agent.changed'] },
  removeAgent: { permissions: ['agents:write'], audit: ['agent.removed'] },
  actAs: { permissions: ['agents:act'], audit: { none: 'what the agent then does is recorded' } },

  credentials: { permissions: ['agents:read'], audit: configuration },
  issueAgentToken: { permissions: agentTokenPermissions, audit: ['credential.created'] },
  // Those that the key is to have, too: see createApiKey.
  createApiKey: { permissions: ['keys:write'], audit: ['credential.created'] },
  // For another's credential also what it takes to issue it: see requireRevoker.
  revokeCredential: { permissions: ['keys:write'], audit: ['credential.revoked'] },
  // A link makes its holder the admin.
  issueAdminLink: { permissions: allPermissions, audit: ['user.created', 'credential.created'] },
  signOut: { permissions: ownSession, audit: ['credential.revoked'] },
  currentSession: { permissions: ownSession, audit: { none: 'says who is signed in' } },
  sessions: { permissions: ownSession, audit: { none: 'says who is signed in' } },
  endSession: { permissions: ownSession, audit: ['credential.revoked'] },
  workspaces: { permissions: ['users:read'], audit: configuration },
  // Its link makes the holder an admin.
  createWorkspace: { permissions: allPermissions, audit: ['workspace.created', 'user.created', 'credential.created'] },
  users: { permissions: ['users:read'], audit: configuration },
  // Those of the role that the person has or gets, too: see requireRole.
  createUser: { permissions: ['users:write'], audit: ['user.created', 'credential.created'] },
  changeUser: { permissions: ['users:write'], audit: ['user.changed', 'credential.revoked'] },
  removeUser: {
    permissions: ['users:write'],
    audit: [
      'user.removed',
      'credential.revoked',
      'connection.changed',
      'connection.disconnected',
      'connection.removed',
    ],
  },
  issueSignInLink: { permissions: ['users:write'], audit: ['credential.created'] },
  signOutEverywhere: { permissions: ownSession, audit: ['credential.revoked'] },

  grantCatalogue: { permissions: ['grants:read'], audit: configuration },
  replaceGrants: { permissions: ['grants:write'], audit: ['grants.replaced'] },
  changeGrants: { permissions: ['grants:write'], audit: ['grants.replaced'] },
  // For another's account also grants:write.
  withdrawConnection: { permissions: ['connections:write'], audit: ['grants.replaced'] },
  previewGrants: { permissions: ['grants:read', 'policies:read'], audit: configuration },
  policies: { permissions: ['policies:read'], audit: configuration },
  replacePolicies: { permissions: ['policies:write'], audit: ['policies.replaced'] },
  explain: { permissions: ['grants:read', 'policies:read'], audit: { none: 'evaluates a decision and calls nothing' } },
  effectiveTools: { permissions: ['grants:read', 'policies:read'], audit: configuration },
  previewPolicies: { permissions: ['policies:read', 'audit:read'], audit: record },
  enableTools: { permissions: ['grants:write'], audit: ['toolkit.changed'] },
  pendingDefinitions: { permissions: ['grants:read'], audit: configuration },
  acceptDefinition: { permissions: ['grants:write'], audit: ['definition.decided'] },

  // The pipeline decides on each call, and records what it refuses.
  execute: {
    permissions: ['tools:call'],
    audit: ['execution.started', 'execution.finished', 'execution.refused'],
  },
  tools: { permissions: ['tools:read'], audit: { none: 'reading the list changes nothing and calls nothing' } },
  validateAccess: { permissions: ['tools:read'], audit: { none: 'evaluates a decision and calls nothing' } },
  toolkits: { permissions: ['tools:read'], audit: configuration },
  toolkitTools: { permissions: ['tools:read'], audit: configuration },
  toolkitTool: { permissions: ['tools:read'], audit: configuration },
  toolSummaries: { permissions: ['tools:read'], audit: configuration },
  unofferedTools: { permissions: ['tools:read'], audit: configuration },
  onConfigurationChange: {
    permissions: { none: 'says only that something changed; what the caller may read says what' },
    audit: { none: 'nothing happens' },
    isImmediate: true,
  },
  searchTools: { permissions: ['tools:read'], audit: search },
  describeTools: { permissions: ['tools:read'], audit: search },
  toolHints: { permissions: ['tools:read'], audit: search },
  checkCode: { permissions: ['tools:read'], audit: { none: 'reads a program and runs nothing' } },
  // Each call of a program is recorded as a call of its caller.
  runCode: { permissions: ['tools:read', 'tools:call'], audit: runEvents },
  getRun: { permissions: ['tools:read'], audit: record },
  listRuns: { permissions: ['tools:read'], audit: record },
  followRun: { permissions: ['tools:read'], audit: record, isImmediate: true },
  cancelRun: { permissions: ['tools:call'], audit: ['run.finished', 'approval.withdrawn'] },
  decideRun: { permissions: ['approvals:decide'], audit: ['run.decided', ...runEvents] },
  toolDeclarations: { permissions: ['tools:read'], audit: search },
  discoveryStats: { permissions: ['tools:read'], audit: search },

  listActorMachines: { permissions: ['tools:read'], audit: { none: 'the machines are the same for everybody' } },
  listActors: { permissions: ['audit:read'], audit: actors },
  getActor: { permissions: ['audit:read'], audit: actors },
  followActor: { permissions: ['audit:read'], audit: actors, isImmediate: true },
  createIssue: { permissions: ['tools:call'], audit: ['issue.created'] },
  listIssues: { permissions: ['tools:read'], audit: issues },
  getIssue: { permissions: ['tools:read'], audit: issues },
  updateIssue: { permissions: ['tools:call'], audit: ['issue.changed'] },
  commentIssue: { permissions: ['tools:call'], audit: ['issue.commented'] },
  // The agent then acts for somebody.
  assignIssue: { permissions: ['tools:call', 'agents:act'], audit: ['issue.assigned'] },
  unassignIssue: { permissions: ['tools:call'], audit: ['issue.unassigned'] },
  retryIssue: { permissions: ['tools:call', 'agents:act'], audit: ['issue.retried'] },
  cancelIssue: { permissions: ['tools:call'], audit: ['issue.cancelled'] },
  // Whoever may decide, or the one person that the check names: see flows/tasks/deciding.ts.
  decideCheck: { permissions: ['approvals:decide'], audit: ['issue.check_decided'] },
  getIssueTimeline: { permissions: ['tools:read'], audit: issues },
  followIssue: { permissions: ['tools:read'], audit: issues, isImmediate: true },
  getToolConfig: { permissions: ['grants:read'], audit: configuration },
  putToolConfig: { permissions: ['grants:write'], audit: ['tool_config.changed'] },
  listTaskSources: { permissions: ['tools:read'], audit: configuration },
  getTaskSource: { permissions: ['tools:read'], audit: configuration },
  listRecipes: { permissions: ['tools:read'], audit: configuration },
  getRecipe: { permissions: ['tools:read'], audit: configuration },
  setRecipe: { permissions: ['grants:write'], audit: ['recipe.changed'] },
  removeRecipe: { permissions: ['grants:write'], audit: ['recipe.removed'] },
  // Agents then act for the caller when issues come.
  createTaskSource: { permissions: ['tools:call', 'agents:act'], audit: ['task_source.created'] },
  deleteTaskSource: { permissions: ['tools:call', 'agents:act'], audit: ['task_source.removed'] },
  receiveWebhook: {
    permissions: { none: 'the signature identifies the source' },
    audit: [
      'issue.created',
      'issue.changed',
      'issue.commented',
      'issue.assigned',
      'issue.retried',
      'issue.cancelled',
      'issue.unassigned',
    ],
  },
  notificationChannels: { permissions: ['tools:read'], audit: configuration },
  createNotificationChannel: { permissions: ['users:write'], audit: ['notification_channel.created'] },
  // Whoever knows the signing secret could sign as any member of Slack who is linked.
  changeNotificationChannel: {
    permissions: allPermissions,
    audit: ['notification_channel.changed', 'execution.started', 'execution.finished', 'execution.refused'],
  },
  removeNotificationChannel: { permissions: ['users:write'], audit: ['notification_channel.removed'] },
  notificationChoices: { permissions: ownNotifications, audit: { none: 'says what the caller chose' } },
  // For Slack it sends a code, as a call of whoever made the channel.
  chooseNotifications: {
    permissions: ownNotifications,
    audit: ['notification_choice.changed', 'execution.started', 'execution.finished', 'execution.refused'],
  },
  receiveSlackAction: {
    permissions: { none: 'Slack signs it, and the member of Slack who pressed is linked to a person' },
    audit: ['approval.decided', 'approval.withdrawn', 'request.refused'],
  },
  confirmNotifications: { permissions: ownNotifications, audit: ['notification_choice.changed'] },
  notificationMessages: { permissions: ownNotifications, audit: { none: 'says what the caller was told' } },
  getEffectiveToolConfig: { permissions: ['grants:read'], audit: configuration },

  listPlaces: { permissions: ['tools:read'], audit: issues },
  getPlace: { permissions: ['tools:read'], audit: issues },
  // For rules that give issues to agents also agents:act, for autoMerge tools:call: see place-updates.ts.
  updatePlace: { permissions: ['grants:write'], audit: ['task_place.changed', 'tool_config.changed'] },
  // The rules of the column act for whoever wrote them.
  moveCard: { permissions: ['tools:call'], audit: ['card.moved'] },
  mergePullRequest: { permissions: ['tools:call'], audit: ['merge.ordered'] },
  callOffMerge: { permissions: ['tools:call'], audit: ['merge.called_off'] },
  startBillingPeriod: { permissions: ['grants:write'], audit: ['billing_period.started'] },

  executions: { permissions: ['tools:read'], audit: record },
  execution: { permissions: ['tools:read'], audit: record },
  follow: { permissions: ['tools:read'], audit: record, isImmediate: true },
  listCalls: { permissions: ['tools:read'], audit: record },
  callFacets: { permissions: ['tools:read'], audit: record },
  getCall: { permissions: ['tools:read'], audit: record },
  // For another's account also grants:read.
  connectionUsage: { permissions: ['connections:read'], audit: configuration },
  callMetrics: { permissions: ['tools:read'], audit: record },
  // For another's call also agents:act: see cancel-call.ts.
  cancelCall: { permissions: ['tools:call'], audit: ['execution.stop_requested'] },
  events: { permissions: ['tools:read'], audit: record, isImmediate: true },
  // They withdraw those whose call has changed since a person was asked.
  approvals: { permissions: ['approvals:read'], audit: ['approval.withdrawn'] },
  approval: { permissions: ['approvals:read'], audit: ['approval.withdrawn'] },
  approvalCounts: { permissions: ['approvals:read'], audit: { none: 'counts waiting and decided calls' } },
  decideApprovals: { permissions: ['approvals:decide'], audit: ['approval.decided', 'approval.withdrawn'] },
  decideApproval: { permissions: ['approvals:decide'], audit: ['approval.decided', 'approval.withdrawn'] },
  answerElicitation: {
    permissions: { none: 'the program that asked passes on the answer of its person, where that is allowed' },
    audit: ['approval.decided', 'approval.withdrawn'],
  },
  audit: { permissions: ['audit:read'], audit: record },
  exportAudit: { permissions: ['audit:read'], audit: record, isImmediate: true },
  verifyAudit: { permissions: ['audit:read'], audit: record },
  followAuditCheck: { permissions: ['audit:read'], audit: record, isImmediate: true },
  machineChecks: { permissions: ['audit:read'], audit: { none: 'inspects the machine' } },
  storeSizes: { permissions: ['audit:read'], audit: { none: 'measures the store' } },
  doctor: { permissions: ['audit:read', 'policies:read'], audit: { none: 'inspects the machine' } },
  settings: { permissions: ['audit:read'], audit: { none: 'reads the configuration of this installation' } },
  metrics: { permissions: ['audit:read'], audit: { none: 'reads what this process has counted' } },
  healthy: {
    permissions: { none: 'a monitor has no credential, and the status reveals nothing to an untrusted client' },
    audit: { none: 'nothing happens' },
  },
  ready: {
    permissions: { none: 'a balancer has no credential, and the reason is one of four words' },
    audit: { none: 'nothing happens' },
  },

  connections: { permissions: ['connections:read'], audit: configuration },
  connection: { permissions: ['connections:read'], audit: configuration },
  connectionSchemes: { permissions: ['connections:read'], audit: configuration },
  addConnection: { permissions: ['connections:write'], audit: ['connection.added'] },
  connect: {
    permissions: ['connections:write'],
    audit: ['connection.started', 'connection.connected', 'connection.failed'],
  },
  changeConnection: { permissions: ['connections:write'], audit: ['connection.changed'] },
  checkConnection: { permissions: ['connections:write'], audit: ['connection.checked', 'connection.failed'] },
  disconnect: { permissions: ['connections:write'], audit: ['connection.disconnected'] },
  removeConnection: {
    permissions: ['connections:write'],
    audit: ['connection.disconnected', 'connection.removed'],
  },
  disconnectAll: { permissions: ['connections:write'], audit: ['connection.disconnected'], concernsAll: true },
  putAuthClient: { permissions: ['connections:write'], audit: ['auth_config.changed'], concernsAll: true },
  removeAuthClient: { permissions: ['connections:write'], audit: ['auth_config.changed'], concernsAll: true },
  authChecks: { permissions: ['connections:read'], audit: configuration },
  rotateVault: { permissions: ['keys:write', 'connections:write'], audit: ['vault.rotated'] },

  marketplace: { permissions: ['tools:read'], audit: catalogue },
  marketplaceStats: { permissions: ['tools:read'], audit: catalogue },
  cacheStatus: { permissions: ['tools:read'], audit: catalogue },
  useToolkit: { permissions: ['connections:write'], audit: ['toolkit.changed'], concernsAll: true },
  withoutAccounts: { permissions: ['connections:read'], audit: catalogue },
  synchronise: { permissions: ['catalogue:write'], audit: ['sync.started', 'sync.finished'] },
  syncJobs: { permissions: ['tools:read'], audit: catalogue },
  followSync: { permissions: ['tools:read'], audit: catalogue, isImmediate: true },
  cancelSync: { permissions: ['catalogue:write'], audit: ['sync.cancelled', 'sync.finished'] },
  triggers: { permissions: ['tools:read'], audit: catalogue },
  subscriptions: { permissions: ['connections:read'], audit: { none: 'reads received events' } },
  subscribe: { permissions: ['connections:write'], audit: ['trigger.subscribed'] },
  unsubscribe: { permissions: ['connections:write'], audit: ['trigger.unsubscribed'] },
  triggerEvents: { permissions: ['connections:read'], audit: { none: 'reads received events' } },
  receiveEvent: {
    permissions: { none: 'the signature identifies the sender' },
    // Rules of task sources may open an issue for it.
    audit: ['issue.created', 'issue.assigned'],
  },
} as const satisfies Readonly<Record<Act, ActFacts>>;

/**
 * Returns the operations with each act checked before it runs: it throws `forbidden` unless the caller has all permissions
 * that the act needs. Operations that are not acts stay as they are.
 */
export function checkPermissions<Operations extends Partial<Plane>>(operations: Operations): Operations {
  const checked = Object.entries(operations).map(([name, run]) => [
    name,
    isActByPrincipal(name) ? checkedAct(acts[name], run as Run) : run,
  ]);
  return Object.fromEntries(checked) as Operations;
}

type Run = (principal: Principal, ...rest: unknown[]) => unknown;

function checkedAct({ permissions, isImmediate, concernsAll }: ActFacts, run: Run): Run {
  if (!Array.isArray(permissions)) return run;
  const check = (principal: Principal): void => {
    if (concernsAll && principal.ownAccountsOnly)
      throw new HelveError('forbidden', `${principal.name} may change only accounts of their own`, {
        hint: 'An admin of the workspace can do this.',
      });
    for (const permission of permissions) requirePermission(principal, permission);
  };
  if (isImmediate) {
    return (principal, ...rest) => {
      check(principal);
      return run(principal, ...rest);
    };
  }
  return async (principal, ...rest) => {
    check(principal);
    return run(principal, ...rest);
  };
}

const withoutPrincipal: ReadonlySet<string> = new Set([
  'execute',
  'healthy',
  'ready',
  'receiveEvent',
  'receiveWebhook',
  'receiveSlackAction',
]);

function isActByPrincipal(name: string): name is ActByPrincipal {
  return Object.hasOwn(acts, name) && !withoutPrincipal.has(name);
}
