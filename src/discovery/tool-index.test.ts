/** The index over a small catalogue: words, apps, names, changes, snapshots. */
import { expect, it } from 'vitest';
import { toCodeName, toComposioName, toLegacyId, toModelName } from '../domain/naming/index.js';
import { createToolIndex, type DiscoveredTool } from './index.js';

const tool = (toolkit: string, name: string, description = '', toolkitName = toolkit): DiscoveredTool => ({
  id: `${toolkit}/${name}`,
  toolkit,
  toolkitName,
  name,
  description,
});
const tools = [
  tool('github', 'create_issue', 'Opens a new issue in a repository', 'GitHub'),
  tool('github', 'list_issues', 'Lists the issues of a repository', 'GitHub'),
  tool('github', 'delete_repository', 'Deletes a repository for ever', 'GitHub'),
  tool('linear', 'create_issue', 'Creates an issue in a team', 'Linear'),
  tool('linear', 'list_projects', 'Lists projects', 'Linear'),
  tool('gmail', 'send_email', 'Sends a message', 'Gmail'),
  tool('gmail', 'fetch_emails', 'Fetches messages of the mailbox', 'Gmail'),
  tool('math', 'calculate', 'Evaluates an expression', 'Math'),
  tool('regression', 'fit_linear_model', 'Fits a linear model to points', 'Regression'),
  tool('graphs', 'draw_linear_axis', 'Draws a linear axis', 'Graphs'),
  tool('signals', 'apply_linear_filter', 'Applies a linear filter', 'Signals'),
];
const make = () => createToolIndex(tools);
const ids = (found: { hits: readonly { id: string }[] }) => found.hits.map(({ id }) => id);

it('R-registry: a request finds the tool that does it, not one that does the opposite', async () => {
  const index = await make();
  expect(ids(index.search('make a new issue in GitHub'))[0]).toBe('github/create_issue');
  expect(ids(index.search('show all issues in GitHub'))[0]).toBe('github/list_issues');
  expect(ids(index.search('remove a repo from GitHub'))[0]).toBe('github/delete_repository');
  expect(ids(index.search('read my mail'))[0]).toBe('gmail/fetch_emails');
});

it('R-registry: an app with an ordinary word as its name is recognised when it is written as a name', async () => {
  const index = await make();
  expect(ids(index.search('create an issue in Linear'))[0]).toBe('linear/create_issue');
  const [first] = index.search('fit a linear model').hits;
  expect(first?.id).toBe('regression/fit_linear_model');
  expect(first?.why ?? []).not.toContain('app linear');
});

it('R-registry: every written form of a name is found first, and only in the toolkits allowed', async () => {
  const index = await make();
  for (const { id, toolkit, name } of tools.slice(0, 7)) {
    const own = { toolkit, name };
    for (const form of [toComposioName(own), toLegacyId(own), toCodeName(own), toModelName(own, `work-${toolkit}`)]) {
      const [hit] = index.search(`please use ${form} now`).hits;
      expect([hit?.id, hit?.why?.[0]], form).toEqual([id, 'exact name']);
    }
  }
  expect(ids(index.search('GITHUB_CREATE_ISSUE', { toolkits: ['gmail'] }))).not.toContain('github/create_issue');
  expect(index.search('GITHUB_CREATE_ISSUE', { toolkits: [] }).hits).toEqual([]);
});

it('R-registry: one typing error in a name is forgiven, two are not, and ordinary words are not names', async () => {
  const index = await make();
  for (const form of ['GITHUB_CREATE_ISUE', 'GITHUB_CRAETE_ISSUE', 'GITHUB_CREATEX_ISSUE', 'github.createIssuf']) {
    const [hit] = index.search(form).hits;
    expect([hit?.id, hit?.why?.[0]], form).toEqual(['github/create_issue', 'name but for one letter']);
  }
  for (const text of ['GITHUB_CRXXTE_ISSUE', 'calculate the sum of a list', 'create issue list', 'GitHub', 'e-mail'])
    for (const { why } of index.search(text).hits) expect(why ?? [], text).not.toContain('exact name');
});

it('R-registry: what is in use ranks higher, and hides nothing', async () => {
  const index = await make();
  for (const toolkit of ['github', 'linear']) {
    const found = ids(index.search('create an issue', { context: { granted: [toolkit], connected: [toolkit] } }));
    expect(found[0]).toBe(`${toolkit}/create_issue`);
    expect(found).toContain('github/create_issue');
    expect(found).toContain('linear/create_issue');
  }
});

it('R-registry: says when nothing fits, and which words matched nothing', async () => {
  const index = await make();
  const found = index.search('knit a woollen sweater');
  // Without a word in common a tool may still mean the same, so this is less certain, not impossible.
  expect(found.answer).not.toBe('these');
  expect(found.unmatched).toEqual(['knit', 'woollen', 'sweater']);
  expect(index.search('send an email').abstained).toBe(false);
  for (const odd of ['', ' ', '\ud800', '___', '`', 'x'.repeat(20_000)]) expect(index.search(odd).abstained).toBe(true);
});

it('R-registry: an app is added, replaced and removed; a tool that occurs twice is refused', async () => {
  const index = await make();
  await index.add([tool('knitting', 'knit_sweater', 'Knits')]);
  expect(ids(index.search('knit a sweater'))[0]).toBe('knitting/knit_sweater');
  await index.add([tool('knitting', 'unravel_scarf', 'Undoes')]);
  expect(index.search('KNITTING_KNIT_SWEATER').hits.filter(({ id }) => id === 'knitting/knit_sweater')).toEqual([]);
  expect(index.size).toBe(tools.length + 1);
  expect([index.remove('knitting'), index.remove('knitting'), index.size]).toEqual([true, false, tools.length]);
  const left = index.search('unravel a scarf');
  expect(left.answer).not.toBe('these');
  expect(ids(left).filter((id) => id.startsWith('knitting/'))).toEqual([]);
  const twice = tool('a', 'b');
  await expect(index.add([twice, twice])).rejects.toMatchObject({ code: 'invalid_input' });
});

it('R-registry: a snapshot gives the same results as the index; a truncated or altered one is refused and changes nothing', async () => {
  const index = await make();
  const snapshot = await index.save();
  const other = await createToolIndex([]);
  await other.load(snapshot);
  for (const text of ['make a new issue in GitHub', 'GITHUB_CREATE_ISUE', 'send mail', 'linear'])
    expect(other.search(text)).toEqual(index.search(text));
  const kept = await make();
  for (const broken of [new Uint8Array(), snapshot.slice(0, -3), snapshot.slice(5), new Uint8Array(64)])
    await expect(kept.load(broken)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(kept.size).toBe(tools.length);
});
