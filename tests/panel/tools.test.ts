/** Agents and their tools: from nothing to a first call, choosing among many, two operators, and a refusal that is mended. */
import { afterEach, describe, expect, test } from 'vitest';
import { vault } from '../../src/plane/acts/testing/vault-toolkit.js';
import { type TestHelveOptions, testTool } from '../../src/testing/index.js';
import { type Ground, startGround } from './ground.js';

let ground: Ground;
afterEach(() => ground.close());

const start = async (options: TestHelveOptions = {}) => {
  ground = await startGround({ nativeToolkits: [], granted: [], ...options });
  return ground.visit('admin');
};
const safe = (name: string, visibility: 'workspace' | 'private' = 'workspace') => ({
  toolkit: 'vault',
  name,
  visibility,
  credentials: { token: 'canary' },
});
const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** What the agent's model is offered, as an MCP client or a program reads it. */
async function listOffered(slug: string): Promise<string[]> {
  const { helve } = ground;
  const agent = await helve.plane.actAs(helve.admin, slug);
  const tools = await helve.plane.tools(agent);
  return tools.map(({ name }) => name).sort();
}

test('R-panel: of 150 agents one is found by its name, with what it has and did, and the last by going to the end', async () => {
  const visit = await start({ tools: [testTool({ name: 'echo' })], granted: ['echo'] });
  const { page } = visit;
  const { plane, admin } = ground.helve;
  for (let at = 1; at < 150; at += 1) await plane.createAgent(admin, { slug: `robot-${at}` });
  await ground.helve.call('echo', {});
  await visit.open('agents');
  await page.getByText('150 agents', { exact: true }).waitFor();
  await visit.use(/^robot-1$|^robot-1\n/);
  await page.goBack();
  await page.locator('a[data-at="0"]').focus();
  await expect
    .poll(async () => {
      await page.keyboard.press('End');
      return page.getByRole('link', { name: /^tester/ }).count();
    })
    .toBe(1);
  await visit.type('Filter', 'TEST');
  await page.getByText('1 agent', { exact: true }).waitFor();
  await page.getByRole('link', { name: /tester.*1 tool granted.*1 call in 24 h.*last call/s }).waitFor();
  expect(page.url()).toContain('q=TEST');
  await visit.end();
});

test('R-panel: of an app with many tools a page is shown, one is found by a word, and its definition is read when it is opened', async () => {
  const tools = Array.from({ length: 250 }, (_, at) =>
    testTool({ name: `tool_${at}`, description: at === 249 ? 'Reads Saturn. It has rings.' : 'Reads the Earth.' }),
  );
  const visit = await start({ tools });
  const { page } = visit;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await visit.open('catalogue/apps/custom');
  await page.getByText('250 tools', { exact: true }).waitFor();
  await page.locator('a[data-at="0"]').focus();
  await expect
    .poll(async () => {
      await page.keyboard.press('End');
      return page.locator('a[data-at="249"]').count();
    })
    .toBe(1);
  await visit.type('Filter', 'saturn');
  await page.getByText('1 tool', { exact: true }).waitFor();
  // Nothing has asked for the schemas yet.
  expect(asked.filter((path) => path.includes('/actions'))).toEqual([]);
  await visit.use(/^tool_249/);
  const dialog = page.getByRole('dialog', { name: 'tool_249' });
  await dialog.getByText('It has rings.').waitFor();
  await dialog
    .getByText(/"type": "object"/)
    .first()
    .waitFor();
  expect(asked.filter((path) => path.includes('/actions'))).toEqual(['/api/tools/custom/actions/tool_249']);
  expect(page.url()).toContain('tool=tool_249');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await visit.end();
});

test('R-panel: a search of the catalogue for a purpose finds apps that serve it, and says so', async () => {
  const visit = await start({
    tools: [testTool({ name: 'send_sms', description: 'Send a text message to a phone number' })],
    toolkits: [vault],
  });
  const { page } = visit;
  await visit.open('catalogue?q=send text messages to customers');
  await page.getByText(/by purpose: few have all of these words/).waitFor();
  await page
    .getByRole('link', { name: /^custom/i })
    .first()
    .waitFor();
  await visit.type('Filter', 'vault');
  await page.getByText('1 app', { exact: true }).waitFor();
  await visit.end();
});

