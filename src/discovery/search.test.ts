/** Results of a search: its tiers, tools in use, and when nothing matches. With the shipped weights. */
import { expect, it } from 'vitest';
import { createToolIndex, type DiscoveredTool } from './index.js';
import { loadRanker } from './rank/ranker.js';
import { byWordsAlone } from './tests/by-words-alone.js';
import { stem } from './text/stem.js';
import { verbMask } from './text/verbs.js';

const tool = (toolkit: string, name: string, description: string): DiscoveredTool => ({
  id: `${toolkit}/${name}`,
  toolkit,
  toolkitName: toolkit,
  name,
  description,
});
const apps = ['Github', 'Gitlab', 'Bitbucket'].flatMap((app) => [
  tool(app, 'create_issue', 'Opens a new issue in a repository'),
  tool(app, 'list_issues', 'Lists the issues of a repository'),
  tool(app, 'delete_issue', 'Deletes an issue'),
  tool(app, 'create_pull_request', 'Opens a pull request from one branch into another'),
]);
const tools = [
  ...apps,
  tool('Gmail', 'send_email', 'Sends a message to one or several people'),
  tool('Gmail', 'create_label', 'Makes a label for messages'),
];
const index = await createToolIndex(tools);

it('R-tiers: a named tool ends the search; words are searched by meaning; no match falls back', () => {
  const named = index.search('please run GITHUB_CREATE_ISSUE about the login');
  expect([named.tier, named.hits.map(({ id }) => id)]).toEqual(['exact', ['Github/create_issue']]);
  const asked = index.search('open an issue in Gitlab');
  expect([asked.tier, asked.hits[0]?.id, asked.abstained]).toEqual(['semantic', 'Gitlab/create_issue', false]);
  const nothing = index.search('zzxq qqvw', { toolkits: ['Gmail'] });
  expect([nothing.tier, nothing.abstained, nothing.unmatched]).toEqual(['fallback', true, ['zzxq', 'qqvw']]);
  expect(nothing.hits.map(({ id }) => id).sort()).toEqual(['Gmail/create_label', 'Gmail/send_email']);
});

it('R-tiers: no text breaks a search, and only the first 8,000 characters of a long one are read', () => {
  for (const text of ['', '   ', '\u0000', '😀'.repeat(50), 'a_'.repeat(60_000), '"`\'(('.repeat(500)])
    expect(() => index.search(text)).not.toThrow();
  expect(index.search(`${'word '.repeat(2_000)} GITHUB_CREATE_ISSUE`).tier).not.toBe('exact');
});

it('R-abstain: nothing is offered in place of an app that is named but not allowed', () => {
  const toolkits = ['Gmail', 'Gitlab'];
  const missing = index.search('create an issue in Github', { toolkits });
  expect(missing).toMatchObject({ answer: 'nothing', abstained: true, hits: [], missing: ['Github'] });
  expect(index.search('create an issue in Gitlab', { toolkits }).hits[0]?.id).toBe('Gitlab/create_issue');
  expect(index.search('copy the issue from Github to Gitlab', { toolkits }).hits).not.toEqual([]);
  // Toolkits that the caller may not know of are not spoken of.
  expect(index.search('create an issue in Github', { toolkits, known: [] })).toMatchObject({
    missing: [],
    answer: 'these',
  });
  expect(index.named('create an issue in Github', () => true)).toEqual(['Github']);
  expect(index.named('create an issue', () => true)).toEqual([]);
});

it('R-abstain: a tool that has the name of a missing app in its own is offered, if it does what is asked', async () => {
  const others = [
    ...tools,
    tool('Mirror', 'delete_github_issue', 'Deletes an issue'),
    tool('Mirror', 'send_report', 'Sends a report'),
  ];
  const real = await createToolIndex(others);
  const answer = (text: string) => real.search(text, { toolkits: ['Mirror', 'Gmail'] });
  const offered = answer('delete an issue in Github');
  expect([offered.missing, offered.hits[0]?.id]).toEqual([[], 'Mirror/delete_github_issue']);
  expect(answer('create an issue in Github')).toMatchObject({ missing: ['Github'], hits: [] });
});

