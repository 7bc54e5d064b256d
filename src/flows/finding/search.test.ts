/** Results of a search: model-facing names, nothing that is denied, and an honest abstention. */
import { afterEach, describe, expect, test } from 'vitest';
import { defineToolkit } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';
import { testProviderTool } from '../../testing/provider-tool.js';
import { discovery } from '../../toolkits/discovery/toolkit.js';

let helve: TestHelve;
afterEach(() => helve.close());

const account = {
  schemes: [{ id: 'token', kind: 'api_key', title: 'Token', fields: [{ name: 'token', title: 'T', secret: true }] }],
} as const;
const service = { servers: () => ({ default: { url: 'https://service.invalid' } }) };

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const chat = defineToolkit({
  slug: 'chatter',
  title: 'Chatter',
  description: 'Messages',
  category: 'communication',
  auth: account,
  service,
  load: async () => [
    testTool({ name: 'send_message', description: 'Sends a message to a channel.', inputSchema: text }),
    testTool({ name: 'create_channel', description: 'Creates a channel.', inputSchema: text }),
    testTool({ name: 'delete_message', description: 'Deletes a message.', risk: 'destructive', inputSchema: text }),
  ],
});
const tickets = defineToolkit({
  slug: 'ticketing',
  title: 'Ticketing',
  description: 'Tickets',
  category: 'work',
  auth: account,
  service,
  load: async () => [
    testTool({ name: 'open_ticket', description: 'Opens a ticket for the support team.', inputSchema: text }),
    testTool({ name: 'assign_ticket', description: 'Assigns a ticket to somebody.', inputSchema: text }),
  ],
});
const weather = testTool({ name: 'get_weather', description: 'Weather forecast of a city, for the coming days.' });

async function open(options: TestHelveOptions = {}): Promise<TestHelve> {
  helve = await createTestHelve({ nativeToolkits: [chat, tickets], tools: [weather], ...options });
  return helve;
}

const connection = (toolkit: string, name: string) => ({ toolkit, name, credentials: { token: `of-${name}-12345` } });
const search = (query: string, more: object = {}, who = helve.agent) =>
  helve.plane.searchTools(who, { query, ...more });
const names = async (query: string, more: object = {}, who = helve.agent) =>
  (await search(query, more, who)).hits.map(({ name }) => name);

