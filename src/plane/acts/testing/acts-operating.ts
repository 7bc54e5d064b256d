/** For tests: the table's rows for authenticating, calling, reading and administering. */
import type { ActorActs } from '../../../domain/actor-acts.js';
import type { ActByPrincipal } from '../../../domain/acts.js';
import type { CallActs as CallListActs } from '../../../domain/calls.js';
import type { ChainActs } from '../../../domain/chain.js';
import type { IdentityActs } from '../../../domain/identity.js';
import type { PeopleActs } from '../../../domain/people.js';
import type { Plane } from '../../../domain/plane.js';
import { allPermissions } from '../../../domain/principal.js';
import type { WorkspaceActs } from '../../../domain/workspaces.js';
import type { Ended, Proved, Row, Table } from './act-row.js';
import { type Scene, word } from './acts-scene.js';

const noPrincipal = { expired: 'no principal', revoked: 'no principal' } as const;
const noAccount = { none: 'it takes no account and answers nothing of one' };
const secretSays = { none: 'it takes a secret, which says itself who asks and where' };
const takesNoCaller = {
  account: noAccount,
  agent: { none: 'it takes no caller' },
  workspace: { none: 'it takes no caller' },
  expired: { none: 'it takes nothing that ends' },
  revoked: { none: 'it takes nothing that can be revoked' },
};
const minuteMs = 60_000;

/** An administrative operation of the workspace that does not concern accounts. */
type Operating = Pick<Row, 'needs' | 'act' | 'effect'> & Partial<Row<ActByPrincipal>>;
const operating = (row: Operating): Row<ActByPrincipal> => ({
  account: noAccount,
  agent: 'forbidden',
  workspace: 'not_found',
  ...noPrincipal,
  ...row,
});

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const later = (minutes: number, act: Ended['act'], code: Ended['code'] = 'unauthenticated'): Ended => ({
  code,
  act: (scene) => {
    scene.helve.advance(minutes * minuteMs);
    return act(scene);
  },
});

const revoked = (id: (scene: Scene) => Promise<string | undefined> | string, act: Ended['act']): Ended => ({
  code: 'unauthenticated',
  act: async (scene) => {
    await scene.plane.revokeCredential(scene.owner, (await id(scene)) ?? '');
    return act(scene);
  },
});

const withToken: Ended['act'] = ({ plane, token }) => plane.authenticate(token.secret);
const withSession: Ended['act'] = ({ plane, session }) => plane.authenticateSession(session);
const withLink: Ended['act'] = ({ plane, link }) => plane.redeemAdminLink(link.secret);
const sessionId = async ({ plane, session }: Scene) => (await plane.authenticateSession(session)).credentialId;
const openid: Proved = { file: 'tests/sign-in/openid-attacks.test.ts', words: 'more than ten minutes' };
const gate: Proved = { file: 'src/surfaces/http/routes/routes.test.ts', words: 'revoked' };

type DoorActs =
  | 'authenticate'
  | 'authenticateSession'
  | 'redeemAdminLink'
  | 'admitRequest'
  | 'signOut'
  | 'signOutEverywhere'
  | keyof IdentityActs;