describe('from nothing', () => {
  test('R-panel: an operator adds an agent, gives it a tool and a token, and sees its first call', async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' })] });
    const { page } = visit;
    await page.getByText('First steps').waitFor();
    await visit.open('agents');
    await visit.type('Short name', 'helper');
    await visit.use('Add');
    await page.getByRole('heading', { name: 'helper' }).waitFor();
    await visit.use(/^echo/);
    await visit.use('Review 1 change');
    await visit.use('Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await visit.open('agents/helper/access');
    expect(await page.getByLabel('MCP address', { exact: true }).innerText()).toBe(`${ground.url}/mcp/helper`);
    await visit.use('Issue a token');
    const secret = await page.getByLabel('Token', { exact: true }).innerText();
    const forCursor = JSON.parse(
      await page.getByLabel('To connect Cursor, in .cursor/mcp.json:', { exact: true }).innerText(),
    );
    expect(forCursor.mcpServers.helve).toEqual({
      url: `${ground.url}/mcp/helper`,
      headers: { Authorization: `Bearer ${secret}` },
    });
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit.use('Copy: Token');
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    // Browsers offer no clipboard to pages that came over HTTP from another machine.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await visit.use('Copy: Token');
    await page.getByText('The text is selected: copy it yourself.').waitFor();
    expect(await page.evaluate(() => String(getSelection()))).toBe(secret);
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ tool: 'echo', input: {} });
    const called = await fetch(`${ground.url}/api/tools/execute`, { method: 'POST', headers, body });
    expect(called.status).toBe(200);
    await visit.open('');
    await page.getByRole('list', { name: 'Calls' }).getByRole('link', { name: /echo/ }).waitFor();
    await visit.end();
    // The token was shown once: it is nowhere on the page afterwards.
    const other = await ground.visit('admin');
    await other.open('agents/helper/access');
    await other.page.getByText('helve_agent_').first().waitFor();
    expect(await other.page.content()).not.toContain(secret);
    await other.end();
  });
});

