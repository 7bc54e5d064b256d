/** R-tiers, R-abstain, R-meta-tools over a synchronised catalogue: 1,083 apps, 12,947 actions, of which two are connected. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestHelve } from '../../src/testing/index.js';
import { composioConfig, helveWith, syncNow } from '../composio/support.js';
import { stretchedData } from '../counterparts/composio/data.js';
import { type Composio, missingData, startComposio } from '../counterparts/composio/index.js';

describe.skipIf(missingData)(`Composio's catalogue (${missingData ?? 'all of it'})`, () => {
  let composio: Composio;
  let helve: TestHelve;

  beforeAll(async () => {
    composio = await startComposio(stretchedData());
    helve = await helveWith(composio, {
      publicUrl: 'http://127.0.0.1:1',
      config: composioConfig(composio, 'discovery: { direct_tools: 40 }\n'),
      // Search omits what no policy allows, and jira has destructive tools.
      policies: [{ id: 'deletes', effect: 'allow', when: { risk: ['destructive'] } }],
    });
    expect((await syncNow(helve)).status).toBe('done');
    for (const [toolkit, name] of [
      ['slackbot', 'Team'],
      ['jira', 'Tracker'],
    ] as const) {
      const { id } = await helve.plane.addConnection(helve.admin, { toolkit, name });
      await helve.plane.connect(helve.admin, id, {});
      for (const account of composio.accounts.values()) account.status = 'ACTIVE';
      await helve.plane.connection(helve.admin, id);
    }
    const { entries } = await helve.plane.grantCatalogue(helve.admin, 'tester');
    const jira = entries.find((entry) => entry.slug === 'tracker');
    await helve.plane.replaceGrants(helve.admin, 'tester', [
      {
        toolkit: 'jira',
        limits: {},
        config: {},
        tools: jira?.tools.map(({ name }) => name) ?? [],
        ...(jira?.connectionId === undefined ? {} : { connectionId: jira.connectionId }),
      },
      { toolkit: 'math', tools: ['calculate'], limits: {}, config: {} },
    ]);
  }, 60_000);
  afterAll(async () => {
    await helve.close();
    await composio.close();
  });

  const search = (query: string, who = helve.agent) => helve.plane.searchTools(who, { query, limit: 10 });

  test('R-tiers: the tools of a connected app are found by words and by every form of their names', async () => {
    const found = await search('create an issue in Jira');
    expect(found.abstained).toBe(false);
    expect(found.hits.length).toBeGreaterThan(0);
    for (const { name } of found.hits) expect(name).toMatch(/^(tracker__|calculate$|result_read$)/);
    expect(found.hits[0]?.name).toMatch(/^tracker__.*create.*issue/);
    const { entries } = await helve.plane.grantCatalogue(helve.admin, 'tester');
    const names = entries.find((entry) => entry.slug === 'tracker')?.tools.map(({ name }) => name) ?? [];
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const exact = await search(`Please run JIRA_${name.toUpperCase()} now`);
      expect([exact.tier, exact.hits[0]?.name], name).toEqual(['exact', expect.stringContaining('tracker__')]);
    }
  });

  test('R-abstain: an app without a connected account is suggested, and its tools are not found', async () => {
    const found = await search('start a new Airtable base');
    for (const { name } of found.hits) expect(name).toMatch(/^(tracker__|calculate$|result_read$)/);
    expect(found.nearest?.map(({ toolkit, connected }) => [toolkit, connected])).toContainEqual(['airtable', false]);
    expect(found.hint).toContain('Airtable: not connected');
    const named = await search('run GMAIL_SEND_EMAIL');
    expect(named.hits.map(({ name }) => name)).not.toContain('gmail__send_email');
    expect(named.nearest?.[0]).toEqual({ toolkit: 'gmail', name: expect.any(String), connected: false });
    // Connected, and not granted to this agent.
    const granted = await search('post a slackbot message to a channel');
    expect(granted.nearest?.find(({ toolkit }) => toolkit === 'slackbot')).toMatchObject({ connected: true });
  });

  test('R-meta-tools: an agent with this many tools sees four, and reaches all of them through these', async () => {
    expect((await helve.plane.tools(helve.agent)).map(({ name }) => name)).toEqual([
      'search_tools',
      'describe_tools',
      'call_tool',
      'run_code',
    ]);
    const found: any = await helve.call('search_tools', { query: 'create an issue in Jira' });
    expect(found.output.fits).toBe(true);
    const name = found.output.tools[0].split('(')[0];
    const described: any = await helve.call('describe_tools', { names: [name] });
    expect(described.output.tools[0].declaration).toContain('export declare function');
    const before = composio.executions.length;
    const called = await helve.call('call_tool', { tool: name, arguments: {}, intent: 'create an issue in Jira' });
    expect(called).toMatchObject({ ok: true, tool: name });
    expect(composio.executions.slice(before).map(({ tool }) => tool)).toEqual(['JIRA_CREATE_ISSUE']);
    const wrong = await helve.call('call_tool', { tool: name, arguments: {}, intent: 'delete the issue' });
    expect(wrong).toMatchObject({ ok: false, error: { code: 'intent_mismatch' } });
    expect(composio.executions).toHaveLength(before + 1);
  });

  test('R-tiers: the whole catalogue is indexed once, and a change of one app replaces that one', async () => {
    await search('start a new Airtable base');
    const { indexed } = await helve.plane.discoveryStats(helve.admin);
    expect(indexed.tools).toBeGreaterThan(12_900);
    const { data } = composio;
    const lost = data.tools.find(({ toolkit }) => toolkit.slug === 'airtable');
    composio.setData({
      ...data,
      tools: data.tools.filter((tool) => tool !== lost),
      toolkits: data.toolkits.map((one) =>
        one.slug === 'airtable' ? { ...one, meta: { ...one.meta, tools_count: one.meta.tools_count - 1 } } : one,
      ),
    });
    expect((await syncNow(helve)).status).toBe('done');
    await search('start a new Airtable base');
    expect((await helve.plane.discoveryStats(helve.admin)).indexed.tools).toBe(indexed.tools - 1);
  }, 60_000);
});