it('R-abstain: a tool speaks of a missing app by whole words, and serves it only by what the request is about', async () => {
  const named = (toolkit: string, name: string) => tool(toolkit, name, '');
  const real = await createToolIndex([
    named('Canva', 'create_design'),
    named('Canvas', 'create_design'),
    named('Stripe', 'confirm_payment'),
    named('Booker', 'check_stripe_status'),
    named('Books', 'list_payments'),
    named('SharePoint', 'list_folders'),
    named('Office', 'list_share_point_folders'),
  ]);
  const without = (app: string, text: string) =>
    real.search(text, { toolkits: ['Canvas', 'Booker', 'Books', 'Office'].filter((one) => one !== app) });
  expect(without('Canva', 'create a design in Canva')).toMatchObject({ missing: ['Canva'], hits: [] });
  expect(without('Stripe', 'confirm a payment in Stripe')).toMatchObject({ missing: ['Stripe'], hits: [] });
  expect(without('Stripe', 'check the status in Stripe').hits[0]?.id).toBe('Booker/check_stripe_status');
  expect(without('SharePoint', 'list the folders in SharePoint').hits[0]?.id).toBe('Office/list_share_point_folders');
});

it('R-abstain: of a request in another language that could not be read, nothing is said but that it may fit', () => {
  const toolkits = ['Gmail'];
  const unread = index.search('wer hat die Kirschkerne gezuckert?', { toolkits });
  expect([unread.tier, unread.answer, unread.hits.length]).toEqual(['fallback', 'perhaps', 2]);
  // No tool can be shown.
  expect(index.search('wer hat die Kirschkerne gezuckert?').answer).toBe('nothing');
});

it('R-abstain: tools in use come first, unless another app is named', () => {
  for (const app of ['Github', 'Gitlab', 'Bitbucket']) {
    const context = { connected: [app] };
    expect(index.search('open a pull request', { context }).hits[0]?.id).toBe(`${app}/create_pull_request`);
    expect(index.search('open a pull request in Gitlab', { context }).hits[0]?.id).toBe('Gitlab/create_pull_request');
  }
});

it('R-tiers: a word that may be the name of an app is still searched in the tools of others', async () => {
  const catalogue = await createToolIndex([
    ...tools,
    tool('Weather Forecast', 'get_map', 'Draws a map'),
    tool('Weather Forecast', 'list_colours', 'Lists the colours of a map'),
    tool('Skyline', 'get_weather_forecast', 'Tells the weather of the next days in a city'),
  ]);
  expect(catalogue.search('get the weather forecast for tomorrow').hits[0]?.id).toBe('Skyline/get_weather_forecast');
  expect(catalogue.search('get a map from Weather Forecast').hits[0]?.id).toBe('Weather Forecast/get_map');
});

it('R-tiers: a verb with thousands of synonymous tools does not hide the tool with the right object', async () => {
  const common = Array.from({ length: 3_000 }, (_, at) => tool(`App ${at % 30}`, `get_item_${at}`, 'Gets one item'));
  const rare = [tool('Menu', 'show_dishes', 'Shows them'), tool('Plant', 'drain_gearbox', 'Lets the oil out')];
  const catalogue = await createToolIndex([...common, ...rare]);
  const ids = catalogue.search('show the gearbox').hits.map(({ id }) => id);
  expect(ids).toContain('Plant/drain_gearbox');
});

it('R-tiers: returns as many hits as requested, if there are enough', async () => {
  const many = Array.from({ length: 180 }, (_, at) => tool('Big', `paint_wall_${at}`, 'Paints a wall'));
  const catalogue = await createToolIndex([...tools, ...many]);
  expect(catalogue.search('paint the wall', { limit: 150 }).hits).toHaveLength(150);
});

it('R-capability: tools that do something else than requested come last, with a reason', () => {
  const { hits } = index.search('create an issue in Github');
  const others = hits.filter(({ why = [] }) => why.includes('another act'));
  expect(others.map(({ id }) => id)).toContain('Github/delete_issue');
  expect(hits.slice(-others.length)).toEqual(others);
});

it('R-capability: a tool is offered if the wording speaks for its act most, but destroys nothing without a verb for that', async () => {
  const likely = (...verbs: string[]) => {
    const mask = verbs.reduce((sum, verb) => sum | verbMask(stem(verb)), 0);
    const actBonus: typeof byWordsAlone.actBonus = (_, all) =>
      all.map(({ action }) => ((action & mask) === 0 ? 0 : 0.2));
    return createToolIndex(tools, { ranker: { ...byWordsAlone, actBonus } });
  };
  const whyOf = async (made: ReturnType<typeof likely>, id: string) =>
    (await made).search('move the issue in Github').hits.find((hit) => hit.id === id)?.why;
  expect(await whyOf(likely(), 'Github/create_issue')).toContain('another act');
  expect(await whyOf(likely('create'), 'Github/create_issue')).toContain('act by wording');
  expect(await whyOf(likely('delete'), 'Github/delete_issue')).toContain('another act');
});

