/**
 * Workspace A against everything of workspace B, behind the doors: every act of the plane and every tool. A new
 * method or tool has no row here, and that fails.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { toHelveError } from '../../src/domain/errors.js';
import { placeKinds } from '../../src/domain/place-acts.js';
import type { Plane } from '../../src/domain/plane.js';
import { allPermissions, type Principal } from '../../src/domain/principal.js';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { nameMemory } from '../../src/toolkits/knowledge/memory/memories.js';
import { canary, idsOf, type TwoWorkspaces, twoWorkspaces, workspaceId } from './support/two-workspaces.js';

type Act = (plane: Plane, by: Principal, id: string) => unknown;

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const mostMs = 5_000;
const restMs = 100;

/** What is followed has no end: its first item, and what comes right after it. */
async function beginningOf<T>(follow: (stop: AbortSignal) => AsyncIterable<T>): Promise<T[]> {
  const stop = new AbortController();
  const timers = [setTimeout(() => stop.abort(), mostMs)];
  const found: T[] = [];
  for await (const item of follow(stop.signal)) {
    found.push(item);
    if (found.length === 1) timers.push(setTimeout(() => stop.abort(), restMs));
  }
  for (const timer of timers) clearTimeout(timer);
  return found;
}

const never = new AbortController().signal;
let two: TwoWorkspaces;

