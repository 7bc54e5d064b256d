/** Every route of the REST API, by method and path. A test in surfaces/http checks that it equals the routes. */
import type { z } from 'zod';
import type * as actors from './actors.js';
import type * as calls from './calls.js';
import type * as code from './code.js';
import type * as accounts from './connections.js';
import type * as find from './discovery.js';
import type * as live from './events.js';
import type * as why from './explain.js';
import type * as issues from './issues.js';
import type * as market from './marketplace.js';
import type * as notifications from './notifications.js';
import type * as people from './people.js';
import type * as places from './places.js';
import type * as recipes from './recipes.js';
import type * as records from './records.js';
import type * as requests from './requests.js';
import type * as runs from './runs.js';
import type * as settings from './settings.js';
import type * as shapes from './shapes.js';
import type * as sources from './task-sources.js';

type In<Schema extends z.ZodType> = z.input<Schema>;
type Out<Schema extends z.ZodType> = z.output<Schema>;
type Approval = Out<typeof records.approval>;
type Issued = Out<typeof records.issuedCredential>;
type ToolkitParams = In<typeof requests.toolkitParams>;
type AgentParams = In<typeof requests.agentParams>;
type UserParams = In<typeof people.userParams>;
type ExecutionParams = In<typeof requests.executionParams>;
type IdParams = In<typeof requests.idParams>;
type RecipeParams = In<typeof recipes.recipeParams>;
type Toolkit = Out<typeof shapes.toolkit>;
type ToolkitSetting = Out<typeof shapes.toolkitSetting>;
type Agent = Out<typeof shapes.agent>;
type Connection = Out<typeof accounts.connection>;
type ConnectionParams = In<typeof accounts.connectionParams>;
type ProviderParams = In<typeof accounts.providerParams>;
type DisconnectReport = Out<typeof accounts.disconnectReport>;
type PolicySet = Out<typeof records.policySet>;
type Issue = Out<typeof issues.issue>;
type ToolConfig = Out<typeof issues.toolConfig>;
type ToolConfigParams = In<typeof issues.toolConfigParams>;
type Org = Out<typeof places.org>;
type Repo = Out<typeof places.repo>;
type Project = Out<typeof places.project>;
type PullRequest = Out<typeof places.pullRequest>;
type PlacesQuery = In<typeof places.placesQuery>;
type Run = Out<typeof runs.run>;
type ActorParams = In<typeof actors.actorParams>;
type AsAgent = In<typeof requests.asAgentQuery>;
type SyncReport = Out<typeof market.syncReport>;
type UsedApp = Out<typeof market.usedApp>;
type JobParams = In<typeof market.jobParams>;

