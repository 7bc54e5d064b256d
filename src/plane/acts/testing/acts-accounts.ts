/** For tests: the table's rows for setting up, accounts, programs and the marketplace. */
import type { ExplainActs } from '../../../domain/explain.js';
import type { Proved, Row, Table } from './act-row.js';
import { all, noAccount, operating } from './acts-operating.js';
import { word } from './acts-scene.js';

const secretSays = { none: 'it takes a secret of the sign-in, which says itself whose it is' };
const signIns: Proved = { file: 'tests/accounts/attacks-callback.test.ts', words: 'R-oauth: $name' };
const programs: Proved = {
  file: 'tests/authorization/flow.test.ts',
  words: 'expired codes, access tokens and refresh tokens are refused',
};
const hosted: Proved = { file: 'tests/composio/end-to-end.test.ts', words: 'neither does a forged callback' };
const never = new AbortController().signal;
const issuer = 'http://localhost';

type GrantActs =
  | keyof ExplainActs
  | 'grantCatalogue'
  | 'replaceGrants'
  | 'changeGrants'
  | 'withdrawConnection'
  | 'previewGrants'
  | 'enableTools'
  | 'policies'
  | 'replacePolicies';

const grantActs: Table<GrantActs | 'pendingDefinitions' | 'acceptDefinition'> = {
  explain: operating({
    needs: ['grants:read', 'policies:read'],
    act: ({ plane }, by) => plane.explain(by, { agent: 'tester', tool: `${word}__open_vault`, input: { shelf: word } }),
    effect: 'answers',
    names: word,
    account: 'nothing',
  }),
  effectiveTools: operating({
    needs: ['grants:read', 'policies:read'],
    act: ({ plane }, by) => plane.effectiveTools(by, 'tester'),
    effect: 'shows',
    account: 'nothing',
  }),
  previewPolicies: operating({
    needs: ['policies:read', 'audit:read'],
    act: ({ plane }, by) => plane.previewPolicies(by, { policies: [{ id: 'none', effect: 'deny', when: {} }] }),
    effect: 'shows',
    account: 'nothing',
    workspace: 'nothing',
  }),
  grantCatalogue: operating({
    needs: ['grants:read'],
    act: ({ plane }, by) => plane.grantCatalogue(by, 'tester'),
    effect: 'shows',
    account: 'nothing',
  }),
  replaceGrants: operating({
    needs: ['grants:write'],
    act: ({ plane }, by) => plane.replaceGrants(by, 'tester', []),
    effect: 'changes',
    account: 'nothing',
  }),
  changeGrants: operating({
    needs: ['grants:write'],
    act: ({ plane }, by) => plane.changeGrants(by, 'tester', { remove: [{ tools: ['*'] }] }),
    effect: 'changes',
    account: 'nothing',
  }),
  withdrawConnection: operating({
    needs: ['connections:write'],
    act: ({ plane, account }, by) => plane.withdrawConnection(by, account, 'tester'),
    effect: 'changes',
    account: 'not_found',
  }),
  previewGrants: operating({
    needs: ['grants:read', 'policies:read'],
    act: ({ plane }, by) => plane.previewGrants(by, 'tester', { grants: [] }),
    effect: 'shows',
    account: 'nothing',
  }),
  enableTools: operating({
    needs: ['grants:write'],
    act: ({ plane }, by) => plane.enableTools(by, 'math', { enabled: false }),
    effect: 'changes',
    account: { none: 'a toolkit is switched for the whole workspace' },
    workspace: 'nothing',
  }),
  policies: operating({
    needs: ['policies:read'],
    act: ({ plane }, by) => plane.policies(by),
    effect: 'answers',
    account: 'nothing',
    workspace: 'nothing',
  }),
  replacePolicies: operating({
    needs: ['policies:write'],
    act: ({ plane }, by) => plane.replacePolicies(by, [{ id: 'new', effect: 'deny', when: { tools: ['calculate'] } }]),
    effect: 'changes',
    account: { none: 'policies hold for the whole workspace' },
    workspace: 'nothing',
  }),
  pendingDefinitions: operating({
    needs: ['grants:read'],
    act: ({ plane }, by) => plane.pendingDefinitions(by),
    effect: 'answers',
    account: 'nothing',
    workspace: 'nothing',
  }),
  // Nothing is waiting for consent here; src/providers/mcp/plane.test.ts has a server that changes its tools.
  acceptDefinition: operating({
    needs: ['grants:write'],
    act: ({ plane }, by) => plane.acceptDefinition(by, 'vault', 'open_vault', 'a'.repeat(64)),
    effect: 'not_found',
    account: { none: 'a definition is the toolkit’s, whosever account uses it' },
    workspace: { file: 'tests/e2e/isolation-plane.test.ts', words: 'acceptDefinition: [' },
  }),
};