describe('choosing tools', () => {
  test('R-panel R-grants: what is granted over two accounts is what the model is offered', async () => {
    const visit = await start({ toolkits: [vault], connections: [safe('Work safe'), safe('Home safe')] });
    const { page } = visit;
    await visit.open('agents/tester/tools');
    for (const name of ['Work safe', 'Home safe']) await visit.use(name);
    await page.getByText('+2 −0').waitFor();
    await visit.use('Review 2 changes');
    await page.getByRole('dialog').getByText('work-safe').waitFor();
    await visit.use('Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await listOffered('tester')).toEqual(['home-safe__open_vault', 'work-safe__open_vault']);
    await visit.use('What it can do');
    for (const slug of ['home-safe', 'work-safe'])
      await page
        .getByRole('link', { name: `${slug} open_vault` })
        .or(page.getByRole('link', { name: `${slug}open_vault` }))
        .waitFor();
    await visit.end();
  });

  test('R-panel R-grants: of 1,059 tools exactly the ones that only read are chosen, with one box', async () => {
    const tools = Array.from({ length: 1_059 }, (_, at) =>
      testTool({ name: `tool_${at}`, ...(at % 3 === 0 ? { annotations: readOnly } : {}) }),
    );
    const visit = await start({ tools });
    const { page } = visit;
    await visit.open('agents/tester/tools');
    await visit.use(/^.*: read$/);
    await page.getByText('+353 −0').waitFor();
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3_000);
    // Searching loses nothing of the selection.
    await visit.type('Filter', 'tool_1058');
    await page.getByText('+353 −0').waitFor();
    await visit.use(/^tool_1058/);
    await page.getByText('+354 −0').waitFor();
    await visit.use(/^Review/);
    await visit.use('Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const expected = tools.filter(({ name }, at) => at % 3 === 0 || name === 'tool_1058').map(({ name }) => name);
    const { grants } = await ground.helve.plane.grantCatalogue(ground.helve.admin, 'tester');
    expect(grants.flatMap((grant) => grant.tools).sort()).toEqual(expected.sort());
    await visit.end();
  });

  test('R-panel R-grants: of two operators who save, the second overwrites nothing and is told', async () => {
    const visit = await start({ tools: ['one', 'two', 'three'].map((name) => testTool({ name })) });
    const other = await ground.visit('admin');
    other.tolerate(/412/);
    for (const each of [visit, other]) await each.open('agents/tester/tools');
    await other.use(/^two/);
    await visit.use(/^one/);
    await visit.use(/^Review/);
    await visit.use('Save');
    await visit.page.getByRole('dialog').waitFor({ state: 'detached' });
    await other.use(/^Review/);
    await other.use('Save');
    await other.page.getByText(/Someone else has changed these tools/).waitFor();
    const granted = async () => {
      const { grants } = await ground.helve.plane.grantCatalogue(ground.helve.admin, 'tester');
      return grants.flatMap((grant) => grant.tools).sort();
    };
    expect(await granted()).toEqual(['one']);
    await other.use('Reload');
    await other.use(/^two/);
    await other.use(/^Review/);
    await other.use('Save');
    await other.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await granted()).toEqual(['one', 'two']);
    await Promise.all([visit.end(), other.end()]);
  });

  test('R-panel R-grants: giving a private account to an agent is said before it is saved', async () => {
    const visit = await start({ toolkits: [vault] });
    const { page } = visit;
    await visit.open('connections/connect/vault');
    await visit.type(/^Name/, 'Diary');
    await visit.type(/^Token/, 'canary');
    await visit.use('Connect');
    await page.getByText('active', { exact: true }).waitFor();
    await visit.open('agents/tester/tools');
    await visit.use('Diary');
    await visit.use(/^Review/);
    await page.getByText('“Diary” is private: tester uses it only when it acts for its owner.').waitFor();
    await visit.end();
  });
});