const doorActs: Table<DoorActs | 'recordRefusal' | 'healthy' | 'ready' | 'metrics' | 'machineChecks'> = {
  authenticate: {
    needs: secretSays,
    act: withToken,
    effect: 'answers',
    account: noAccount,
    agent: secretSays,
    workspace: secretSays,
    expired: later(120, withToken),
    revoked: revoked(({ token }) => token.id, withToken),
  },
  authenticateSession: {
    needs: secretSays,
    act: withSession,
    effect: 'answers',
    account: noAccount,
    agent: secretSays,
    workspace: secretSays,
    expired: later(60 * 24 * 400, withSession),
    revoked: revoked(sessionId, withSession),
  },
  redeemAdminLink: {
    needs: secretSays,
    act: withLink,
    effect: 'changes',
    account: noAccount,
    agent: secretSays,
    workspace: secretSays,
    expired: later(16, withLink),
    revoked: revoked(({ link }) => link.id, withLink),
  },
  admitRequest: {
    needs: { none: 'it runs before anyone is known' },
    act: ({ plane, token }) => plane.admitRequest('127.0.0.1', token.secret),
    effect: 'passes',
    account: noAccount,
    agent: secretSays,
    workspace: secretSays,
    expired: gate,
    revoked: gate,
  },
  signOut: operating({
    needs: { none: 'it ends only what the caller shows' },
    act: ({ plane }, by) => plane.signOut(by),
    effect: 'changes',
    workspace: 'nothing',
  }),
  signOutEverywhere: operating({
    needs: { none: 'it ends only the sessions of the caller' },
    act: ({ plane }, by) => plane.signOutEverywhere(by),
    effect: 'changes',
    workspace: 'nothing',
  }),
  identityProviders: {
    ...takesNoCaller,
    needs: { none: 'the sign-in page shows them to everybody' },
    act: ({ plane }) => plane.identityProviders(),
    effect: 'answers',
  },
  // No provider is set up here: that one is reached, and what it answers, is proved with a real one.
  startIdentitySignIn: {
    ...takesNoCaller,
    needs: { none: 'anybody may start to sign in' },
    act: ({ plane }) => plane.startIdentitySignIn('none'),
    effect: 'not_found',
  },
  finishIdentitySignIn: {
    ...takesNoCaller,
    needs: secretSays,
    act: ({ plane }) => plane.finishIdentitySignIn('none', new URLSearchParams(), undefined),
    effect: 'not_found',
    expired: openid,
    revoked: openid,
  },
  recordRefusal: {
    needs: { none: 'only surfaces of this process call it, and it adds one row to the record' },
    act: ({ plane, owner }) => plane.recordRefusal(owner.workspaceId, 'cross-site request', {}),
    effect: 'passes',
    ...takesNoCaller,
  },
  healthy: {
    needs: { none: 'it says only whether the store answers' },
    act: ({ plane }) => plane.healthy(),
    effect: 'answers',
    ...takesNoCaller,
  },
  ready: {
    needs: { none: 'it says only whether this process takes requests' },
    act: ({ plane }) => plane.ready(),
    effect: 'answers',
    ...takesNoCaller,
  },
  metrics: operating({
    needs: ['audit:read'],
    act: ({ plane }, by) => plane.metrics(by),
    effect: 'answers',
    workspace: 'forbidden',
  }),
  machineChecks: operating({
    needs: ['audit:read'],
    act: ({ plane }, by) => plane.machineChecks(by),
    effect: 'answers',
    workspace: 'nothing',
  }),
};

type AgentActs = 'actAs' | 'agents' | 'listAgents' | 'createAgent' | 'changeAgent' | 'removeAgent' | 'issueAgentToken';
type CredentialActs = 'credentials' | 'createApiKey' | 'revokeCredential' | 'issueAdminLink';

const principalActs: Table<AgentActs | CredentialActs> = {
  actAs: operating({
    needs: ['agents:act'],
    act: ({ plane }, by) => plane.actAs(by, 'tester'),
    effect: 'answers',
    account: { none: 'what the agent may then do is asked at each act' },
  }),
  agents: operating({
    needs: ['agents:read'],
    act: ({ plane }, by) => plane.agents(by),
    effect: 'answers',
    workspace: 'nothing',
  }),
  listAgents: operating({
    needs: ['agents:read'],
    also: ['grants:read', 'policies:read', 'tools:read'],
    act: ({ plane }, by) => plane.listAgents(by, {}),
    effect: 'answers',
    account: 'nothing',
    workspace: 'nothing',
  }),
  createAgent: operating({
    needs: ['agents:write'],
    act: ({ plane }, by) => plane.createAgent(by, { slug: 'newcomer' }),
    effect: 'changes',
    workspace: 'nothing',
  }),
  changeAgent: operating({
    needs: ['agents:write'],
    act: ({ plane }, by) => plane.changeAgent(by, 'tester', { name: 'Another name' }),
    effect: 'changes',
  }),
  removeAgent: operating({
    needs: ['agents:write'],
    act: ({ plane }, by) => plane.removeAgent(by, 'tester'),
    effect: 'changes',
  }),
  issueAgentToken: operating({
    needs: ['agents:write', 'agents:act', 'tools:read', 'tools:call'],
    act: ({ plane }, by) => plane.issueAgentToken(by, 'tester', {}),
    effect: 'changes',
  }),
  credentials: operating({
    needs: ['agents:read'],
    act: ({ plane }, by) => plane.credentials(by),
    effect: 'answers',
    workspace: 'nothing',
  }),
  createApiKey: operating({
    needs: ['keys:write', 'grants:write'],
    act: ({ plane }, by) => plane.createApiKey(by, { permissions: ['grants:write'] }),
    effect: 'changes',
    workspace: 'nothing',
  }),
  revokeCredential: operating({
    needs: ['keys:write', 'agents:write', 'agents:act', 'tools:read', 'tools:call'],
    act: ({ plane, token }, by) => plane.revokeCredential(by, token.id),
    effect: 'changes',
    // Whether such a credential exists is checked before the permissions to revoke it.
    agent: 'forbidden',
  }),
  issueAdminLink: operating({
    needs: allPermissions,
    act: ({ plane }, by) => plane.issueAdminLink(by),
    effect: 'changes',
    workspace: 'nothing',
  }),
};