type ConnectionActs = 'connections' | 'connection' | 'connectionSchemes' | 'addConnection' | 'connect';
type ChangeActs = 'changeConnection' | 'checkConnection' | 'disconnect' | 'removeConnection' | 'disconnectAll';

const connectionActs: Table<ConnectionActs | ChangeActs> = {
  connections: operating({
    needs: ['connections:read'],
    act: ({ plane }, by) => plane.connections(by),
    effect: 'shows',
    account: 'nothing',
    workspace: 'nothing',
  }),
  connection: operating({
    needs: ['connections:read'],
    act: ({ plane, account }, by) => plane.connection(by, account),
    effect: 'shows',
    account: 'not_found',
  }),
  connectionSchemes: operating({
    needs: ['connections:read'],
    act: ({ plane }, by) => plane.connectionSchemes(by, 'vault'),
    effect: 'answers',
    workspace: 'nothing',
  }),
  addConnection: operating({
    needs: ['connections:write'],
    act: ({ plane }, by) => plane.addConnection(by, { toolkit: 'vault', name: 'A new one' }),
    effect: 'changes',
    account: 'nothing',
    workspace: 'nothing',
  }),
  connect: operating({
    needs: ['connections:write'],
    act: ({ plane, account }, by) => plane.connect(by, account, { credentials: { token: 'planted' }, check: false }),
    effect: 'changes',
    account: 'not_found',
  }),
  changeConnection: operating({
    needs: ['connections:write'],
    act: ({ plane, account }, by) => plane.changeConnection(by, account, { visibility: 'workspace' }),
    effect: 'changes',
    account: 'not_found',
  }),
  checkConnection: operating({
    needs: ['connections:write'],
    act: ({ plane, account }, by) => plane.checkConnection(by, account),
    effect: 'shows',
    account: 'not_found',
  }),
  disconnect: operating({
    needs: ['connections:write'],
    act: ({ plane, account }, by) => plane.disconnect(by, account),
    effect: 'changes',
    account: 'not_found',
  }),
  removeConnection: operating({
    needs: ['connections:write'],
    act: ({ plane, account }, by) => plane.removeConnection(by, account),
    effect: 'changes',
    account: 'not_found',
  }),
  disconnectAll: operating({
    needs: ['connections:write'],
    act: ({ plane }, by) => plane.disconnectAll(by),
    effect: 'changes',
    account: 'nothing',
    workspace: 'nothing',
  }),
};

type ClientActs = 'putAuthClient' | 'removeAuthClient' | 'authChecks' | 'rotateVault';
type SignInActs = 'showSignIn' | 'startSignIn' | 'finishSignIn' | 'finishHostedSignIn';

const signIn = (act: Row['act'], effect: Row['effect'], proof: Proved) => ({
  needs: secretSays,
  act,
  effect,
  account: proof,
  agent: secretSays,
  workspace: secretSays,
  expired: proof,
  revoked: proof,
});