describe('answers', () => {
  test('R-panel R-explain: from a refused call to why, to the grant, to the same call running', async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' }), testTool({ name: 'other' })], granted: ['other'] });
    const { page } = visit;
    const refused = await ground.helve.call('echo', { word: 'again' });
    expect(refused).toMatchObject({ ok: false, rule: 'grant.tools' });
    await visit.open('calls');
    await visit.use(/refused.*echo/s);
    await page.getByText('would be refused').waitFor();
    await visit.use('Give it to the agent');
    await page.getByRole('heading', { name: 'tester' }).waitFor();
    await visit.use(/^echo/);
    await visit.use('Review 1 change');
    await visit.use('Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByText('would run').waitFor();
    expect(await ground.helve.call('echo', { word: 'again' })).toMatchObject({ ok: true });
    await visit.end();
  });

  test('R-panel R-explain: a call says with which account it was made, and what would happen to it now with that account', async () => {
    const visit = await start({ toolkits: [vault], connections: [safe('Europe'), safe('America')] });
    const { page } = visit;
    const { helve } = ground;
    const accounts = [];
    for (const slug of ['europe', 'america']) accounts.push((await helve.plane.connection(helve.admin, slug)).id);
    await helve.plane.changeGrants(helve.admin, 'tester', {
      add: [{ tools: ['europe__open_vault', 'america__open_vault'] }],
    });
    expect(await helve.call('america__open_vault', { shelf: 'low' })).toMatchObject({ ok: true });
    await visit.open('calls');
    await visit.use(/ok.*open/is);
    await page.getByText('It is the tool america__open_vault').waitFor();
    await page.getByText('would run').waitFor();
    expect(await page.getByRole('link', { name: 'america', exact: true }).getAttribute('href')).toContain(accounts[1]);
    await visit.use('Change it and ask again');
    await page.getByText('It is the tool america__open_vault').waitFor();
    await visit.type(/^Arguments/, '{ "shelf": "top" }');
    await visit.use('Ask');
    await page.waitForURL('**input=**top**');
    await page.getByText('It is the tool america__open_vault').waitFor();
    await visit.end();
  });

  test('R-panel R-explain: while a question is asked, the answer to the one before is not shown', async () => {
    const visit = await start({ tools: [testTool({ name: 'one' }), testTool({ name: 'two' })], granted: ['one'] });
    const { page } = visit;
    await visit.open('find/explain?agent=tester&tool=one');
    await page.getByText('would run').waitFor();
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/explain', async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest('**/api/explain');
    await visit.type('Tool', 'two');
    await visit.use('Ask');
    await asked;
    await page.getByRole('status', { name: 'Loading…' }).waitFor({ state: 'attached' });
    expect(await page.getByText('would run').count()).toBe(0);
    release?.();
    await page.getByText('would be refused').waitFor();
    await visit.end();
  });

  test('R-panel R-explain: what a rule would have done to the recorded calls is what the pipeline then does', async () => {
    const visit = await start({
      tools: [testTool({ name: 'echo' }), testTool({ name: 'other' })],
      granted: ['echo', 'other'],
    });
    const { page } = visit;
    visit.tolerate(/policies/);
    for (const n of [1, 2, 3]) await ground.helve.call('echo', { n });
    await ground.helve.call('other', {});
    await visit.open('settings/policies');
    await visit.use('Add a rule');
    await visit.type('Tools, separated by commas', 'echo');
    await visit.choose('Then', 'refuse');
    await visit.type('Short name of the rule', 'no-echo');
    await visit.use('Add it to the text below');
    const save = page.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await visit.use('What would it have done?');
    await page.getByText('Newly refused: 3').waitFor();
    await page.getByText('The same: 1').waitFor();
    await visit.use('Save');
    await page.getByRole('listitem').filter({ hasText: 'no-echo' }).first().waitFor();
    expect(await ground.helve.call('echo', { n: 1 })).toMatchObject({ ok: false, rule: 'policy:no-echo' });
    expect(await ground.helve.call('other', {})).toMatchObject({ ok: true });
    await visit.end();
  });

  test('R-panel: rules that are written are kept when somebody else saves theirs, and overwrite nothing', async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' })] });
    const { page } = visit;
    const { plane, admin } = ground.helve;
    const editor = page.getByRole('textbox', { name: /JSON/ });
    await visit.open('settings/policies');
    // Without anything of one's own the other rules are simply shown.
    await editor.waitFor();
    await plane.replacePolicies(admin, [{ id: 'first-rule', effect: 'deny', when: { tools: ['echo'] } }]);
    await expect.poll(() => editor.inputValue()).toContain('first-rule');
    await editor.fill('[{"id":"mine","effect":"deny","when":{}}]');
    await plane.replacePolicies(admin, [{ id: 'second-rule', effect: 'deny', when: { tools: ['echo'] } }]);
    await page.getByText(/^Somebody has changed the rules meanwhile/).waitFor();
    expect(await editor.inputValue()).toContain('mine');
    await visit.use('What would it have done?');
    await page.getByText(/^Newly refused/).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await visit.use('Discard');
    expect(await editor.inputValue()).toContain('second-rule');
    expect(await page.getByText(/^Somebody has changed the rules meanwhile/).count()).toBe(0);
    await visit.end();
  });

  test('R-panel: saving an agent’s new name does not undo what somebody else has changed of it meanwhile', async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' })] });
    const { plane, admin } = ground.helve;
    await visit.open('agents/tester/settings');
    await visit.page.getByLabel('Name', { exact: true }).waitFor();
    await plane.changeAgent(admin, 'tester', { toolMode: 'code' });
    await visit.page.getByLabel('Name', { exact: true }).fill('Renamed');
    await visit.use('Save');
    await visit.page.getByText('Saved.').waitFor();
    const agents = await plane.agents(admin);
    expect(agents.find(({ slug }) => slug === 'tester')).toMatchObject({ name: 'Renamed', toolMode: 'code' });
    await visit.end();
  });
});