/** A repository is named with its service: anything else is refused in every workspace. */
const toRepo = (id: string): string =>
  /^github:[^/]+\/[^/#]+$/.test(id) ? id : `github:acme/${encodeURIComponent(id)}`;
/** About the repository of a source of both workspaces, unsigned. */
const delivery = (id: string): string => JSON.stringify({ action: id, repository: { full_name: 'acme/both' } });

/** A button of Slack whose value names what is B's. */
const pressOf = (id: string): string => {
  const value = JSON.stringify([id, id, id, id, 'approved', id]);
  const payload = JSON.stringify({ type: 'block_actions', user: { id: 'U1' }, actions: [{ value }] });
  return new URLSearchParams({ payload }).toString();
};

const callback = (query: Record<string, string>): URL =>
  new URL(`http://localhost/oauth/callback?${new URLSearchParams(query)}`);

/** A program that asks to be authorised for the agent. */
const programAsks = (agent: string) =>
  new URLSearchParams({
    client_id: agent,
    redirect_uri: 'http://localhost/cb',
    resource: `http://localhost/mcp/${agent}`,
  });

/** The input of each method with the id of a thing of B. `Record` over the keys: a new method does not compile without. */
const acts: Readonly<Record<keyof Plane, readonly Act[]>> = {
  authenticate: [(plane) => plane.authenticate(two.secrets.a.agent)],
  redeemAdminLink: [async (plane, by) => plane.redeemAdminLink((await plane.issueAdminLink(by)).secret)],
  admitRequest: [(plane, _, id) => plane.admitRequest(id, id), (plane, _, id) => plane.admitRequest(id)],
  actAs: [(plane, by, id) => plane.actAs(by, id), (plane, by) => plane.actAs(by, 'scout-b')],
  execute: [
    (plane, principal, id) => plane.execute({ principal, tool: 'result_read', input: { handle: id } }),
    (plane, principal, id) => plane.execute({ principal, tool: 'guarded', input: {}, approvalId: id }),
  ],
  tools: [(plane, by) => plane.tools(by), (plane, by) => plane.tools(by, { all: true })],
  searchTools: [
    (plane, by, id) => plane.searchTools(by, { query: id, explain: true }),
    (plane, by) => plane.searchTools(by, { query: partOfCanary, limit: 50 }),
    (plane, by) => plane.searchTools(by, { query: 'ask the account of B', toolkits: ['accounts', 'custom'] }),
    (plane, by) => plane.searchTools(by, { query: 'run account-b__ask_account' }),
  ],
  describeTools: [(plane, by, id) => plane.describeTools(by, [id, 'account__ask_account', 'account-b__ask_account'])],
  checkCode: [
    (plane, by, id) => plane.checkCode(by, `await accountB.${id}()`),
    (plane, by) => plane.checkCode(by, 'await acountB.askAccount({}); await env.accountB.askAccount({})'),
  ],
  runCode: [
    (plane, by, id) => plane.runCode(by, { code: `return await accountB.${id}()`, mode: 'check' }),
    (plane, by) => plane.runCode(by, { code: 'return await env.accountB.askAccount({})' }),
  ],
  getRun: [(plane, by, id) => plane.getRun(by, id)],
  getActor: [(plane, by, id) => plane.getActor(by, { kind: 'issue', id })],
  listActorMachines: [(plane, by) => plane.listActorMachines(by)],
  listActors: [
    (plane, by) => plane.listActors(by),
    (plane, by) =>
      plane.listActors(by, { kind: 'issue', state: 'idle', limit: 200, silentSince: '2099-01-01T00:00:00.000Z' }),
  ],
  followActor: [(plane, by, id) => beginningOf((stop) => plane.followActor(by, { kind: 'issue', id }, stop))],
  listRuns: [(plane, by) => plane.listRuns(by), (plane, by, id) => plane.listRuns(by, { principal: id })],
  followRun: [(plane, by, id) => beginningOf((stop) => plane.followRun(by, id, stop))],
  cancelRun: [(plane, by, id) => plane.cancelRun(by, id)],
  decideRun: [(plane, by, id) => plane.decideRun(by, id, { decision: 'stop' })],
  createIssue: [
    (plane, by, id) => plane.createIssue(by, { title: 'of A', repo: toRepo(id), project: id }),
    (plane, by, id) => plane.createIssue(by, { title: 'of A', recipe: id }),
  ],
  listIssues: [
    (plane, by) => plane.listIssues(by),
    (plane, by) => plane.listIssues(by, { state: 'idle', limit: 200 }),
    (plane, by, id) => plane.listIssues(by, { org: id }),
    (plane, by, id) => plane.listIssues(by, { agent: id }),
    (plane, by) => plane.listIssues(by, { text: canary.slice(0, 9) }),
  ],
  getIssue: [(plane, by, id) => plane.getIssue(by, id)],
  updateIssue: [(plane, by, id) => plane.updateIssue(by, id, { title: 'of A' })],
  commentIssue: [(plane, by, id) => plane.commentIssue(by, id, 'of A')],
  assignIssue: [
    (plane, by, id) => plane.assignIssue(by, id, { agent: 'caller' }),
    (plane, by, id) => plane.assignIssue(by, id, { agent: 'scout-b' }),
  ],
  unassignIssue: [(plane, by, id) => plane.unassignIssue(by, id)],
  retryIssue: [(plane, by, id) => plane.retryIssue(by, id)],
  cancelIssue: [(plane, by, id) => plane.cancelIssue(by, id)],
  decideCheck: [(plane, by, id) => plane.decideCheck(by, id, { check: 0, accepted: true })],
  getIssueTimeline: [(plane, by, id) => plane.getIssueTimeline(by, id)],
  followIssue: [(plane, by, id) => beginningOf((stop) => plane.followIssue(by, id, stop))],
  getToolConfig: [(plane, by, id) => plane.getToolConfig(by, { level: 'repo', id })],
  putToolConfig: [(plane, by, id) => plane.putToolConfig(by, { level: 'repo', id: toRepo(id) }, { disabled: ['x'] })],
  getEffectiveToolConfig: [
    (plane, by, id) => plane.getEffectiveToolConfig(by, { level: 'repo', id }),
    (plane, by, id) => plane.getEffectiveToolConfig(by, { level: 'issue', id }),
  ],
  listPlaces: [
    ...placeKinds.map((kind) => (plane: Plane, by: Principal) => plane.listPlaces(by, kind, { limit: 200 })),
    (plane, by, id) => plane.listPlaces(by, 'repo', { org: id }),
  ],
  getPlace: placeKinds.map((kind) => (plane: Plane, by: Principal, id: string) => plane.getPlace(by, kind, id)),
  updatePlace: [
    (plane, by, id) => plane.updatePlace(by, { kind: 'org', id }, { limits: { maxRunning: 1 } }),
    (plane, by, id) =>
      plane.updatePlace(by, { kind: 'repo', id: toRepo(id) }, { paused: true, autoAssign: [{ agent: 'caller' }] }),
    (plane, by, id) => plane.updatePlace(by, { kind: 'repo', id: toRepo(id) }, { autoAssign: [{ agent: 'scout-b' }] }),
    (plane, by, id) => plane.updatePlace(by, { kind: 'project', id }, { maxRunning: 1 }),
    (plane, by, id) => plane.updatePlace(by, { kind: 'pr', id }, { autoMerge: true, account: 'account-b' }),
  ],
  moveCard: [(plane, by, id) => plane.moveCard(by, id, { issue: id, column: 'Done' })],
  mergePullRequest: [(plane, by, id) => plane.mergePullRequest(by, id, { account: 'account-b' })],
  callOffMerge: [(plane, by, id) => plane.callOffMerge(by, id)],
  startBillingPeriod: [(plane, by, id) => plane.startBillingPeriod(by, id)],
  listRecipes: [(plane, by) => plane.listRecipes(by)],
  getRecipe: [(plane, by, id) => plane.getRecipe(by, id)],
  setRecipe: [
    (plane, by) => plane.setRecipe(by, 'same', { steps: [{ prompt: 'of A', tools: [] }] }),
    (plane, by, id) => plane.setRecipe(by, 'of-a', { steps: [{ prompt: 'of A', tools: [id] }] }),
    (plane, by) => plane.setRecipe(by, 'of-a', { steps: [{ prompt: 'of A', tools: ['account-b__ask_account'] }] }),
  ],
  removeRecipe: [(plane, by, id) => plane.removeRecipe(by, id)],
  listTaskSources: [(plane, by) => plane.listTaskSources(by)],
  getTaskSource: [(plane, by, id) => plane.getTaskSource(by, id)],
  createTaskSource: [
    (plane, by, id) => plane.createTaskSource(by, { provider: 'github', scope: 'acme/shop', connection: id }),
    (plane, by) => plane.createTaskSource(by, { provider: 'github', scope: 'acme', connection: 'account-b' }),
  ],
  notificationChannels: [(plane, by) => plane.notificationChannels(by)],
  createNotificationChannel: [
    (plane, by, id) => plane.createNotificationChannel(by, { kind: 'email', name: 'of A', connection: id }),
    (plane, by) => plane.createNotificationChannel(by, { kind: 'slack', name: 'of A', connection: 'account-b' }),
  ],
  changeNotificationChannel: [
    (plane, by, id) => plane.changeNotificationChannel(by, id, { signingSecret: null }),
    (plane, by, id) => plane.changeNotificationChannel(by, id, { signingSecret: 'a signing secret'.repeat(2) }),
  ],
  receiveSlackAction: [
    (plane, _, id) => plane.receiveSlackAction({ body: Buffer.from(pressOf(id)), headers: new Headers() }),
  ],
  removeNotificationChannel: [(plane, by, id) => plane.removeNotificationChannel(by, id)],
  notificationChoices: [(plane, by) => plane.notificationChoices(by)],
  chooseNotifications: [(plane, by, id) => plane.chooseNotifications(by, id, { kinds: ['approval'] })],
  confirmNotifications: [(plane, by, id) => plane.confirmNotifications(by, id, '12345678')],
  notificationMessages: [(plane, by) => plane.notificationMessages(by)],
  receiveWebhook: [
    (plane, _, id) => plane.receiveWebhook('github', { body: Buffer.from(delivery(id)), headers: new Headers() }),
  ],
  deleteTaskSource: [(plane, by, id) => plane.deleteTaskSource(by, id)],
  toolDeclarations: [
    (plane, by) => plane.toolDeclarations(by, {}),
    (plane, by) => plane.toolDeclarations(by, { format: 'index' }),
    (plane, by, id) => plane.toolDeclarations(by, { only: [id] }),
    (plane, by) => plane.toolDeclarations(by, { only: ['account-b'] }),
  ],
  toolHints: [
    (plane, by, id) => plane.toolHints(by, { text: `ask account ${id}`, mode: 'chat' }),
    (plane, by) => plane.toolHints(by, { text: 'use account-b__ask_account', mode: 'recipe' }),
  ],
  discoveryStats: [(plane, by) => plane.discoveryStats(by)],
  toolkits: [(plane, by) => plane.toolkits(by)],
  toolkitTools: [(plane, by) => plane.toolkitTools(by, 'custom')],
  toolkitTool: [(plane, by, id) => plane.toolkitTool(by, 'custom', id)],
  toolSummaries: [
    (plane, by) => plane.toolSummaries(by, 'custom', {}),
    (plane, by, id) => plane.toolSummaries(by, 'accounts', { search: id }),
  ],
  unofferedTools: [(plane, by) => plane.unofferedTools(by, 'custom')],
  enableTools: [(plane, by) => plane.enableTools(by, 'http', { enabled: true })],
  validateAccess: [(plane, by) => plane.validateAccess(by, 'calculate')],
  listCalls: [(plane, by) => plane.listCalls(by, { limit: 500 }), (plane, by) => plane.listCalls(by, { text: canary })],
  callFacets: [(plane, by) => plane.callFacets(by, {}), (plane, by, id) => plane.callFacets(by, { actor: id })],
  getCall: [(plane, by, id) => plane.getCall(by, id, {})],
  cancelCall: [(plane, by, id) => plane.cancelCall(by, id)],
  connectionUsage: [
    (plane, by, id) => plane.connectionUsage(by, id),
    (plane, by) => plane.connectionUsage(by, 'account-b'),
  ],
  callMetrics: [(plane, by) => plane.callMetrics(by, { by: 'agent' })],
  executions: [(plane, by) => plane.executions(by, { limit: 500 })],
  execution: [(plane, by, id) => plane.execution(by, id)],
  follow: [(plane, by, id) => all(plane.follow(by, id, never))],
  events: [(plane, by) => all(plane.events(by, { after: 0, live: false }, never))],
  onConfigurationChange: [(plane, by) => plane.onConfigurationChange(by, () => undefined)()],
  agents: [(plane, by) => plane.agents(by)],
  listAgents: [(plane, by) => plane.listAgents(by, {}), (plane, by, id) => plane.listAgents(by, { search: id })],
  createAgent: [(plane, by, id) => plane.createAgent(by, { slug: `twin-of-${id}` })],
  changeAgent: [
    (plane, by, id) => plane.changeAgent(by, id, { name: 'of A', toolMode: 'meta' }),
    (plane, by, id) => plane.changeAgent(by, id, { toolMode: 'auto' }),
  ],
  issueAgentToken: [(plane, by, id) => plane.issueAgentToken(by, id, {})],
  credentials: [(plane, by) => plane.credentials(by)],
  createApiKey: [(plane, by) => plane.createApiKey(by, { permissions: ['tools:read'] })],
  issueAdminLink: [(plane, by) => plane.issueAdminLink(by)],
  grantCatalogue: [(plane, by, id) => plane.grantCatalogue(by, id)],
  replaceGrants: [(plane, by, id) => plane.replaceGrants(by, id, [])],
  changeGrants: [(plane, by, id) => plane.changeGrants(by, id, { add: [{ tools: ['calculate'] }] })],
  policies: [(plane, by) => plane.policies(by)],
  replacePolicies: [(plane, by) => plane.replacePolicies(by, [{ id: 'policy', effect: 'allow', when: {} }])],
  approvals: [(plane, by) => plane.approvals(by, { limit: 500 })],
  approval: [(plane, by, id) => plane.approval(by, id)],
  approvalCounts: [(plane, by, id) => plane.approvalCounts(by, { actor: id, connection: id })],
  decideApprovals: [
    (plane, by, id) => plane.decideApprovals(by, [id], { decision: 'approved', note: 'of A', through: 'api' }),
  ],
  decideApproval: [(plane, by, id) => plane.decideApproval(by, id, 'approved', 'api')],
  answerElicitation: [(plane, by, id) => plane.answerElicitation(by, id, 'approved')],
  audit: [
    (plane, by) => plane.audit(by, { limit: 500 }),
    (plane, by, id) => plane.audit(by, { executionId: id }),
    (plane, by) => plane.audit(by, { text: canary }),
  ],
  exportAudit: [(plane, by) => all(plane.exportAudit(by))],
  verifyAudit: [(plane, by) => plane.verifyAudit(by)],
  settings: [(plane, by) => plane.settings(by)],
  storeSizes: [(plane, by) => plane.storeSizes(by)],
  doctor: [(plane, by) => plane.doctor(by)],
  followAuditCheck: [
    (plane, by) => all(plane.followAuditCheck(by, undefined, never)),
    (plane, by, id) => all(plane.followAuditCheck(by, id, never)),
  ],
  recordRefusal: [(plane, by, id) => plane.recordRefusal(by.workspaceId, 'cross-site request', { id })],
  connections: [(plane, by) => plane.connections(by)],
  connection: [(plane, by, id) => plane.connection(by, id), (plane, by) => plane.connection(by, 'account-b')],
  connectionSchemes: [(plane, by) => plane.connectionSchemes(by, 'accounts')],
  addConnection: [(plane, by, id) => plane.addConnection(by, { toolkit: 'accounts', name: `twin of ${id}` })],
  connect: [
    (plane, by, id) => plane.connect(by, id, { credentials: { token: 'of-A-12345' } }),
    (plane, by) => plane.connect(by, 'account-b', { credentials: { token: 'of-A-12345' } }),
  ],
  changeConnection: [(plane, by, id) => plane.changeConnection(by, id, { name: 'Of A' })],
  checkConnection: [
    (plane, by, id) => plane.checkConnection(by, id),
    (plane, by) => plane.checkConnection(by, 'account-b'),
  ],
  withdrawConnection: [
    (plane, by, id) => plane.withdrawConnection(by, id, 'scout-b'),
    (plane, by, id) => plane.withdrawConnection(by, 'account-b', id),
  ],
  disconnect: [(plane, by, id) => plane.disconnect(by, id)],
  showSignIn: [(plane, _, id) => plane.showSignIn(id)],
  startSignIn: [(plane, _, id) => plane.startSignIn(id, () => undefined)],
  finishSignIn: [(plane, by, id) => plane.finishSignIn(callback({ state: id, code: id }), () => id, by)],
  putAuthClient: [(plane, by, id) => plane.putAuthClient(by, 'google', { clientId: id, clientSecret: 'of A' })],
  authChecks: [(plane, by) => plane.authChecks(by)],
  removeAuthClient: [(plane, by) => plane.removeAuthClient(by, 'google')],
  rotateVault: [(plane, by) => plane.rotateVault(by)],
  beginAuthorization: [
    (plane, by, id) => plane.beginAuthorization('http://localhost', programAsks(id), by),
    (plane, by) => plane.beginAuthorization('http://localhost', programAsks('scout-b'), by),
  ],
  decideAuthorization: [(plane, by, id) => plane.decideAuthorization('http://localhost', by, id, 'approved')],
  exchangeToken: [(plane, _, id) => plane.exchangeToken(new URLSearchParams({ client_id: id, code: id }), undefined)],
  revokeToken: [(plane, _, id) => plane.revokeToken(new URLSearchParams({ client_id: id, token: id }))],
  registerClient: [
    (plane, _, id) => plane.registerClient({ client_name: id, redirect_uris: ['http://localhost/cb'] }, id),
  ],
  pendingDefinitions: [(plane, by) => plane.pendingDefinitions(by)],
  acceptDefinition: [(plane, by, id) => plane.acceptDefinition(by, 'changing', id, 'a'.repeat(64))],
  disconnectAll: [(plane, by) => plane.disconnectAll(by)],
  removeConnection: [(plane, by, id) => plane.removeConnection(by, id)],
  marketplace: [(plane, by, id) => plane.marketplace(by, { search: id }), (plane, by) => plane.marketplace(by, {})],
  marketplaceStats: [(plane, by) => plane.marketplaceStats(by)],
  cacheStatus: [(plane, by) => plane.cacheStatus(by)],
  useToolkit: [(plane, by) => plane.useToolkit(by, 'math', true), (plane, by, id) => plane.useToolkit(by, id, true)],
  withoutAccounts: [(plane, by) => plane.withoutAccounts(by, 'accounts')],
  synchronise: [(plane, by) => plane.synchronise(by, { kind: 'full' })],
  syncJobs: [(plane, by) => plane.syncJobs(by, {})],
  followSync: [(plane, by, id) => all(plane.followSync(by, id, never))],
  cancelSync: [(plane, by, id) => plane.cancelSync(by, id)],
  triggers: [(plane, by) => plane.triggers(by, 'accounts')],
  subscriptions: [(plane, by) => plane.subscriptions(by)],
  subscribe: [(plane, by, id) => plane.subscribe(by, { trigger: 'ANY', connection: id })],
  unsubscribe: [(plane, by, id) => plane.unsubscribe(by, id)],
  triggerEvents: [
    (plane, by) => plane.triggerEvents(by, {}),
    (plane, by, id) => plane.triggerEvents(by, { subscription: id }),
    (plane, by, id) => plane.triggerEvents(by, { before: `2999-01-01T00:00:00.000Z/${id}/x` }),
  ],
  receiveEvent: [(plane, _, id) => plane.receiveEvent('composio', Buffer.from(id), new Headers())],
  finishHostedSignIn: [(plane, _, id) => plane.finishHostedSignIn(new URLSearchParams({ state: id }))],
  machineChecks: [(plane, by) => plane.machineChecks(by)],
  healthy: [(plane) => plane.healthy()],
  ready: [(plane) => plane.ready()],
  metrics: [(plane, by) => plane.metrics(by)],
  explain: [
    (plane, by, id) => plane.explain(by, { agent: id, tool: 'calculate' }),
    (plane, by, id) => plane.explain(by, { agent: 'scout-a', tool: 'calculate', issue: id }),
    (plane, by) => plane.explain(by, { agent: 'scout-a', tool: 'account-b__ask_account', input: {} }),
  ],
  effectiveTools: [(plane, by, id) => plane.effectiveTools(by, id)],
  previewGrants: [
    (plane, by, id) => plane.previewGrants(by, id, { grants: [] }),
    (plane, by, id) => plane.previewGrants(by, id, { add: [{ tools: ['*'] }] }),
  ],
  previewPolicies: [(plane, by) => plane.previewPolicies(by, { policies: [{ id: 'x', effect: 'deny', when: {} }] })],
  identityProviders: [(plane) => plane.identityProviders()],
  startIdentitySignIn: [(plane, _, id) => plane.startIdentitySignIn(id, `/runs/${id}`)],
  finishIdentitySignIn: [
    (plane, _, id) => plane.finishIdentitySignIn(id, new URLSearchParams({ state: id, code: id }), id),
  ],
  currentSession: [(plane, by) => plane.currentSession(by)],
  sessions: [(plane, by) => plane.sessions(by)],
  endSession: [(plane, by, id) => plane.endSession(by, id)],
  workspaces: [(plane, by) => plane.workspaces(by)],
  createWorkspace: [
    (plane, by, id) => plane.createWorkspace(by, { slug: id, admin: { name: id } }),
    (plane, by) => plane.createWorkspace(by, { slug: 'workspace-b', admin: { name: 'Thief' } }),
  ],
  users: [(plane, by) => plane.users(by)],
  createUser: [(plane, by, id) => plane.createUser(by, { name: `${id} of A`, role: 'member' })],
  changeUser: [(plane, by, id) => plane.changeUser(by, id, { name: 'of A' })],
  issueSignInLink: [(plane, by, id) => plane.issueSignInLink(by, id)],
  // Last, because they remove what the others need.
  removeUser: [
    (plane, by, id) => plane.removeUser(by, id),
    (plane, by, id) => plane.removeUser(by, id, { accounts: 'remove' }),
    (plane, by, id) => plane.removeUser(by, id, { accounts: 'hand_over', to: id }),
  ],
  revokeCredential: [(plane, by, id) => plane.revokeCredential(by, id)],
  removeAgent: [(plane, by, id) => plane.removeAgent(by, id)],
  // Each ends what its caller presents: that of `by`, and no other.
  authenticateSession: [(plane, _, id) => plane.authenticateSession(`helve_session_${id}`)],
  signOut: [(plane, by) => plane.signOut(by)],
  signOutEverywhere: [(plane, by) => plane.signOutEverywhere(by)],
};

/** Acts on one named thing: for an id that only B has, each must answer that it does not exist (or is not for the caller). */
const aimed = [
  ...([
    'actAs',
    'execution',
    'follow',
    'issueAgentToken',
    'grantCatalogue',
    'replaceGrants',
    'changeGrants',
    'previewGrants',
    'approval',
  ] as const),
  ...(['changeAgent', 'changeUser', 'removeUser', 'issueSignInLink'] as const),
  ...(['decideApproval', 'answerElicitation', 'revokeCredential', 'removeAgent'] as const),
  ...([
    'unsubscribe',
    'connection',
    'connect',
    'changeConnection',
    'checkConnection',
    'disconnect',
    'removeConnection',
    'withdrawConnection',
    'acceptDefinition',
  ] as const),
  ...(['getRecipe', 'removeRecipe'] as const),
];

/** Enough to recognise B's data; the whole text would be in A's own record, because A sent it. */
const partOfCanary = canary.slice(0, 9);

type Inputs = (id: string) => readonly Record<string, unknown>[];

/** Tools over texts that a workspace stores. */
const texts: Readonly<Record<string, Inputs>> = {
  librarian_store: (id) => [{ collection: '/db/notes', document_name: `${id}.xml`, content: '<note>of A</note>' }],
  librarian_get: (id) => [{ path: `/db/notes/${id}.xml` }, { path: '/db/notes/only-b.xml' }],
  librarian_query: (id) => [
    { query: '//note' },
    { query: `doc('/db/notes/${id}.xml')` },
    { query: "collection('/db')//*" },
  ],
  librarian_search: () => [{ query: partOfCanary }, { query: 'note', collection: '/db/notes' }],
  librarian_list: () => [{}, { collection: '/db/notes' }],
  librarian_delete: (id) => [{ path: `/db/notes/${id}.xml` }],
  ingest_document: (id) => [{ path: `${id}.md`, content: 'of A' }],
  list_knowledge: () => [{}],
  remove_knowledge: (id) => [{ path: `${id}.md` }],
  search_knowledge: () => [{ query: partOfCanary }, { query: 'note' }],
  semantic_search: () => [{ query: partOfCanary }],
  search_codebase: () => [{ query: partOfCanary }],
  search_tables: () => [{ query: partOfCanary }],
  search_images: () => [{ query: partOfCanary }],
  search_formulas: () => [{ query: partOfCanary }],
  search_multimodal: () => [{ query: partOfCanary }],
  remember: (id) => [{ text: id }, { text: id, scope: 'workspace' }, { text: id, scope: 'issue' }],
  recall: () => [{}, { query: partOfCanary }, { query: 'note', scope: 'workspace' }, { query: 'note', scope: 'issue' }],
  forget: () => ['own', 'workspace'].map((scope) => ({ id: nameMemory(`The note says ${canary}.`), scope })),
};

/** The folder of B's files, as A could name it: from its own folder, and from the root of the machine. */
const foldersOfB = (): string[] => ['../workspace-b', two.filesOf('b')];
const inFoldersOfB = (name: string): string[] => foldersOfB().map((folder) => `${folder}/${name}`);
/** A thing in A's own folder by a name that B also has, and everything of B. */
const pathsOf = (id: string): string[] => [
  `${id}.txt`,
  ...inFoldersOfB(`${id}.txt`),
  ...inFoldersOfB('link'),
  ...foldersOfB(),
];
const files: Readonly<Record<string, Inputs>> = {
  read_file: (id) => pathsOf(id).map((path) => ({ path })),
  write_file: (id) => pathsOf(id).map((path) => ({ path, content: 'of A' })),
  list_dir: () => [
    { path: '.' },
    { path: '..', pattern: '**' },
    ...foldersOfB().flatMap((path) => [{ path }, { path, pattern: '**' }]),
  ],
  create_directory: (id) => inFoldersOfB(`new-${id}`).map((path) => ({ path })),
  delete_file: (id) => pathsOf(id).map((path) => ({ path, recursive: true })),
  move_file: (id) => inFoldersOfB(`${id}.txt`).map((source) => ({ source, destination: 'mine.txt' })),
  file_info: (id) => pathsOf(id).map((path) => ({ path })),
  search_files: () => ['.', ...foldersOfB()].map((path) => ({ path, query: partOfCanary })),
  create_document: (id) =>
    inFoldersOfB(`${id}.docx`).map((path) => ({
      format: 'docx',
      content: [{ type: 'paragraph', text: 'of A' }],
      path,
    })),
  ingest_files: () => ['.', ...foldersOfB()].map((path) => ({ path })),
};
const isOfB = (input: unknown): boolean => JSON.stringify(input).includes('workspace-b');

/** Tools that leave this machine: without the operator's settings they answer nothing. */
const outside: Readonly<Record<string, Inputs>> = {
  run_command: (id) => [{ command: `cat ../workspace-b/${id}.txt` }],
  send_email: (id) => [{ to: `${id}@example.com`, subject: id, body: id }],
  webhook: (id) => [{ url: `${inside}/${id}`, payload: {} }],
  fetch_page: (id) => [{ url: `${inside}/${id}`, run_scripts: false }],
  take_screenshot: (id) => (id === 'same' ? [{ url: `${inside}/${id}` }] : []),
  web_search: (id) => [{ query: id }, { query: partOfCanary }],
  image_search: (id) => [{ query: id }],
  query_database: (id) => [{ connection: id, sql: 'select 1' }],
  describe_database: (id) => [{}, { connection: id }],
  smart_query_database: (id) => [{ connection: id, question: id }],
  run_ssh_command: (id) => [{ host: id, command: 'id' }],
};

/** Helve itself: agents and accounts of B by their names and ids. */
const platformTools: Readonly<Record<string, Inputs>> = {
  list_agents: (id) => [{}, { search: id }],
  create_agent: (id) => [{ agent: `twin-of-${id}` }],
  list_grants: (id) => [{ agent: id }, { agent: id, search: partOfCanary }],
  propose_grant: (id) => [{ agent: id, tools: ['calculate'], reason: id, version: id }],
  list_connections: (id) => [{}, { app: id }],
  connect_app: (id) => [{ app: id }],
};

/** Inputs of each tool that try to reach B's values, and whether an honest caller of A gets an answer at all. */
const tools: Readonly<Record<string, Inputs>> = {
  calculate: () => [{ expression: '6*7' }],
  key_value_get: (key) => [{ key }, { key, namespace: 'common' }, { key, namespace: 'own:agent:caller' }],
  key_value_set: (key) => [
    { key, value: 'of A' },
    { key, value: 'of A', namespace: 'common' },
  ],
  key_value_delete: (key) => [{ key }, { key, namespace: 'common' }],
  fetch_url: (id) => [{ url: `${inside}/${id}` }],
  result_read: (handle) => [{ handle }, { handle, query: '$' }],
  search_tools: (id) => [{ query: id }, { query: partOfCanary }, { query: 'account-b__ask_account' }],
  execute_code: () => [{ code: 'return 6 * 7' }],
  install_package: () => [{ name: 'picomatch' }],
  run_code: (id) => [{ code: `return await accountB.${id}()` }, { code: 'return await env.accountB.askAccount({})' }],
  run_status: (id) => [{ id, wait_seconds: 0 }],
  describe_tools: (id) => [{ names: [id, 'account-b__ask_account', 'account__ask_account'] }],
  call_tool: (id) => [
    { tool: 'result_read', arguments: { handle: id } },
    { tool: 'key_value_get', arguments: { key: id, namespace: 'common' } },
    { tool: 'account-b__ask_account' },
    { tool: id, intent: partOfCanary },
  ],
  ...platformTools,
  ...texts,
  ...files,
  ...outside,
  // Both workspaces have the first name; only B has the second.
  account__ask_account: () => [{}],
  'account-b__ask_account': () => [{}],
  wait: (id) => [{ note: id }],
  guarded: (id) => [{ of: id }],
};

const accountTools = ['account__ask_account', 'account-b__ask_account'];

/**
 * These start a browser, LibreOffice, or each program of the machine, which know neither the store nor the kind of the caller. One
 * round of them proves what six would.
 */
const startsPrograms = ['take_screenshot', 'create_document', 'machineChecks'];

let inside = '';
let hits = 0;
let server: Server;
let postgres: TestPostgres | undefined;

beforeAll(async () => {
  server = createServer((_, response) => {
    hits += 1;
    response.end(canary);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  inside = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await postgres?.stop();
  await new Promise((resolve) => server.close(resolve));
});

const stores = {
  SQLite: () => twoWorkspaces(),
  PostgreSQL: async () => {
    postgres ??= await startPostgres();
    return twoWorkspaces(await postgres.storeUrl());
  },
};

describe.each(Object.keys(stores) as (keyof typeof stores)[])('%s', (store) => {
  describe.each(['agent', 'api_key', 'session'] as const)("A's %s", (kind) => {
    let by: Principal;
    const inRound = (name: string): boolean =>
      !startsPrograms.includes(name) || (store === 'SQLite' && kind === 'session');

    beforeAll(async () => {
      two = await stores[store]();
      by = two.principals.a[kind];
    });
    afterAll(() => two.close());

    test('R-grants: every act of the plane and every tool has its row here', async () => {
      expect(Object.keys(acts).sort()).toEqual(Object.keys(two.helve.plane).sort());
      // Tools of an account appear once for each account: what they reach is the account, tried by its names below.
      const kits = (await two.helve.registry.toolkits()).filter((kit) => !kit.needsConnection);
      const loaded = await Promise.all(kits.map((kit) => two.helve.registry.tools(kit.slug)));
      const registered = [...loaded.flat().map(({ tool }) => tool.id.name), ...accountTools];
      expect(Object.keys(tools).sort()).toEqual(registered.sort());
      expect(by).toMatchObject({ workspaceId: workspaceId('a'), id: two.principals.b[kind].id });
    });

    test.each(Object.keys(tools).filter(inRound))('R-kv R-handles: the tool %s reaches nothing of B', async (tool) => {
      const before = await two.rowsOf('b');
      let calls = 0;
      for (const id of Object.values(idsOf('b'))) {
        for (const input of tools[tool]?.(id) ?? []) {
          // The waiting tool ends when its call does.
          const stop = new AbortController();
          const onStart = () => void (tool === 'wait' && setImmediate(() => stop.abort()));
          const result = await two.helve.execute({ principal: by, tool, input, signal: stop.signal, onStart });
          calls += 1;
          // The row would prove nothing: the tool was never reached.
          expect(result, JSON.stringify(input)).not.toMatchObject({ error: { code: 'denied_by_policy' } });
          expect(JSON.stringify(result), JSON.stringify(input)).not.toContain(canary);
          if (files[tool] && isOfB(input)) expect(result, JSON.stringify(input)).toMatchObject({ ok: false });
        }
      }
      expect(calls).toBeGreaterThan(0);
      expect(hits).toBe(0);
      expect(await two.rowsOf('b')).toBe(before);
    });

    test.each(
      (Object.keys(acts) as (keyof Plane)[]).filter(inRound),
    )('R-grants R-audit: %s sees and changes nothing of B', async (name) => {
      const before = await two.rowsOf('b');
      for (const id of Object.values(idsOf('b'))) {
        for (const act of acts[name]) {
          const outcome = await attempt(() => act(two.helve.plane, by, id));
          expect(outcome.text).not.toContain(canary);
          if (id === 'only-b' && aimed.some((one) => one === name))
            expect(outcome.code).toMatch(kind === 'agent' ? /^(not_found|forbidden)$/ : /^not_found$/);
        }
      }
      expect(await two.rowsOf('b')).toBe(before);
    });

    test('R-audit: A’s actions are in A’s chain, and both chains are intact', async () => {
      for (const name of ['a', 'b'] as const) {
        // Its own session was ended by one of the acts before.
        const { credentialId: _, ...session } = two.principals[name].session;
        const admin = { ...session, permissions: allPermissions };
        expect(await two.helve.plane.verifyAudit(admin)).toMatchObject({ ok: true });
        const rows = await all(two.helve.plane.exportAudit(admin));
        expect(new Set(rows.map((row) => row.workspaceId))).toEqual(new Set([workspaceId(name)]));
        if (name === 'a') expect(JSON.stringify(rows)).toContain('only-b');
      }
    });
  });
});

describe.each([
  'from its own folder',
  'from the root of the machine',
])('the rows over files can fail: the same, asked by B itself %s, shows or changes something', (from) => {
  let planted: string;
  beforeAll(async () => {
    two = await twoWorkspaces();
    planted = await mkdtemp(join(tmpdir(), 'helve-planted-'));
    await cp(two.filesOf('b'), planted, { recursive: true, verbatimSymlinks: true });
  });
  afterEach(async () => {
    await rm(two.filesOf('b'), { recursive: true, force: true });
    await cp(planted, two.filesOf('b'), { recursive: true, verbatimSymlinks: true });
  });
  afterAll(async () => {
    await two.close();
    await rm(planted, { recursive: true });
  });

  async function hasEffect(tool: string, input: Record<string, unknown>): Promise<boolean> {
    const before = await two.rowsOf('b');
    const result = await two.helve.execute({ principal: two.principals.b.session, tool, input });
    return JSON.stringify(result).includes(canary) || (result.ok && (await two.rowsOf('b')) !== before);
  }

  test.each(Object.keys(files))('R-files: %s', async (tool) => {
    const outcomes: boolean[] = [];
    for (const input of (files[tool]?.('only-b') ?? []).filter(isOfB))
      if (JSON.stringify(input).includes('../') === (from === 'from its own folder'))
        outcomes.push(await hasEffect(tool, input));
    expect(outcomes).toContain(true);
  });
});

describe('while B works', () => {
  beforeAll(async () => {
    two = await twoWorkspaces();
  });
  afterAll(() => two.close());

  test('R-stream: a call of B that runs now cannot be followed or found by A, whose caller has the same id', async () => {
    const { plane } = two.helve;
    const stop = new AbortController();
    let id = '';
    const call = plane.execute({
      principal: two.principals.b.agent,
      tool: 'wait',
      input: { note: canary },
      signal: stop.signal,
      onStart: (executionId) => (id = executionId),
    });
    await expect.poll(async () => (await attempt(() => plane.execution(two.principals.b.agent, id))).code).toBe('ok');
    for (const by of Object.values(two.principals.a)) {
      expect((await attempt(() => all(plane.follow(by, id, never)))).code).toBe('not_found');
      expect((await attempt(() => plane.execution(by, id))).code).toBe('not_found');
      expect((await attempt(() => plane.executions(by, { limit: 500 }))).text).not.toContain(canary);
    }
    const events = all(plane.follow(two.principals.b.agent, id, never));
    stop.abort();
    expect(await call).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
    expect((await events).map(({ type }) => type)).toEqual(['started', 'finished']);
  });

  test('R-grants: A gets no notification of changes in B', async () => {
    const told = { a: 0, b: 0 };
    const stops = (['a', 'b'] as const).map((name) =>
      two.helve.plane.onConfigurationChange(two.principals[name].session, () => (told[name] += 1)),
    );
    await two.helve.plane.replaceGrants(two.principals.b.session, 'same', []);
    expect(told).toEqual({ a: 0, b: 1 });
    for (const stop of stops) stop();
  });

  test('R-limits: B’s use of its limits does not reduce A’s', async () => {
    const policy = {
      id: 'slow',
      effect: 'allow',
      when: { tools: ['calculate'] },
      rateLimit: { calls: 1, seconds: 60 },
    } as const;
    for (const name of ['a', 'b'] as const)
      await two.helve.plane.replacePolicies(two.principals[name].session, [policy]);
    const call = (name: 'a' | 'b') =>
      two.helve.execute({ principal: two.principals[name].agent, tool: 'calculate', input: { expression: '1' } });
    expect([(await call('b')).ok, (await call('b')).ok]).toEqual([true, false]);
    expect([(await call('a')).ok, (await call('a')).ok]).toEqual([true, false]);
  });
});

async function attempt(act: () => unknown): Promise<{ code: string; text: string }> {
  try {
    return { code: 'ok', text: JSON.stringify(await act()) ?? '' };
  } catch (thrown) {
    const error = toHelveError(thrown);
    return { code: error.code, text: JSON.stringify(error.toJSON()) };
  }
}