describe('R-tiers: what is found', () => {
  test('R-tiers: a bundled tool whose verb is another one, if people ask for it in these words', async () => {
    const { nativeToolkits } = await import('../../toolkits/index.js');
    await open({ nativeToolkits });
    const { hits, answer } = await search(
      'filter this json array for entries of last week',
      { explain: true },
      helve.admin,
    );
    expect([answer, hits[0]?.name]).toEqual(['these', 'execute_code']);
    expect(hits[0]?.why).toContain('usual wording');
  });

  test('R-tiers: by the search words of a tool, which nobody is shown', async () => {
    const searchWords = 'drizzle umbrella';
    for (const found of ['get_blue', 'get_green']) {
      const toolNamed = (name: string) =>
        testTool({ name, description: 'Returns a value.', ...(name === found ? { searchWords } : {}) });
      await open({ tools: [toolNamed('get_blue'), toolNamed('get_green')] });
      const findings = await search('will I need an umbrella');
      expect(findings.hits[0]).toMatchObject({ name: found });
      const described = await helve.plane.describeTools(helve.agent, [found]);
      expect(JSON.stringify([findings, described])).not.toContain('drizzle');
      await helve.close();
    }
  });

  test('R-tiers: by meaning, under its model-facing name, with signature and summary', async () => {
    await open({ connections: [connection('chatter', 'Work')] });
    const found = await search('send a message to the team', { explain: true });
    expect(found).toMatchObject({ tier: 'semantic', abstained: false });
    expect(found.hits[0]).toMatchObject({
      name: 'work__send_message',
      toolkit: 'chatter',
      connection: 'work',
      signature: '(text: string)',
      summary: 'Sends a message to a channel',
      risk: 'write',
      why: expect.any(Array),
    });
    expect((await search('send a message')).hits[0]).not.toHaveProperty('why');
  });

  test('R-tiers: an exact name ends the search, in any of its forms', async () => {
    await open({ connections: [connection('chatter', 'Work'), connection('chatter', 'Home')] });
    for (const form of ['CHATTER_CREATE_CHANNEL', 'chatter.create_channel', 'composio-chatter_create_channel']) {
      const found = await search(`Please run ${form} for the new project`);
      expect(found, form).toMatchObject({ tier: 'exact', abstained: false });
      expect(new Set(found.hits.map(({ name }) => name))).toEqual(
        new Set(['work__create_channel', 'home__create_channel']),
      );
    }
    const own = await search('use home__create_channel');
    expect([own.tier, own.hits.map(({ name }) => name)]).toEqual(['exact', ['home__create_channel']]);
    const other = await search('create_channel');
    expect([other.tier, other.hits.length > 0]).toEqual(['exact', true]);
    // Only within the requested toolkits.
    expect(await names('use home__create_channel', { toolkits: ['custom'] })).not.toContain('home__create_channel');
  });

  test('R-tiers: toolkits narrow the search, and the limit holds', async () => {
    await open({ connections: [connection('chatter', 'Work'), connection('ticketing', 'Desk')] });
    expect(await names('send a message', { toolkits: ['custom'] })).not.toContain('work__send_message');
    expect((await search('message', { limit: 1 })).hits).toHaveLength(1);
    expect(await search('message', { toolkits: ['nowhere'] })).toMatchObject({ hits: [], abstained: true });
  });

  test('R-instances: both of two accounts are found; the last used one first', async () => {
    await open({ connections: [connection('chatter', 'Work'), connection('chatter', 'Home')] });
    const both = async () => (await names('send a message')).filter((name) => name.endsWith('__send_message'));
    // Connected last.
    expect(await both()).toEqual(['home__send_message', 'work__send_message']);
    await helve.call('work__send_message', { text: 'x' });
    helve.advance(60_000);
    expect(await both()).toEqual(['work__send_message', 'home__send_message']);
  });

  test('R-tiers: what finds tools is not found itself', async () => {
    await open({ nativeToolkits: [discovery] });
    for (const query of ['search_tools', 'run DISCOVERY_SEARCH_TOOLS', 'search for tools by what they do'])
      expect(await names(query, { limit: 50 }), query).not.toContain('search_tools');
  });

  test('R-capability: an action that was not requested is not offered', async () => {
    await open({ connections: [connection('chatter', 'Work')] });
    const found = await names('send a message to #general');
    expect(found).toContain('work__send_message');
    expect(found).not.toContain('work__create_channel');
    expect(found).not.toContain('work__delete_message');
    expect(await names('create a channel')).toContain('work__create_channel');
  });
});