const signInActs: Table<ClientActs | SignInActs> = {
  putAuthClient: operating({
    needs: ['connections:write'],
    act: ({ plane }, by) => plane.putAuthClient(by, 'google', { clientId: 'new', clientSecret: 'new' }),
    effect: 'changes',
    workspace: 'nothing',
  }),
  removeAuthClient: operating({
    needs: ['connections:write'],
    act: ({ plane }, by) => plane.removeAuthClient(by, 'google'),
    effect: 'changes',
    workspace: 'nothing',
  }),
  authChecks: operating({
    needs: ['connections:read'],
    act: ({ plane }, by) => plane.authChecks(by),
    effect: 'answers',
    account: 'nothing',
    workspace: 'nothing',
  }),
  rotateVault: operating({
    needs: ['keys:write', 'connections:write'],
    act: ({ plane }, by) => plane.rotateVault(by),
    effect: 'changes',
    account: { none: 'every secret of the installation is sealed again, and opens as before for whom it opened' },
    workspace: { none: 'the keys are those of the installation: nothing of another workspace is shown or lost' },
  }),
  showSignIn: signIn(({ plane }) => plane.showSignIn('no ticket'), 'expired', signIns),
  startSignIn: signIn(({ plane }) => plane.startSignIn('no ticket', () => undefined), 'expired', signIns),
  finishSignIn: signIn(
    ({ plane }, by) => plane.finishSignIn(new URL('http://localhost/oauth/callback?state=none'), () => undefined, by),
    'answers',
    signIns,
  ),
  finishHostedSignIn: signIn(
    ({ plane }) => plane.finishHostedSignIn(new URLSearchParams({ state: 'none' })),
    'answers',
    hosted,
  ),
};

type AskActs = 'beginAuthorization' | 'decideAuthorization';
type TokenActs = 'exchangeToken' | 'revokeToken' | 'registerClient';

const program = (act: Row['act']) => ({
  needs: {
    none: 'programs ask before anyone is known; what they get is issued through the page that a person answered',
  },
  act,
  effect: 'answers' as const,
  account: noAccount,
  agent: programs,
  workspace: programs,
  expired: programs,
  revoked: programs,
});

const programActs: Table<AskActs | TokenActs> = {
  beginAuthorization: {
    needs: ['agents:act'],
    act: ({ plane, programAsks }, by) => plane.beginAuthorization(issuer, programAsks, by),
    effect: 'changes',
    account: noAccount,
    agent: 'forbidden',
    workspace: 'nothing',
    expired: { none: 'the page that it opens ends, and nothing does before' },
    revoked: { none: 'the person who is asked is signed in, or is asked to sign in' },
  },
  decideAuthorization: {
    needs: ['agents:act'],
    act: ({ plane, consent }, by) => plane.decideAuthorization(issuer, by, consent, 'approved'),
    effect: 'changes',
    account: { none: 'the page belongs to the person who opened it: a key is refused as an agent is' },
    agent: 'forbidden',
    workspace: 'expired',
    expired: {
      code: 'expired',
      act: ({ helve, plane, owner, consent }) => {
        helve.advance(11 * 60_000);
        return plane.decideAuthorization(issuer, owner, consent, 'approved');
      },
    },
    revoked: {
      code: 'expired',
      act: async ({ plane, owner, consent }) => {
        await plane.decideAuthorization(issuer, owner, consent, 'rejected');
        return plane.decideAuthorization(issuer, owner, consent, 'approved');
      },
    },
  },
  exchangeToken: program(({ plane }) => plane.exchangeToken(new URLSearchParams({ code: 'none' }), undefined)),
  revokeToken: program(({ plane }) => plane.revokeToken(new URLSearchParams({ token: 'none' }))),
  registerClient: program(({ plane }) =>
    plane.registerClient({ redirect_uris: ['http://localhost/callback'] }, '127.0.0.1'),
  ),
};

type BrowseActs = 'marketplace' | 'marketplaceStats' | 'cacheStatus' | 'useToolkit' | 'withoutAccounts';
type SyncActs = 'synchronise' | 'syncJobs' | 'followSync' | 'cancelSync';
const installation = { none: 'the catalogue of apps is the installation’s, and is the same for everyone' };

