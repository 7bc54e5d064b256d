/** Tools found by their names: all forms, typing errors, similar names, and words that are not names. */
import { expect, it } from 'vitest';
import { toCodeName, toComposioName, toLegacyId, toModelName } from '../../domain/naming/index.js';
import { createToolIndex, type DiscoveredTool } from '../index.js';
import { byWordsAlone } from '../tests/by-words-alone.js';
import { editBetween, isOneEditApart } from './distance.js';

const tool = (toolkit: string, name: string, id = `${toolkit}/${name}`): DiscoveredTool => ({ id, toolkit, name });
const make = (tools: readonly DiscoveredTool[]) => createToolIndex(tools, { ranker: byWordsAlone });
type Index = Awaited<ReturnType<typeof make>>;
const first = (index: Index, text: string) => {
  const [hit] = index.search(text).hits;
  return [hit?.id, hit?.why?.[0]];
};
const named = (index: Index, text: string, why = 'exact name') =>
  index
    .search(text)
    .hits.filter((hit) => hit.why?.[0] === why)
    .map(({ id }) => id);

const forms: Readonly<Record<string, readonly DiscoveredTool[]>> = {
  'the toolkit is in the name': ['GITHUB_CREATE_ISSUE', 'GITHUB_LIST_ISSUES', 'GITHUB_GET'].map((name) =>
    tool('GITHUB', name, name),
  ),
  'the name stands alone': ['create_issue', 'list_issues', 'get'].map((name) =>
    tool('github', name, `GITHUB_${name.toUpperCase()}`),
  ),
};
for (const [label, tools] of Object.entries(forms)) {
  it(`R-tiers: a name comes first at any position in a sentence (${label})`, async () => {
    const index = await make(tools);
    for (const { id } of tools) {
      const own = id.slice('GITHUB_'.length).toLowerCase();
      const sentences = [
        `Please run ${id} for the new report`,
        `${id} is to be called`,
        `we want to call ${id}.`,
        `call \`${id}\` twice`,
        `call "${id}", please`,
        `call '${id}' and “${id}”`,
        `the right one (${id})`,
        `**${id}**: run it!`,
        `please run ${id.toLowerCase()} now`,
        `run composio-github_${own} now`,
      ];
      for (const text of sentences) expect(first(index, text), text).toEqual([id, 'exact name']);
    }
    expect(named(index, 'Please run GITHUB_CLOSE_ISSUE for the new report')).toEqual([]);
  });
}

it('R-tiers: every form that a model or code uses leads back to its tool', async () => {
  const long = `list_${'very_'.repeat(20)}long_names`;
  const tools = [
    tool('gmail', 'send_email'),
    tool('gmail', long),
    tool('slack', 'send_message'),
    tool('slack', 'über_uns'),
  ];
  const index = await make(tools);
  for (const { id, toolkit, name } of tools) {
    const own = { toolkit, name };
    for (const form of [toComposioName(own), toLegacyId(own), toCodeName(own), toModelName(own, `work-${toolkit}`)])
      expect(first(index, `use ${form} now`), form).toEqual([id, 'exact name']);
  }
  expect(first(index, `use ${toModelName({ toolkit: 'gmail', name: `${long}_2` }, 'work-gmail')} now`)[1]).not.toBe(
    'exact name',
  );
});

it('R-tiers: one typing error at any place is forgiven, two are not', async () => {
  const index = await make([
    tool('GITHUB', 'GITHUB_CREATE_ISSUE', 'GITHUB_CREATE_ISSUE'),
    tool('linear', 'archive_team'),
  ]);
  for (const name of ['GITHUB_CREATE_ISSUE', 'LINEAR_ARCHIVE_TEAM']) {
    const id = name === 'LINEAR_ARCHIVE_TEAM' ? 'linear/archive_team' : name;
    for (let at = 0; at < name.length; at++) {
      const rest = name.slice(at + 1);
      const typos = [
        name.slice(0, at) + rest,
        `${name.slice(0, at)}X${name.slice(at)}`,
        `${name.slice(0, at)}X${rest}`,
        `${name.slice(0, at)}${rest[0] ?? ''}${name[at] ?? ''}${rest.slice(1)}`,
      ];
      for (const typo of typos) expect(first(index, `run ${typo} now`)[0], typo).toBe(id);
    }
    expect(named(index, `run X${name.slice(0, 8)}X${name.slice(8)} now`, 'name but for one letter')).toEqual([]);
  }
});