it('R-tiers: the act that the wording speaks for moves the tools that do it up', async () => {
  const said: (readonly string[])[] = [];
  const creates = verbMask(stem('create'));
  const ranker: typeof byWordsAlone = {
    ...byWordsAlone,
    actBonus(stems, candidates) {
      said.push(stems);
      return candidates.map(({ action }) => ((action & creates) === 0 ? 0 : 9));
    },
  };
  const acts = await createToolIndex(tools, { ranker });
  const withoutActs = await createToolIndex(tools, { ranker: byWordsAlone });
  expect(withoutActs.search('the issue in Gitlab?').hits[0]?.id).not.toBe('Gitlab/create_issue');
  expect(acts.search('the issue in Gitlab?').hits[0]?.id).toBe('Gitlab/create_issue');
  // Names of apps are left out, and a question ends with its mark.
  expect(said).toEqual([['the', 'issu', 'in', '?']]);
});

it('R-tiers: the words of names that the wording speaks for move their tools up', async () => {
  const ranker: typeof byWordsAlone = {
    ...byWordsAlone,
    nameOdds: (_, all) => all.map((words) => (words.includes('creat') ? 9 : 0)),
  };
  const names = await createToolIndex(tools, { ranker });
  expect(names.search('the issue in Gitlab?').hits[0]?.id).toBe('Gitlab/create_issue');
});

it('R-capability: of several acts, the tool that does the first one comes first', async () => {
  const spaces = await createToolIndex([
    tool('Wiki', 'update_space', 'Changes a space'),
    tool('Wiki', 'create_space', 'Makes a space'),
    tool('Wiki', 'list_spaces', 'Lists the spaces'),
  ]);
  const first = (text: string) => spaces.search(text).hits[0]?.id;
  expect(first('list, inspect, or update spaces')).toBe('Wiki/list_spaces');
  expect(first('update spaces')).toBe('Wiki/update_space');
});

it('R-tiers: the tools of the app in which to do something come before all others; a mention is not such a place', async () => {
  const several = await createToolIndex([
    tool('Basecamp', 'get_project_people', 'Who may see it'),
    tool('Basecamp', 'list_project_people', 'Who takes part'),
    tool('Finder', 'find_projects', 'Find the target project'),
  ]);
  const apps = (text: string) => several.search(text).hits.map(({ id }) => id.split('/')[0]);
  expect(apps('find the target project in Basecamp')).toEqual(['Basecamp', 'Basecamp', 'Finder']);
  expect(apps('find the target project of the Basecamp team')[0]).toBe('Finder');
});

it('R-abstain: a text that reads like no request for a tool needs more than a small probability, for the tools of an app', async () => {
  const shipped = await loadRanker();
  const names = ['create_page', 'update_page', 'list_pages', 'search_pages', 'delete_page'];
  const answerOf = async (count: number, said: { wording: number; probability: number }) => {
    const ranker = { ...shipped, wording: () => said.wording, probability: () => said.probability };
    const some = names.slice(0, count).map((name) => tool('Notes', name, 'Pages of notes'));
    return (await createToolIndex(some, { ranker })).search('a page for dinner').answer;
  };
  expect(await answerOf(5, { wording: -2, probability: 0.1 })).toBe('nothing');
  expect(await answerOf(5, { wording: -2, probability: 0.2 })).toBe('perhaps');
  expect(await answerOf(5, { wording: 0, probability: 0.1 })).toBe('perhaps');
  // What people say to a toolkit of few tools is unknown.
  expect(await answerOf(4, { wording: -2, probability: 0.1 })).toBe('perhaps');
});

it('R-abstain: who searches a single toolkit with what reads like a request is told no only below a very small probability', async () => {
  const shipped = await loadRanker();
  const tools = ['Notes', 'Chat'].flatMap((app) => [
    tool(app, 'list_pages', 'Pages'),
    tool(app, 'create_page', 'Pages'),
  ]);
  const answerOf = async (said: { wording: number; probability: number }, toolkits?: readonly string[]) => {
    const ranker = { ...shipped, wording: () => said.wording, probability: () => said.probability };
    return (await createToolIndex(tools, { ranker })).search('a page for dinner', { toolkits }).answer;
  };
  const likely = { wording: 2, probability: 0.02 };
  expect(await answerOf(likely, ['Notes'])).toBe('perhaps');
  expect(await answerOf({ ...likely, probability: 0.005 }, ['Notes'])).toBe('nothing');
  expect(await answerOf({ ...likely, wording: 0.5 }, ['Notes'])).toBe('nothing');
  expect(await answerOf(likely, ['Notes', 'Chat'])).toBe('nothing');
  expect(await answerOf(likely)).toBe('nothing');
});
