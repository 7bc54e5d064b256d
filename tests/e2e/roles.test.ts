/** What each role may ask for, act by act, on both kinds of store. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Act, type ActFacts, acts as facts } from '../../src/domain/acts.js';
import type { Principal, Role } from '../../src/domain/principal.js';
import { roles } from '../../src/domain/roles.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { stores, useStore } from '../counterparts/stores.js';

/** What each role may ask for at all; whatever is left out it may not. */
const may: Readonly<Record<Exclude<Role, 'admin'>, readonly Act[]>> = {
  auditor: [
    'listActorMachines',
    'listIssues',
    'getIssue',
    'getIssueTimeline',
    'followIssue',
    'listPlaces',
    'getPlace',
    'getToolConfig',
    'listRecipes',
    'getRecipe',
    'listTaskSources',
    'getTaskSource',
    'notificationChannels',
    'getEffectiveToolConfig',
    'events',
    'listCalls',
    'callFacets',
    'getCall',
    'callMetrics',
    'connectionUsage',
    'agents',
    'listAgents',
    'credentials',
    'grantCatalogue',
    'policies',
    'pendingDefinitions',
    'tools',
    'validateAccess',
    'toolkits',
    'toolkitTools',
    'toolkitTool',
    'toolSummaries',
    'unofferedTools',
    'searchTools',
    'describeTools',
    'toolHints',
    'checkCode',
    'getRun',
    'listRuns',
    'followRun',
    'toolDeclarations',
    'discoveryStats',
    'executions',
    'execution',
    'follow',
    'approvals',
    'approvalCounts',
    'approval',
    'audit',
    'exportAudit',
    'verifyAudit',
    'followAuditCheck',
    'settings',
    'storeSizes',
    'doctor',
    'listActors',
    'getActor',
    'followActor',
    'machineChecks',
    'metrics',
    'connections',
    'connection',
    'connectionSchemes',
    'authChecks',
    'marketplace',
    'marketplaceStats',
    'cacheStatus',
    'withoutAccounts',
    'syncJobs',
    'followSync',
    'triggers',
    'subscriptions',
    'triggerEvents',
    'explain',
    'effectiveTools',
    'previewPolicies',
    'previewGrants',
    'users',
    'workspaces',
  ],
  member: [
    'listActorMachines',
    'listIssues',
    'getIssue',
    'getIssueTimeline',
    'followIssue',
    'listPlaces',
    'getPlace',
    'listRecipes',
    'getRecipe',
    'listTaskSources',
    'getTaskSource',
    'notificationChannels',
    'events',
    'listCalls',
    'callFacets',
    'getCall',
    'callMetrics',
    'connectionUsage',
    'tools',
    'validateAccess',
    'toolkits',
    'toolkitTools',
    'toolkitTool',
    'toolSummaries',
    'unofferedTools',
    'searchTools',
    'describeTools',
    'toolHints',
    'checkCode',
    'getRun',
    'listRuns',
    'followRun',
    'toolDeclarations',
    'discoveryStats',
    'executions',
    'execution',
    'follow',
    'approvals',
    'approvalCounts',
    'approval',
    'decideApproval',
    'decideCheck',
    'decideApprovals',
    'decideRun',
    'connections',
    'connection',
    'connectionSchemes',
    'addConnection',
    'connect',
    'changeConnection',
    'checkConnection',
    'disconnect',
    'removeConnection',
    'withdrawConnection',
    'authChecks',
    'marketplace',
    'marketplaceStats',
    'cacheStatus',
    'withoutAccounts',
    'syncJobs',
    'followSync',
    'triggers',
    'subscriptions',
    'subscribe',
    'unsubscribe',
    'triggerEvents',
  ],
};
const callerless = ['execute', 'receiveEvent', 'receiveWebhook', 'receiveSlackAction', 'healthy', 'ready'] as const;
const takesCaller = (act: Act): act is Exclude<Act, (typeof callerless)[number]> =>
  !(callerless as readonly Act[]).includes(act);
const demanding = (Object.keys(facts) as Act[]).filter((act) => Array.isArray(facts[act].permissions));

describe.each(stores)('%s', (store) => {
  const storeOf = useStore(store);
  let helve: TestHelve;
  beforeAll(async () => {
    helve = await createTestHelve(await storeOf());
  });
  afterAll(() => helve?.close());

  test.each(roles)('R-people: %s: each act is allowed or refused as the table says', async (role) => {
    const { link } = await helve.plane.createUser(helve.admin, { name: role, role });
    const { principal: by } = await helve.plane.redeemAdminLink(link.slice(link.indexOf('token=') + 'token='.length));
    const allowed: readonly Act[] = role === 'admin' ? demanding : may[role];
    expect(demanding).toEqual(expect.arrayContaining([...allowed]));
    for (const act of demanding) {
      if (!takesCaller(act)) continue;
      const run = helve.plane[act] as (principal: Principal, ...rest: unknown[]) => unknown;
      const { isImmediate }: ActFacts = facts[act];
      // Of a name that nothing has: it does nothing, and only a permission that is missing is told as such.
      const ask = async () => (isImmediate ? run(by, 'none', {}) : await run(by, 'none', {}, {}));
      const refused = await ask().then(
        () => false,
        (error) => error.code === 'forbidden',
      );
      expect([act, refused]).toEqual([act, !allowed.includes(act)]);
    }
  });
});