it('R-tiers: of several names one error away the most likely is chosen', async () => {
  const tools = ['GET_CARD', 'GET_CARDS', 'ATTEMPT_QUIZ', 'LIST_ATTEMPT', 'LIST_ATTEMPTS'].map((name) =>
    tool('breeze', name, `BREEZE_${name}`),
  );
  const index = await make(tools);
  expect(first(index, 'run BREEZE_GET_CARS now')[0]).toBe('BREEZE_GET_CARDS');
  expect(first(index, 'run BREEZE_LIST_ATTEMPST now')[0]).toBe('BREEZE_LIST_ATTEMPTS');
  // The complete name of one tool is never taken for a mistyped name of another.
  expect(named(index, 'run BREEZE_GET_CARD now')).toEqual(['BREEZE_GET_CARD']);
  expect(named(index, 'run BREEZE_GET_CARD now', 'name but for one letter')).toEqual([]);
});

it('R-tiers: of names with the same letters the one with the written spelling is first', async () => {
  const tools = ['list_teams', 'listTeams', 'list_te_ams', 'LIST_TEAMS'].map((name) => tool('crm', name));
  const index = await make(tools);
  for (const { id, name } of tools) {
    expect(first(index, `run \`${name}\``)[0]).toBe(id);
    expect(first(index, `run crm_${name} now`)[0]).toBe(id);
  }
  const twice = await make([
    tool('OUTLOOK', 'OUTLOOK_LIST_CONTACTS', 'OUTLOOK_LIST_CONTACTS'),
    tool('OUTLOOK', 'OUTLOOK_OUTLOOK_LIST_CONTACTS', 'OUTLOOK_OUTLOOK_LIST_CONTACTS'),
  ]);
  for (const id of ['OUTLOOK_LIST_CONTACTS', 'OUTLOOK_OUTLOOK_LIST_CONTACTS']) {
    expect(first(twice, `run ${id} now`)).toEqual([id, 'exact name']);
    expect(first(twice, `run ${id.replace('CONT', 'CNT')} now`)[0]).toBe(id);
  }
});

it('R-tiers: short names, digits, other scripts, names of apps and beginnings of other names', async () => {
  const tools = [
    tool('web', 'get'),
    tool('web', 'get_page'),
    tool('web', 'get_page_2'),
    tool('github', 'github'),
    tool('wetter', '获取_天气'),
    tool('wetter', 'größe_ändern'),
    tool('s3', 'put2'),
  ];
  const index = await make(tools);
  for (const [text, id] of [
    ['get', 'web/get'],
    ['call `get` first', 'web/get'],
    ['run web.get now', 'web/get'],
    ['run get_page now', 'web/get_page'],
    ['run WEB_GET_PAGE_2 now', 'web/get_page_2'],
    ['run github_github now', 'github/github'],
    ['use 获取_天气 now', 'wetter/获取_天气'],
    ['use Größe_Ändern now', 'wetter/größe_ändern'],
    ['run S3_PUT2.', 's3/put2'],
  ] as const)
    expect(first(index, text), text).toEqual([id, 'exact name']);
  for (const text of ['get the page of a site', 'please get it', 'what is new on GitHub today', 'put 2 things in'])
    expect(named(index, text), text).toEqual([]);
});

it('R-tiers: a name finds nothing outside the toolkits that may be used', async () => {
  const index = await make([
    tool('github', 'create_issue'),
    tool('linear', 'create_issue'),
    tool('gmail', 'send_email'),
  ]);
  for (const text of [
    'run GITHUB_CREATE_ISSUE',
    'run GITHUB_CRAETE_ISSUE',
    'run `create_issue`',
    'work__create_issue',
  ]) {
    const found = index.search(text, { toolkits: ['linear', 'gmail'] }).hits.map(({ id }) => id);
    expect(found, text).not.toContain('github/create_issue');
    expect(index.search(text, { toolkits: [] }).hits).toEqual([]);
  }
  expect(first(index, 'run github__create_issue')[0]).toBe('github/create_issue');
});

it('R-tiers: a text of only separators is read as fast as any other', async () => {
  const index = await make([tool('github', 'create_issue')]);
  for (const odd of ['a_'.repeat(20_000), '`'.repeat(5_000), 'x__y '.repeat(5_000), '_'.repeat(50_000)])
    expect(named(index, odd)).toEqual([]);
});

it('R-tiers: one error between two texts is identified, more than one is not', () => {
  expect(editBetween('isue', 'issue')).toBe('missing');
  expect(editBetween('isssue', 'issue')).toBe('added');
  expect(editBetween('ixsue', 'issue')).toBe('wrong');
  expect(editBetween('sisue', 'issue')).toBe('exchanged');
  for (const [one, other] of [
    ['issue', 'issue'],
    ['isu', 'issue'],
    ['xssuy', 'issue'],
    ['', 'ab'],
    ['abcd', 'badc'],
  ] as const)
    expect(isOneEditApart(one, other), one).toBe(false);
});