export interface Api {
  'GET /api/tools/workspace': {
    query: In<typeof requests.listQuery>;
    reply: { tools: Out<typeof shapes.listedTool>[] };
  };
  'GET /api/tools/export': {
    query: In<typeof requests.exportQuery>;
    reply: { tools: Out<typeof shapes.jsonObject>[] };
  };
  'POST /api/tools/execute': {
    query: In<typeof requests.shapeQuery>;
    body: In<typeof requests.executeBody>;
    reply: Out<typeof shapes.toolResult>;
  };
  'GET /api/tools/search': { query: In<typeof find.searchQuery>; reply: Out<typeof find.toolFindings> };
  'POST /api/tools/describe': { body: In<typeof find.describeBody>; reply: Out<typeof find.toolDescriptions> };
  'POST /api/tools/hints': { body: In<typeof find.hintsBody>; reply: Out<typeof find.toolHints> };
  'GET /api/tools/search/stats': { reply: Out<typeof find.discoveryStats> };
  'GET /api/actor-machines': { reply: Out<typeof actors.actorMachines> };
  'GET /api/actors': { query: In<typeof actors.actorsQuery>; reply: Out<typeof actors.actorList> };
  'GET /api/actors/:kind/:id': { params: ActorParams; reply: Out<typeof actors.actor> };
  'GET /api/actors/:kind/:id/events': {
    params: ActorParams;
    query: In<typeof actors.actorEventsQuery>;
    reply: undefined;
  };
  'POST /api/issues': { body: In<typeof issues.newIssueBody>; reply: Issue };
  'GET /api/issues': { query: In<typeof issues.issuesQuery>; reply: Out<typeof issues.issueList> };
  'GET /api/issues/:id': { params: IdParams; reply: Issue };
  'PATCH /api/issues/:id': { params: IdParams; body: In<typeof issues.issueChangesBody>; reply: Issue };
  'POST /api/issues/:id/comments': {
    params: IdParams;
    body: In<typeof issues.commentBody>;
    reply: Out<typeof issues.issueComment>;
  };
  'POST /api/issues/:id/assign': { params: IdParams; body: In<typeof issues.assignBody>; reply: Issue };
  'POST /api/issues/:id/unassign': { params: IdParams; reply: Issue };
  'POST /api/issues/:id/retry': { params: IdParams; reply: Issue };
  'POST /api/issues/:id/cancel': { params: IdParams; reply: Issue };
  'POST /api/issues/:id/checks/:check': {
    params: In<typeof issues.decideCheckParams>;
    body: In<typeof issues.decideCheckBody>;
    reply: Issue;
  };
  'GET /api/issues/:id/timeline': { params: IdParams; reply: Out<typeof issues.issueTimeline> };
  'GET /api/issues/:id/events': { params: IdParams; query: In<typeof actors.actorEventsQuery>; reply: undefined };
  'GET /api/tool-config/:level/:id': { params: ToolConfigParams; reply: ToolConfig };
  'PUT /api/tool-config/:level/:id': {
    params: ToolConfigParams;
    body: In<typeof issues.toolConfigBody>;
    reply: ToolConfig;
  };
  'GET /api/tool-config/:level/:id/effective': {
    params: ToolConfigParams;
    reply: Out<typeof issues.effectiveToolConfig>;
  };
  'GET /api/orgs': { query: PlacesQuery; reply: Out<typeof places.orgList> };
  'GET /api/orgs/:id': { params: IdParams; reply: Org };
  'PATCH /api/orgs/:id': { params: IdParams; body: In<typeof places.orgChangesBody>; reply: Org };
  'POST /api/orgs/:id/billing-period': { params: IdParams; reply: Org };
  'GET /api/repos': { query: PlacesQuery; reply: Out<typeof places.repoList> };
  'GET /api/repos/:id': { params: IdParams; reply: Repo };
  'PATCH /api/repos/:id': { params: IdParams; body: In<typeof places.repoChangesBody>; reply: Repo };
  'GET /api/projects': { query: PlacesQuery; reply: Out<typeof places.projectList> };
  'GET /api/projects/:id': { params: IdParams; reply: Project };
  'PATCH /api/projects/:id': { params: IdParams; body: In<typeof places.projectChangesBody>; reply: Project };
  'POST /api/projects/:id/cards': { params: IdParams; body: In<typeof places.cardBody>; reply: Project };
  'GET /api/pull-requests': { query: PlacesQuery; reply: Out<typeof places.pullRequestList> };
  'GET /api/pull-requests/:id': { params: IdParams; reply: PullRequest };
  'PATCH /api/pull-requests/:id': {
    params: IdParams;
    body: In<typeof places.pullRequestChangesBody>;
    reply: PullRequest;
  };
  'POST /api/pull-requests/:id/merge': { params: IdParams; body: In<typeof places.mergeBody>; reply: PullRequest };
  'DELETE /api/pull-requests/:id/merge': { params: IdParams; reply: PullRequest };
  'POST /api/runs': { body: In<typeof runs.runBody>; reply: Out<typeof runs.runReply> };
  'GET /api/runs': { query: In<typeof runs.runsQuery>; reply: Out<typeof runs.runList> };
  'GET /api/runs/:id': { params: IdParams; query: AsAgent; reply: Run };
  'GET /api/runs/:id/calls': { params: IdParams; query: AsAgent; reply: Out<typeof runs.runCalls> };
  'GET /api/runs/:id/events': { params: IdParams; query: AsAgent; reply: undefined };
  'POST /api/runs/:id/cancel': { params: IdParams; query: AsAgent; reply: Run };
  'POST /api/runs/:id/decide': { params: IdParams; body: In<typeof runs.runDecisionBody>; reply: Run };
  'GET /api/types': { query: In<typeof code.typesQuery>; reply: Out<typeof code.toolDeclarations> };
  'GET /api/tools/access': { query: In<typeof requests.accessQuery>; reply: Out<typeof shapes.decision> };
  'GET /api/tools/executions': {
    query: In<typeof requests.executionsQuery>;
    reply: { executions: Out<typeof shapes.executionRecord>[]; next?: number | undefined };
  };
  'GET /api/tools/executions/:executionId': {
    params: ExecutionParams;
    query: In<typeof requests.shapeQuery>;
    reply: Out<typeof shapes.executionRecord>;
  };
  'GET /api/tools/executions/:executionId/events': { params: ExecutionParams; reply: undefined };
  'GET /api/executions': { query: In<typeof calls.callsQuery>; reply: Out<typeof calls.callPage> };
  'GET /api/executions/facets': { query: In<typeof calls.callsFilter>; reply: Out<typeof calls.callFacets> };
  'GET /api/executions/:executionId': {
    params: ExecutionParams;
    query: In<typeof calls.callsFilter>;
    reply: Out<typeof calls.callDetail>;
  };
  'POST /api/executions/:executionId/cancel': { params: ExecutionParams; reply: undefined };
  'GET /api/metrics/calls': { query: In<typeof calls.callMetricsQuery>; reply: Out<typeof calls.callMetrics> };
  'GET /api/events': { query: In<typeof live.liveQuery>; reply: undefined };
  'GET /api/tools/toolkits': { reply: { toolkits: { toolkit: Toolkit; setting: ToolkitSetting }[] } };
  'GET /api/tools/:toolkit/actions': {
    params: ToolkitParams;
    reply: {
      actions: { tool: Out<typeof shapes.tool>; enabled: boolean }[];
      refused: Out<typeof shapes.unofferedTool>[];
    };
  };
  'GET /api/tools/:toolkit/actions/:tool': {
    params: In<typeof requests.toolkitToolParams>;
    reply: Out<typeof shapes.switchedTool>;
  };
  'GET /api/tools/:toolkit/summaries': {
    params: ToolkitParams;
    query: In<typeof requests.pageQuery>;
    reply: Out<typeof shapes.toolSummaryPage>;
  };
  'POST /api/tools/:toolkit/actions': {
    params: ToolkitParams;
    body: In<typeof requests.toolkitActionsBody>;
    reply: ToolkitSetting;
  };
  'GET /api/approvals': {
    query: In<typeof requests.approvalsQuery>;
    reply: { approvals: Approval[]; counts: Out<typeof records.approvalCounts>; next?: string | undefined };
  };
  'POST /api/approvals/decide': {
    body: In<typeof requests.jointDecisionBody>;
    reply: Out<typeof records.decisionOutcomes>;
  };
  'GET /api/approvals/:id': { params: IdParams; reply: Approval };
  'POST /api/approvals/:id/decision': { params: IdParams; body: In<typeof requests.decisionBody>; reply: Approval };
  'GET /api/audit': { query: In<typeof requests.auditQuery>; reply: { events: Out<typeof records.auditEvent>[] } };
  'GET /api/audit/verify': { query: In<typeof requests.verifyQuery>; reply: Out<typeof records.chainReport> };
  'GET /api/audit/verify/stream': { query: In<typeof requests.followCheckQuery>; reply: undefined };
  'GET /api/audit/export': { query: In<typeof requests.recordFilter>; reply: undefined };
  'GET /api/agents': { query: In<typeof requests.agentsQuery>; reply: Out<typeof shapes.agentPage> };
  'POST /api/agents': { body: In<typeof requests.agentBody>; reply: Agent };
  'PATCH /api/agents/:agent': { params: AgentParams; body: In<typeof requests.changeAgentBody>; reply: Agent };
  'DELETE /api/agents/:agent': { params: AgentParams; reply: undefined };
  'POST /api/agents/:agent/tokens': { params: AgentParams; body: In<typeof requests.tokenBody>; reply: Issued };
  'GET /api/agents/:agent/grants': {
    params: AgentParams;
    query: In<typeof requests.grantsQuery>;
    reply: {
      agent: Agent;
      entries: Out<typeof shapes.catalogueEntry>[];
      grants: Out<typeof shapes.savedGrant>[];
      doubtfulLimits: Out<typeof shapes.doubtfulLimit>[];
      version: string;
    };
  };
  'PUT /api/agents/:agent/grants': {
    params: AgentParams;
    body: In<typeof requests.grantsBody>;
    reply: Out<typeof shapes.grantSet>;
  };
  'PATCH /api/agents/:agent/grants': {
    params: AgentParams;
    body: In<typeof requests.grantChangesBody>;
    reply: Out<typeof shapes.changedGrantSet>;
  };
  'POST /api/explain': { body: In<typeof why.explainBody>; reply: Out<typeof why.explanation> };
  'GET /api/agents/:agent/effective': { params: AgentParams; reply: Out<typeof why.effectiveTools> };
  'POST /api/agents/:agent/grants/preview': {
    params: AgentParams;
    body: In<typeof why.grantPreviewBody>;
    reply: Out<typeof why.grantPreview>;
  };
  'POST /api/policies/preview': {
    body: In<typeof why.policyPreviewBody>;
    reply: Out<typeof why.policyPreview>;
  };
  'GET /api/policies': { reply: PolicySet };
  'PUT /api/policies': { body: In<typeof requests.policiesBody>; reply: PolicySet };
  'GET /api/credentials': { reply: { credentials: Out<typeof records.credential>[] } };
  'POST /api/keys': { body: In<typeof requests.keyBody>; reply: Issued };
  'POST /api/admin-links': { reply: Issued };
  'GET /api/session': { reply: Out<typeof people.currentSession> };
  'DELETE /api/session': { reply: undefined };
  'GET /api/sessions': { reply: Out<typeof people.sessionList> };
  'DELETE /api/sessions/:id': { params: IdParams; reply: undefined };
  'GET /api/users': { reply: Out<typeof people.userList> };
  'GET /api/workspaces': { reply: Out<typeof people.workspaceList> };
  'POST /api/workspaces': { body: In<typeof people.newWorkspaceBody>; reply: Out<typeof people.createdWorkspace> };
  'POST /api/users': { body: In<typeof people.newUserBody>; reply: Out<typeof people.invited> };
  'PATCH /api/users/:user': {
    params: UserParams;
    body: In<typeof people.changeUserBody>;
    reply: Out<typeof people.user>;
  };
  'DELETE /api/users/:user': {
    params: UserParams;
    query: In<typeof people.removeUserQuery>;
    reply: undefined;
  };
  'POST /api/users/:user/link': { params: UserParams; reply: Out<typeof people.signInLink> };
  'DELETE /api/sessions': { reply: { ended: number } };
  'DELETE /api/credentials/:id': { params: IdParams; reply: undefined };
  'GET /api/tools/connected': { reply: { connections: Connection[] } };
  'GET /api/connections/:connection': { params: ConnectionParams; reply: Connection };
  'GET /api/tools/:toolkit/schemes': {
    params: ToolkitParams;
    reply: { schemes: Out<typeof accounts.scheme>[] };
  };
  'POST /api/tools/add-to-workspace': { body: In<typeof accounts.addConnectionBody>; reply: Connection | UsedApp };
  'POST /api/tools/connect': { body: In<typeof accounts.connectBody>; reply: Out<typeof accounts.connected> };
  'PUT /api/connections/:connection': {
    params: ConnectionParams;
    body: In<typeof accounts.changeConnectionBody>;
    reply: Connection;
  };
  'POST /api/connections/:connection/check': {
    params: ConnectionParams;
    reply: Out<typeof accounts.connectionCheck>;
  };
  'POST /api/tools/disconnect': {
    body: In<typeof accounts.disconnectBody>;
    reply: DisconnectReport | UsedApp;
  };
  'GET /api/connections/:connection/usage': { params: ConnectionParams; reply: Out<typeof accounts.connectionUsage> };
  'DELETE /api/connections/:connection/agents/:agent': {
    params: In<typeof accounts.withdrawalParams>;
    reply: Out<typeof accounts.withdrawal>;
  };
  'POST /api/connections/disconnect-all': { reply: { reports: DisconnectReport[] } };
  'PUT /api/auth-clients/:provider': {
    params: ProviderParams;
    body: In<typeof accounts.authClientBody>;
    reply: undefined;
  };
  'DELETE /api/auth-clients/:provider': { params: ProviderParams; reply: undefined };
  'GET /api/auth-checks': { reply: { checks: Out<typeof accounts.authCheck>[] } };
  'POST /api/vault/rotate': { reply: Out<typeof accounts.rotation> };
  'GET /api/definitions': { reply: { definitions: Out<typeof accounts.pendingDefinition>[] } };
  'POST /api/definitions/:toolkit/:tool/accept': {
    params: In<typeof accounts.definitionParams>;
    body: In<typeof accounts.definitionBody>;
    reply: undefined;
  };
  'GET /api/tools/marketplace': {
    query: In<typeof market.marketplaceQuery>;
    reply: Out<typeof market.marketplacePage>;
  };
  'GET /api/tools/stats': { reply: Out<typeof market.marketplaceStats> };
  'GET /api/tools/:toolkit/triggers': { params: ToolkitParams; reply: { triggers: Out<typeof market.trigger>[] } };
  'GET /api/tools/debug/connections': { reply: { connections: Connection[] } };
  'GET /api/tools/debug/cache-status': { reply: Out<typeof market.cacheStatus> };
  'POST /api/tools/sync': { body: In<typeof market.syncBody>; reply: SyncReport };
  'POST /api/tools/backfill-params': { body: In<typeof market.backfillBody>; reply: SyncReport };
  'GET /api/tools/sync-history': { query: In<typeof market.syncHistoryQuery>; reply: { jobs: SyncReport[] } };
  'GET /api/tools/sync/:job/events': { params: JobParams; reply: undefined };
  'POST /api/tools/sync/:job/cancel': { params: JobParams; reply: SyncReport };
  'GET /api/triggers': { reply: { subscriptions: Out<typeof market.subscription>[] } };
  'POST /api/triggers': { body: In<typeof market.subscribeBody>; reply: Out<typeof market.subscription> };
  'DELETE /api/triggers/:id': { params: IdParams; reply: undefined };
  'GET /api/triggers/events': {
    query: In<typeof market.eventsQuery>;
    reply: Out<typeof market.receivedEventPage>;
  };
  'GET /api/recipes': { reply: Out<typeof recipes.recipeList> };
  'GET /api/recipes/:name': { params: RecipeParams; reply: Out<typeof recipes.recipe> };
  'PUT /api/recipes/:name': {
    params: RecipeParams;
    body: In<typeof recipes.newRecipeBody>;
    reply: Out<typeof recipes.recipe>;
  };
  'DELETE /api/recipes/:name': { params: RecipeParams; reply: undefined };
  'GET /api/task-sources': { reply: Out<typeof sources.taskSourceList> };
  'GET /api/task-sources/:id': { params: IdParams; reply: Out<typeof sources.taskSource> };
  'POST /api/task-sources': {
    body: In<typeof sources.newTaskSourceBody>;
    reply: Out<typeof sources.newTaskSource>;
  };
  'DELETE /api/task-sources/:id': { params: IdParams; reply: undefined };
  'GET /api/notification-channels': { reply: Out<typeof notifications.notificationChannelList> };
  'POST /api/notification-channels': {
    body: In<typeof notifications.newNotificationChannelBody>;
    reply: Out<typeof notifications.newNotificationChannel>;
  };
  'PATCH /api/notification-channels/:id': {
    params: IdParams;
    body: In<typeof notifications.changeNotificationChannelBody>;
    reply: Out<typeof notifications.notificationChannel>;
  };
  'DELETE /api/notification-channels/:id': { params: IdParams; reply: undefined };
  'GET /api/notifications': { reply: Out<typeof notifications.notificationChoiceList> };
  'PUT /api/notifications/:id': {
    params: IdParams;
    body: In<typeof notifications.chooseNotificationsBody>;
    reply: Out<typeof notifications.notificationChoice>;
  };
  'POST /api/notifications/:id/code': {
    params: IdParams;
    body: In<typeof notifications.notificationCodeBody>;
    reply: Out<typeof notifications.notificationChoice>;
  };
  'GET /api/notification-messages': { reply: Out<typeof notifications.notificationMessageList> };
  'POST /api/webhooks/slack': { reply: Out<typeof notifications.slackAction> };
  'POST /api/webhooks/github': { reply: Out<typeof sources.receivedWebhook> };
  'POST /api/webhooks/linear': { reply: Out<typeof sources.receivedWebhook> };
  'POST /api/composio/webhook': { reply: { received: boolean } };
  'GET /api/settings': { reply: { settings: Out<typeof settings.setting>[] } };
  'GET /api/doctor': {
    query: In<typeof settings.doctorQuery>;
    reply: { checks: Out<typeof settings.doctorCheck>[] };
  };
  'GET /api/store-sizes': { reply: Out<typeof settings.storeSizes> };
  'GET /api/machine': { reply: { checks: Out<typeof records.machineCheck>[] } };
  'GET /health': { reply: Out<typeof records.health> };
  'GET /metrics': { reply: undefined };
  'GET /ready': { reply: Out<typeof records.readiness> };
  'GET /api/openapi.json': { reply: Out<typeof shapes.jsonObject> };
}