type CallActs =
  | 'execute'
  | 'tools'
  | 'toolkits'
  | 'toolkitTools'
  | 'toolkitTool'
  | 'toolSummaries'
  | 'unofferedTools'
  | 'validateAccess'
  | 'onConfigurationChange';
type RunActNames = 'runCode' | 'getRun' | 'listRuns' | 'followRun' | 'cancelRun' | 'decideRun';
type FindActs =
  | RunActNames
  | keyof ActorActs
  | 'checkCode'
  | 'toolDeclarations'
  | 'searchTools'
  | 'describeTools'
  | 'toolHints'
  | 'discoveryStats';
const opens = `${word}__open_vault`;

const noRun = '00000000-0000-7000-8000-000000000000';
const noSuchRun = { effect: 'not_found', agent: 'not_found', workspace: 'not_found' } as const;

const callActs: Table<CallActs | FindActs> = {
  execute: {
    needs: ['tools:call'],
    lacking: 'not_granted',
    act: ({ plane }, principal) => plane.execute({ principal, tool: opens, input: {} }),
    effect: 'shows',
    names: opens,
    account: 'tool_not_found',
    agent: 'tool_not_found',
    workspace: 'tool_not_found',
    expired: { file: 'src/approvals/binding.test.ts', words: 'an approval is valid until it expires' },
    revoked: gate,
  },
  tools: operating({
    needs: ['tools:read'],
    also: ['tools:call'],
    act: ({ plane }, by) => plane.tools(by, { all: true }),
    effect: 'shows',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  toolkits: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.toolkits(by),
    effect: 'answers',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  toolkitTools: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.toolkitTools(by, 'vault'),
    effect: 'answers',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  toolkitTool: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.toolkitTool(by, 'vault', 'open_vault'),
    effect: 'answers',
    account: 'nothing',
    agent: 'not_found',
    workspace: 'nothing',
  }),
  toolSummaries: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.toolSummaries(by, 'vault', {}),
    effect: 'answers',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  unofferedTools: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.unofferedTools(by, 'vault'),
    effect: 'answers',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  validateAccess: operating({
    needs: ['tools:read'],
    also: ['tools:call'],
    act: ({ plane }, by) => plane.validateAccess(by, opens),
    effect: 'answers',
    names: opens,
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  onConfigurationChange: operating({
    needs: { none: 'it reports only that something changed; every read is authorised again' },
    act: ({ plane }, by) => plane.onConfigurationChange(by, () => undefined)(),
    effect: 'passes',
    agent: 'nothing',
    workspace: { file: 'tests/e2e/isolation-plane.test.ts', words: 'A gets no notification of changes in B' },
  }),
  searchTools: operating({
    needs: ['tools:read'],
    also: ['tools:call'],
    act: ({ plane }, by) => plane.searchTools(by, { query: 'open the vault', explain: true }),
    effect: 'shows',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  describeTools: operating({
    needs: ['tools:read'],
    also: ['tools:call'],
    act: ({ plane }, by) => plane.describeTools(by, [opens, 'open_vault', 'vault.open_vault']),
    effect: 'answers',
    names: opens,
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  checkCode: operating({
    needs: ['tools:read'],
    also: ['tools:call'],
    act: async ({ plane }, by) => {
      const { ok } = await plane.checkCode(by, `await ${word}.openVault()`);
      return ok ? word : undefined;
    },
    effect: 'shows',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  runCode: operating({
    needs: ['tools:read', 'tools:call'],
    act: async ({ plane }, by) => (await plane.runCode(by, { code: `return await ${word}.openVault()` })).value,
    effect: 'shows',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  // Runs of others: see src/flows/runs/runs.test.ts.
  getRun: operating({ needs: ['tools:read'], act: ({ plane }, by) => plane.getRun(by, noRun), ...noSuchRun }),
  followRun: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => all(plane.followRun(by, noRun)),
    ...noSuchRun,
  }),
  cancelRun: operating({ needs: ['tools:call'], act: ({ plane }, by) => plane.cancelRun(by, noRun), ...noSuchRun }),
  decideRun: operating({
    needs: ['approvals:decide'],
    act: ({ plane }, by) => plane.decideRun(by, noRun, { decision: 'stop' }),
    ...noSuchRun,
    agent: 'forbidden',
  }),
  listRuns: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.listRuns(by),
    effect: 'answers',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  // Actors that are there: see src/plane/acts/actors.test.ts.
  getActor: operating({
    needs: ['audit:read'],
    act: ({ plane }, by) => plane.getActor(by, { kind: 'issue', id: noRun }),
    effect: 'not_found',
  }),
  followActor: operating({
    needs: ['audit:read'],
    act: ({ plane }, by) => all(plane.followActor(by, { kind: 'issue', id: noRun })),
    effect: 'not_found',
  }),
  listActorMachines: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.listActorMachines(by),
    effect: 'answers',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  listActors: operating({
    needs: ['audit:read'],
    act: ({ plane }, by) => plane.listActors(by),
    effect: 'answers',
    workspace: 'nothing',
  }),
  toolDeclarations: operating({
    needs: ['tools:read'],
    also: ['tools:call'],
    act: ({ plane }, by) => plane.toolDeclarations(by, {}),
    effect: 'shows',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  toolHints: operating({
    needs: ['tools:read'],
    also: ['tools:call'],
    act: ({ plane }, by) => plane.toolHints(by, { text: 'open the vault', mode: 'chat' }),
    effect: 'shows',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  discoveryStats: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.discoveryStats(by),
    effect: 'answers',
    agent: 'nothing',
    workspace: 'nothing',
  }),
};

type RecordActs =
  | 'events'
  | keyof CallListActs
  | 'cancelCall'
  | 'executions'
  | 'execution'
  | 'follow'
  | 'audit'
  | 'exportAudit'
  | keyof ChainActs
  | 'settings'
  | 'storeSizes'
  | 'doctor';
type DecideActs =
  | 'approvalCounts'
  | 'decideApprovals'
  | 'approvals'
  | 'approval'
  | 'decideApproval'
  | 'answerElicitation';
const never = new AbortController().signal;
const auditor = { none: 'audit:read covers the record of every account: see the guide, and the test of it below' };

const markAccount = (facts: unknown, account: string): string => JSON.stringify(facts).replaceAll(account, word);

const recordActs: Table<RecordActs | DecideActs> = {
  events: operating({
    needs: ['tools:read'],
    act: async ({ plane, account }, by) => {
      const events = await all(plane.events(by, { after: 0, live: false }, never));
      return events.map((event) => ('connectionId' in event && event.connectionId === account ? word : event));
    },
    also: ['audit:read'],
    effect: 'shows',
    account: 'nothing',
    accountWithout: ['audit:read'],
    agent: 'nothing',
    workspace: 'nothing',
  }),
  listCalls: operating({
    needs: ['tools:read'],
    also: ['audit:read'],
    act: ({ plane }, by) => plane.listCalls(by, {}),
    effect: 'shows',
    account: 'nothing',
    accountWithout: ['audit:read'],
    agent: 'nothing',
    workspace: 'nothing',
  }),
  callFacets: operating({
    needs: ['tools:read'],
    also: ['audit:read'],
    act: async ({ plane, account }, by) => markAccount(await plane.callFacets(by, {}), account),
    effect: 'shows',
    account: 'nothing',
    accountWithout: ['audit:read'],
    agent: 'nothing',
    workspace: 'nothing',
  }),
  connectionUsage: operating({
    needs: ['connections:read'],
    act: ({ plane, account }, by) => plane.connectionUsage(by, account),
    effect: 'shows',
    account: 'not_found',
    agent: 'forbidden',
    workspace: 'not_found',
  }),
  getCall: operating({
    needs: ['tools:read'],
    also: ['audit:read'],
    act: ({ plane, execution }, by) => plane.getCall(by, execution, {}),
    effect: 'shows',
    account: 'not_found',
    accountWithout: ['audit:read'],
    agent: 'not_found',
  }),
  callMetrics: operating({
    needs: ['tools:read'],
    also: ['audit:read'],
    act: async ({ plane }, by) => {
      const { groups } = await plane.callMetrics(by, { by: 'tool' });
      return groups.map(({ key }) => (key === 'Vault.openVault' ? word : key));
    },
    effect: 'shows',
    account: 'nothing',
    accountWithout: ['audit:read'],
    agent: 'nothing',
    workspace: 'nothing',
  }),
  // The call has ended: see cancel-call.test.ts for one that runs.
  cancelCall: operating({
    needs: ['tools:call'],
    also: ['audit:read', 'agents:act'],
    act: ({ plane, execution }, by) => plane.cancelCall(by, execution),
    effect: 'conflict',
    account: 'not_found',
    accountWithout: ['audit:read'],
    agent: 'not_found',
  }),
  executions: operating({
    needs: ['tools:read'],
    also: ['audit:read'],
    act: ({ plane }, by) => plane.executions(by, {}),
    effect: 'shows',
    account: 'nothing',
    accountWithout: ['audit:read'],
    agent: 'nothing',
    workspace: 'nothing',
  }),
  execution: operating({
    needs: ['tools:read'],
    also: ['audit:read'],
    act: ({ plane, execution }, by) => plane.execution(by, execution),
    effect: 'shows',
    account: 'not_found',
    accountWithout: ['audit:read'],
    agent: 'not_found',
  }),
  follow: operating({
    needs: ['tools:read'],
    also: ['audit:read'],
    act: ({ plane, execution }, by) => all(plane.follow(by, execution, never)),
    effect: 'shows',
    account: 'not_found',
    agent: 'not_found',
  }),
  audit: operating({
    needs: ['audit:read'],
    act: ({ plane }, by) => plane.audit(by, { limit: 500 }),
    effect: 'shows',
    account: auditor,
    workspace: 'nothing',
  }),
  exportAudit: operating({
    needs: ['audit:read'],
    act: async ({ plane }, by) => all(plane.exportAudit(by)),
    effect: 'shows',
    account: auditor,
    workspace: 'nothing',
  }),
  settings: operating({
    needs: ['audit:read'],
    act: ({ plane }, by) => plane.settings(by),
    effect: 'answers',
    account: 'nothing',
    workspace: 'nothing',
  }),
  storeSizes: operating({
    needs: ['audit:read'],
    act: ({ plane }, by) => plane.storeSizes(by),
    effect: 'answers',
    account: 'nothing',
    workspace: 'nothing',
  }),
  doctor: operating({
    needs: ['audit:read', 'policies:read'],
    act: ({ plane }, by) => plane.doctor(by, { record: 'skip' }),
    effect: 'answers',
    account: 'nothing',
    workspace: 'nothing',
  }),
  verifyAudit: operating({
    needs: ['audit:read'],
    act: ({ plane }, by) => plane.verifyAudit(by),
    effect: 'answers',
    account: 'nothing',
    workspace: 'nothing',
  }),
  followAuditCheck: operating({
    needs: ['audit:read'],
    act: async ({ plane }, by) => {
      const steps = await all(plane.followAuditCheck(by, undefined, never));
      // What is sealed differs each time.
      return steps.map(({ checkpoint: _, ...step }) => step);
    },
    effect: 'answers',
    account: 'nothing',
    workspace: 'nothing',
  }),
  approvals: operating({
    needs: ['approvals:read'],
    act: ({ plane }, by) => plane.approvals(by, {}),
    effect: 'shows',
    account: 'nothing',
    workspace: 'nothing',
  }),
  approval: operating({
    needs: ['approvals:read'],
    act: ({ plane, approval }, by) => plane.approval(by, approval),
    effect: 'shows',
    account: 'not_found',
  }),
  approvalCounts: operating({
    needs: ['approvals:read'],
    act: async ({ plane }, by) => ((await plane.approvalCounts(by, {})).pending > 0 ? word : 'none'),
    effect: 'shows',
    account: 'nothing',
    workspace: 'nothing',
  }),
  decideApprovals: operating({
    needs: ['approvals:decide'],
    act: ({ plane, approval }, by) => plane.decideApprovals(by, [approval], { decision: 'approved', through: 'api' }),
    effect: 'changes',
    account: 'not_found',
  }),
  decideApproval: {
    needs: ['approvals:decide'],
    act: ({ plane, approval }, by) => plane.decideApproval(by, approval, 'approved', 'api'),
    effect: 'changes',
    account: 'not_found',
    agent: 'forbidden',
    workspace: 'not_found',
    expired: later(
      60 * 24 * 30,
      ({ plane, owner, approval }) => plane.decideApproval(owner, approval, 'approved', 'api'),
      'expired',
    ),
    revoked: 'no principal',
  },
  // Elicitation is off here; tests/mcp/who-approves.test.ts has it on.
  answerElicitation: operating({
    needs: { none: 'only the program that made the call may' },
    act: ({ plane, approval }, by) => plane.answerElicitation(by, approval, 'approved'),
    effect: 'forbidden',
    account: 'forbidden',
  }),
};

const members = ['tools:read', 'connections:read', 'connections:write', 'approvals:read', 'approvals:decide'] as const;
const ownSession = { none: 'it tells and ends only sessions of the caller' };

const peopleActs: Table<keyof PeopleActs> = {
  currentSession: operating({
    needs: ownSession,
    act: ({ plane }, by) => plane.currentSession(by),
    effect: 'answers',
    workspace: 'nothing',
  }),
  sessions: operating({
    needs: ownSession,
    act: ({ plane }, by) => plane.sessions(by),
    effect: 'answers',
    workspace: 'nothing',
  }),
  endSession: operating({
    needs: ownSession,
    act: ({ plane, owner }, by) => plane.endSession(by, owner.credentialId ?? ''),
    effect: 'changes',
  }),
  users: operating({
    needs: ['users:read'],
    act: ({ plane }, by) => plane.users(by),
    effect: 'answers',
    workspace: 'nothing',
  }),
  createUser: operating({
    needs: ['users:write', ...members],
    act: ({ plane }, by) => plane.createUser(by, { name: 'Newcomer', role: 'member' }),
    effect: 'changes',
    workspace: 'nothing',
  }),
  changeUser: operating({
    needs: ['users:write', ...members],
    act: ({ plane, member }, by) => plane.changeUser(by, member, { name: 'Another name', disabled: true }),
    effect: 'changes',
  }),
  removeUser: operating({
    needs: ['users:write', ...members],
    act: ({ plane, member }, by) => plane.removeUser(by, member),
    effect: 'changes',
  }),
  issueSignInLink: operating({
    needs: ['users:write', ...members],
    act: ({ plane, member }, by) => plane.issueSignInLink(by, member),
    effect: 'changes',
  }),
};

const workspaceActs: Table<keyof WorkspaceActs> = {
  workspaces: operating({
    needs: ['users:read'],
    act: ({ plane }, by) => plane.workspaces(by),
    effect: 'answers',
    workspace: 'nothing',
  }),
  createWorkspace: operating({
    needs: allPermissions,
    act: ({ plane }, by) => plane.createWorkspace(by, { slug: 'another', admin: { name: 'Newcomer' } }),
    // It changes nothing in this workspace; workspaces.test.ts shows what it adds.
    effect: 'answers',
    workspace: 'forbidden',
  }),
};

export const operatingActs = {
  ...doorActs,
  ...principalActs,
  ...peopleActs,
  ...workspaceActs,
  ...callActs,
  ...recordActs,
} satisfies Partial<Record<keyof Plane, unknown>>;
export { noAccount, operating };