describe('R-grants: denied tools have no influence', () => {
  test('R-grants: tools outside the grant are not found, by words, by name or as unmatched words', async () => {
    await open({
      granted: ['open_ticket'],
      connections: [connection('chatter', 'Work'), connection('ticketing', 'Desk')],
    });
    for (const query of ['assign a ticket', 'run TICKETING_ASSIGN_TICKET', 'desk__assign_ticket', 'send a message'])
      for (const { name } of (await search(query, { limit: 50 })).hits) expect(name).toBe('desk__open_ticket');
    expect((await search('assign')).unmatched).toEqual(['assign']);
    expect((await helve.plane.describeTools(helve.agent, ['desk__assign_ticket'])).tools).toEqual([]);
    expect(await names('assign a ticket', {}, helve.admin)).toContain('desk__assign_ticket');
  });

  test('R-grants: an added or removed grant takes effect immediately', async () => {
    await open({ granted: ['get_weather'] });
    expect(await names('weather forecast')).toEqual(['get_weather']);
    await helve.plane.replaceGrants(helve.admin, 'tester', []);
    expect(await search('weather forecast')).toMatchObject({
      hits: [],
      abstained: true,
      hint: expect.stringMatching(/^You have no tools/),
    });
  });

  test('R-visibility: a private account of another person is not found, nor its toolkit reported as connected', async () => {
    await open({ connections: [{ ...connection('chatter', 'Mine'), visibility: 'private' }] });
    const found = await search('send a message to a channel');
    expect(found.hits.map(({ name }) => name)).not.toContain('mine__send_message');
    expect(found.nearest).toEqual([{ toolkit: 'chatter', name: 'Chatter', connected: false }]);
    expect(await names('send a message', {}, helve.admin)).toContain('mine__send_message');
  });

  test('R-grants: a caller that may not read tools may not search for them', async () => {
    await open();
    const nobody = { ...helve.agent, permissions: [] };
    await expect(search('x', {}, nobody)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(helve.plane.describeTools(nobody, ['x'])).rejects.toMatchObject({ code: 'forbidden' });
    await expect(helve.plane.toolHints(nobody, { text: 'x', mode: 'chat' })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(helve.plane.discoveryStats(nobody)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('R-abstain: an honest abstention', () => {
  test('R-abstain: if nothing fits: the unmatched words, and the toolkit that could be connected', async () => {
    await open();
    const found = await search('open a ticket for the support team');
    expect(found.answer).not.toBe('these');
    expect(found.nearest).toEqual([{ toolkit: 'ticketing', name: 'Ticketing', connected: false }]);
    expect(found.hint).toMatch(
      /^(?:Nothing that you have fits; none knows|Perhaps one of these fits; not understood:) .*"ticket"/,
    );
    expect(found.hint).toContain('Ticketing: not connected.');
    const other = await search('bake a sourdough loaf');
    expect(other.answer).not.toBe('these');
    expect(other.nearest).toBeUndefined();
  });

  test('R-abstain: connected but not granted toolkits are distinguished', async () => {
    await open({ granted: ['get_weather'], connections: [connection('ticketing', 'Desk')] });
    const found = await search('open a ticket for the support team');
    expect(found.nearest).toEqual([{ toolkit: 'ticketing', name: 'Ticketing', connected: true }]);
    expect(found.hint).toContain('Ticketing: not granted to you');
    await helve.plane.disconnect(helve.admin, 'desk');
    expect((await search('open a ticket for the support team')).nearest).toMatchObject([{ connected: false }]);
  });

  test('R-abstain: a toolkit that the workspace switched off is not suggested', async () => {
    await open();
    await helve.plane.enableTools(helve.admin, 'ticketing', { enabled: false });
    expect((await search('open a ticket for the support team')).nearest).toBeUndefined();
  });

  test('R-abstain: nothing is offered in place of an app that is named but missing; its name says how to get it', async () => {
    await open({ connections: [connection('chatter', 'Work')] });
    for (const query of [
      'send a message in Ticketing',
      'send a message to a Ticketing channel',
      'schicke in Ticketing eine Nachricht',
    ]) {
      const found = await search(query);
      expect(found, query).toMatchObject({ answer: 'nothing', abstained: true, hits: [] });
      expect(found.nearest, query).toEqual([{ toolkit: 'ticketing', name: 'Ticketing', connected: false }]);
      expect(found.hint).toMatch(
        /^You have no tools of the app that is named\. Ticketing: not connected\. Ask the person/,
      );
    }
    // The control: without that name, and with the name of an app that is there as well.
    expect((await search('send a message to a channel')).hits[0]?.name).toBe('work__send_message');
    const both = await search('send a message in Chatter about what is new in Ticketing');
    expect(both.hits[0]?.name).toBe('work__send_message');
  });

  test('R-abstain: an app that no catalogue has is not replaced either, in the words of people', async () => {
    const note = testTool({ name: 'write_note', description: 'Writes a note to a folder.' });
    await open({ connections: [connection('chatter', 'Work')], tools: [weather, note] });
    for (const [query, name] of [
      ['open a ticket in jira', 'Jira'],
      ['put the note into our trello', 'Trello'],
      ['start a zoom meeting', 'Zoom'],
    ] as const) {
      const found = await search(query);
      expect(found, query).toMatchObject({ answer: 'nothing', hits: [] });
      expect(found.hint, query).toBe(
        `You have no tools of the app that is named. ${name}: not set up here. The operator can add it.`,
      );
    }
    // A tool that surely serves the text is offered, and so is one that knows the name.
    const about = await search('send a message to the channel that jira is down');
    expect(about).toMatchObject({ answer: 'these', hint: 'Jira: not set up here. The operator can add it.' });
    expect(about.hits[0]?.name).toBe('work__send_message');
    await helve.close();
    const bridge = testTool({ name: 'file_report', description: 'Opens a ticket in Jira for the team.' });
    await open({ tools: [weather, bridge] });
    expect((await search('open a ticket in jira')).hits[0]?.name).toBe('file_report');
  });

  test('R-abstain: an app of the caller counts as there under each of its usual names', async () => {
    const rows = testTool({ name: 'append_values', description: 'Appends values to a spreadsheet.' });
    const toolkit = (slug: string, title: string) => ({ ...chat, slug, title, load: async () => [rows] });
    const excel = toolkit('excel', 'Excel');
    for (const [own, query] of [
      [toolkit('googlesheets', 'Google Sheets'), 'jot it into my google sheet'],
      [excel, 'jot it into microsoft excel'],
    ] as const) {
      await open({ nativeToolkits: [own], connections: [connection(own.slug, 'Work')] });
      expect((await search(query)).hint ?? '', query).not.toContain('not set up here');
      await helve.close();
    }
    await open({ nativeToolkits: [excel] });
    expect((await search('jot it into microsoft excel')).hint).toContain('Excel: not connected');
  });

  test('R-abstain: an app of the catalogue is missing also where its name is not written like one', async () => {
    const ledger = { ...chat, slug: 'ledger', title: 'Ledger' };
    await open({ nativeToolkits: [ledger, tickets], granted: ['get_weather'] });
    const found = await search('send a message to the ledger channel');
    expect(found).toMatchObject({ answer: 'nothing', hits: [] });
    expect(found.nearest).toEqual([{ toolkit: 'ledger', name: 'Ledger', connected: false }]);
    // The same name in a text that asks for nothing that the app does.
    expect((await search('weather for the ledger')).hits[0]?.name).toBe('get_weather');
  });

  test('R-abstain: an app that is part of a suite is missing by the name of the suite, and there if the suite is', async () => {
    const suite = { ...chat, slug: 'google_workspace', title: 'Google Workspace' };
    await open({ nativeToolkits: [suite, tickets] });
    const found = await search('put a row into my google sheet');
    expect(found).toMatchObject({ answer: 'nothing', nearest: [{ toolkit: 'google_workspace', connected: false }] });
    await helve.close();
    await open({ nativeToolkits: [suite, tickets], connections: [connection('google_workspace', 'Work')] });
    expect((await search('send a message in google drive')).hits[0]?.name).toBe('work__send_message');
  });

  test('R-abstain: a tool of another app that speaks of the missing one is offered', async () => {
    const bridge = testTool({ name: 'post_to_ticketing', description: 'Sends a message to the team in Ticketing.' });
    await open({ connections: [connection('chatter', 'Work')], tools: [weather, bridge] });
    expect((await search('send a message in Ticketing')).hits.map(({ name }) => name)).toContain('post_to_ticketing');
  });

  test('R-abstain: a toolkit that has the name of the missing app in its own is offered', async () => {
    const bot = { ...chat, slug: 'ticketingbot', title: 'Bot', load: async () => [testTool({ name: 'ban_member' })] };
    const connections = [connection('chatter', 'Work'), connection('ticketingbot', 'Bot')];
    await open({ nativeToolkits: [chat, tickets, bot], connections });
    expect((await search('ban a member in Ticketing')).hits[0]?.name).toBe('bot__ban_member');
    expect(await search('send a message in Ticketing')).toMatchObject({ answer: 'nothing', hits: [] });
  });

  test('R-visibility: whether a name is an app is not told of apps that only others may know', async () => {
    await open({ connections: [{ ...connection('chatter', 'Mine'), visibility: 'private' }] });
    const [named, invented] = [
      await search('get the weather in Nowherely'),
      await search('get the weather in Elsewherely'),
    ];
    expect(named.answer).toBe(invented.answer);
  });

  test('R-abstain: three answers, and a mistyped word is said', async () => {
    await open({ connections: [connection('chatter', 'Work')] });
    expect(await search('send a message to a channel')).toMatchObject({ answer: 'these', abstained: false });
    expect((await search('bake a sourdough loaf')).answer).not.toBe('these');
    expect(await search('zzxq qqvw')).toMatchObject({ answer: 'nothing', abstained: true });
    const found = await search('send a mesage to a channel');
    expect(found).toMatchObject({ abstained: false, readAs: [{ written: 'mesage', read: 'message' }] });
    expect(found.hint).toContain('Read "mesage" as "message".');
    expect(found.hits[0]?.name).toBe('work__send_message');
  });

  test('R-abstain: an app that is named and missing is mentioned, even if another tool fits', async () => {
    await open({ connections: [connection('chatter', 'Work')] });
    const found = await search('send a message about the Ticketing backlog', { explain: true });
    expect(found.hits[0]?.name).toBe('work__send_message');
    expect(found.nearest).toEqual([{ toolkit: 'ticketing', name: 'Ticketing', connected: false }]);
  });
});

describe('R-tiers: the tier of a result', () => {
  test('R-tiers: each tier is counted, by workspace', async () => {
    await open();
    await search('weather forecast');
    await search('zzxq qqvw');
    await search('run CUSTOM_GET_WEATHER');
    await helve.plane.toolHints(helve.agent, { text: 'weather forecast', mode: 'chat' });
    const stats = await helve.plane.discoveryStats(helve.agent);
    expect(stats.searches).toBe(3);
    expect(stats.abstained).toBe(1);
    expect(stats.tiers.exact.count).toBe(1);
    expect(stats.tiers.exact.count + stats.tiers.semantic.count + stats.tiers.fallback.count).toBe(3);
    expect(stats.tiers.semantic.milliseconds).toBeGreaterThan(0);
    expect(stats.hints.capability).toBe(1);
    const { workspaceId } = await helve.ensureWorkspace('other');
    expect((await helve.plane.discoveryStats({ ...helve.admin, workspaceId })).searches).toBe(0);
  });
});

describe('R-visibility: tools listed for one account', () => {
  const tools = ['find_dragon', 'feed_dragon'].map((name) =>
    testProviderTool({ toolkit: 'lair', name }, { description: `${name} of the lair` }),
  );
  const lair = {
    kind: 'mcp' as const,
    toolkits: async () => [
      {
        slug: 'lair',
        title: 'Lair',
        description: '',
        category: 'x',
        provider: 'mcp' as const,
        needsConnection: true,
        internal: false,
        auth: account,
      },
    ],
    tools: async (slug: string) => (slug === 'lair' ? tools : []),
    execute: async () => ({ output: null }),
    close: async () => undefined,
  };

  test('R-visibility: its holder finds them; another workspace sees no trace of them, in any field of the result', async () => {
    await open({ providers: [lair], connections: [connection('lair', 'Cave')] });
    expect(await names('feed the dragon')).toContain('cave__feed_dragon');
    const { workspaceId } = await helve.ensureWorkspace('other');
    const stranger = { ...helve.admin, workspaceId };
    for (const query of ['feed the dragon', 'LAIR_FEED_DRAGON', 'cave__feed_dragon', 'lair']) {
      const found = await search(query, { limit: 50, explain: true }, stranger);
      expect(JSON.stringify({ ...found, unmatched: [], hint: '' }), query).not.toMatch(/lair|dragon/i);
    }
    // All but the two of the private server.
    expect((await helve.plane.discoveryStats(helve.agent)).indexed.tools).toBe(6);
  });
});