const marketplaceActs: Table<BrowseActs | SyncActs> = {
  marketplace: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.marketplace(by, { search: 'vault' }),
    effect: 'answers',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  marketplaceStats: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.marketplaceStats(by),
    effect: 'answers',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  cacheStatus: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.cacheStatus(by),
    effect: 'answers',
    agent: 'nothing',
    workspace: installation,
  }),
  useToolkit: operating({
    needs: ['connections:write'],
    act: ({ plane }, by) => plane.useToolkit(by, 'math', false),
    effect: 'changes',
    workspace: 'nothing',
  }),
  withoutAccounts: operating({
    needs: ['connections:read'],
    act: ({ plane }, by) => plane.withoutAccounts(by, 'math'),
    effect: 'answers',
    workspace: 'nothing',
  }),
  // Without a source nothing can be synchronised: tests/composio has one.
  synchronise: operating({
    needs: ['catalogue:write'],
    act: ({ plane }, by) => plane.synchronise(by, { kind: 'full' }),
    effect: 'conflict',
    workspace: installation,
  }),
  syncJobs: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.syncJobs(by, {}),
    effect: 'answers',
    agent: 'nothing',
    workspace: installation,
  }),
  followSync: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => all(plane.followSync(by, 'none', never)),
    effect: 'not_found',
    agent: 'not_found',
    workspace: installation,
  }),
  cancelSync: operating({
    needs: ['catalogue:write'],
    act: ({ plane }, by) => plane.cancelSync(by, 'none'),
    effect: 'not_found',
    workspace: installation,
  }),
};

type TriggerActs = 'triggers' | 'subscriptions' | 'subscribe' | 'unsubscribe' | 'triggerEvents' | 'receiveEvent';

const triggerActs: Table<TriggerActs> = {
  triggers: operating({
    needs: ['tools:read'],
    act: ({ plane }, by) => plane.triggers(by, 'vault'),
    effect: 'answers',
    account: 'nothing',
    agent: 'nothing',
    workspace: 'nothing',
  }),
  subscriptions: operating({
    needs: ['connections:read'],
    act: ({ plane }, by) => plane.subscriptions(by),
    effect: 'shows',
    account: 'nothing',
    workspace: 'nothing',
  }),
  // The owner's request gets as far as the source, which is not configured here.
  subscribe: operating({
    needs: ['connections:write'],
    act: ({ plane, account }, by) => plane.subscribe(by, { trigger: 'VAULT_OPENED', connection: account }),
    effect: 'conflict',
    account: 'not_found',
  }),
  unsubscribe: operating({
    needs: ['connections:write'],
    act: ({ plane, subscription }, by) => plane.unsubscribe(by, subscription),
    effect: 'conflict',
    account: 'not_found',
  }),
  triggerEvents: operating({
    needs: ['connections:read'],
    act: ({ plane, subscription }, by) => plane.triggerEvents(by, { subscription }),
    effect: 'shows',
    account: 'nothing',
    workspace: 'nothing',
  }),
  receiveEvent: {
    needs: { none: 'the source signs what it sends' },
    act: ({ plane }) => plane.receiveEvent('composio', Buffer.from('{}'), new Headers()),
    effect: 'conflict',
    account: { file: 'tests/composio/triggers.test.ts', words: 'unsigned, changed, stale' },
    agent: { none: 'it takes no caller' },
    workspace: { none: 'the subscription says whose the event is' },
    expired: { file: 'tests/composio/triggers.test.ts', words: 'unsigned, changed, stale' },
    revoked: { file: 'tests/composio/triggers.test.ts', words: 'early or otherwise signed messages are refused' },
  },
};

export const settingUpActs = {
  ...grantActs,
  ...connectionActs,
  ...signInActs,
  ...programActs,
  ...marketplaceActs,
  ...triggerActs,
};
