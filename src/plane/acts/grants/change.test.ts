/** Grants selected by properties of tools: what each selection means, what stays, and what is refused. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GrantChoice } from '../../../domain/grant.js';
import { defineToolkit } from '../../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const tool = (name: string, more: Partial<Parameters<typeof testTool>[0]> = {}) => testTool({ name, ...more });
const post = (tools: ReturnType<typeof tool>[]) =>
  defineToolkit({
    slug: 'post',
    title: 'Post',
    description: 'For tests',
    category: 'tests',
    auth: {
      schemes: [
        { id: 'token', kind: 'api_key', title: 'Token', fields: [{ name: 'token', title: 'T', secret: true }] },
      ],
    },
    load: async () => tools,
  });
const first = [
  tool('list_letters', { annotations: reads, group: 'Letters', capabilities: ['list letters'] }),
  tool('list_stamps', { annotations: reads, group: 'Stamps', capabilities: ['list stamps'] }),
  tool('send_letter', { group: 'Letters', capabilities: ['send letter', 'send message'] }),
  tool('burn_letter', { group: 'Letters', risk: 'destructive', capabilities: ['burn letter'] }),
];
const local = [tool('look', { annotations: reads }), tool('move')];

let helve: TestHelve;
beforeEach(async () => {
  helve = await createTestHelve({
    nativeToolkits: [],
    toolkits: [
      post(first),
      defineToolkit({
        slug: 'house',
        title: 'House',
        description: 'For tests',
        category: 'tests',
        load: async () => local,
      }),
    ],
    connections: [
      { toolkit: 'post', name: 'Work Post', credentials: { token: 'a' } },
      { toolkit: 'post', name: 'Home', credentials: { token: 'b' } },
    ],
    granted: [],
  });
});
afterEach(() => helve.close());

const held = async () => {
  const { entries } = await helve.plane.grantCatalogue(helve.admin, 'tester');
  return entries
    .flatMap(({ tools }) => tools.filter(({ granted }) => granted).map(({ modelName }) => modelName))
    .sort();
};
const add = (...choices: GrantChoice[]) => helve.plane.changeGrants(helve.admin, 'tester', { add: choices });

const work = (...names: string[]) => names.map((name) => `work-post__${name}`);
const home = (...names: string[]) => names.map((name) => `home__${name}`);
const all = ['burn_letter', 'list_letters', 'list_stamps', 'send_letter'];

describe('what a selection means', () => {
  test.each<[string, GrantChoice, string[]]>([
    ['the name that the model sees', { tools: ['work-post__send_letter'] }, work('send_letter')],
    [
      'another form, for every account',
      { tools: ['POST_SEND_LETTER'] },
      [...home('send_letter'), ...work('send_letter')],
    ],
    ['a bare name', { tools: ['look'] }, ['look']],
    ['a toolkit', { toolkit: 'house' }, ['look', 'move']],
    ['a toolkit, as a word', { tools: ['house'] }, ['look', 'move']],
    ['an account', { account: 'home' }, home(...all)],
    ['an account, as a word', { tools: ['home'] }, home(...all)],
    ['a group', { account: 'home', group: 'letters' }, home('burn_letter', 'list_letters', 'send_letter')],
    ['a capability', { account: 'home', capability: 'send message' }, home('send_letter')],
    ['a tier', { toolkit: 'house', risk: 'read' }, ['look']],
    ['a word and a tier', { tools: ['home'], risk: 'destructive' }, home('burn_letter')],
    ['a pattern', { tools: ['work-post__list_*'] }, work('list_letters', 'list_stamps')],
    ['a pattern of a toolkit', { tools: ['house.*'] }, ['look', 'move']],
    ['a pattern with two stars', { tools: ['h*__*_stamps'] }, home('list_stamps')],
    ['two words', { tools: ['look', 'home__list_*'] }, ['look', ...home('list_letters', 'list_stamps')].sort()],
  ])('R-grants: %s', async (_what, choice, expected) => {
    const { added, removed } = await add(choice);
    expect([[...added].sort(), removed]).toEqual([expected.toSorted(), []]);
    expect(await held()).toEqual(expected.toSorted());
  });

  test('R-grants: a pattern is stored as the tools that it matched, so that it does not grant later tools', async () => {
    const { grants } = await add({ tools: ['house.*'] });
    expect(grants).toMatchObject([{ toolkit: 'house', tools: ['look', 'move'] }]);
  });
});

describe('what is refused', () => {
  test.each<[string, GrantChoice, RegExp, RegExp]>([
    [
      'a pattern that matches nothing',
      { tools: ['look', 'home__sing_*'] },
      /add\/0\/tools\/1: the pattern "home__sing_\*"/,
      /helve grants/,
    ],
    [
      'a pattern that only begins like a name',
      { tools: ['loo'] },
      /there is no tool, toolkit or account "loo"/,
      /Did you mean look/,
    ],
    ['a name that is far from all', { tools: ['xylophone'] }, /there is no tool/, /There are .*look/],
    [
      'a tool of an account that does not exist',
      { tools: ['old-gmail__send_gmail_message'] },
      /there is no tool/,
      /^No account is named old-gmail: connect it first\. There are the accounts work-post, home\.$/,
    ],
    [
      'a tool that an account does not have',
      { tools: ['home__play_the_violin'] },
      /there is no tool/,
      /^There are home__list_letters, home__list_stamps, home__send_letter, home__burn_letter\.$/,
    ],
    ['no condition', {}, /names no tool/, /by tools, toolkit/],
    ['an unknown toolkit', { toolkit: 'garden' }, /no tool meets/, /There are the toolkits house, post/],
    [
      'an unknown account',
      { toolkit: 'post', account: 'x' },
      /no tool meets/,
      /There are the accounts home, work-post/,
    ],
    ['an unknown group', { toolkit: 'post', group: 'Parcels' }, /no tool meets/, /groups Letters, Stamps/],
    ['an unknown capability', { account: 'home', capability: 'sing' }, /no tool meets/, /burn letter, list letters/],
    ['a toolkit in other letters', { toolkit: 'House' }, /no tool meets/, /^Did you mean house\?$/],
    ['a mistyped account', { toolkit: 'post', account: 'work_post' }, /no tool meets/, /^Did you mean work-post\?$/],
    ['a mistyped group', { toolkit: 'post', group: 'Leters' }, /no tool meets/, /^Did you mean Letters\?$/],
    ['a mistyped capability', { capability: 'burn leter' }, /no tool meets/, /^Did you mean burn letter\?$/],
    [
      'a group without tools of that tier',
      { account: 'home', group: 'stamps', risk: 'destructive' },
      /no tool meets/,
      /Omit one/,
    ],
    ['conditions that exclude each other', { toolkit: 'house', risk: 'destructive' }, /no tool meets/, /Omit one/],
  ])('R-grants: %s, and nothing is granted', async (_what, choice, message, hint) => {
    await expect(add({ tools: ['look'] }, choice).then(() => 'granted')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(new RegExp(message.source.replace('add\\/0', 'add\\/1'))),
      hint: expect.stringMatching(hint),
    });
    expect(await held()).toEqual([]);
  });

  test('R-grants: an empty change, and a tool that is both added and removed', async () => {
    for (const changes of [{}, { add: [{ tools: ['look'] }], remove: [{ toolkit: 'house' }] }])
      await expect(helve.plane.changeGrants(helve.admin, 'tester', changes)).rejects.toMatchObject({
        code: 'invalid_input',
      });
    expect(await held()).toEqual([]);
  });
});

test('R-grants: unmentioned grants stay, with limits and configuration; removed ones lose theirs', async () => {
  const limits = { send_letter: { properties: { to: { const: 'ada' } } } };
  const { connectionId = '' } = (await helve.plane.grantCatalogue(helve.admin, 'tester')).entries[0] ?? {};
  await helve.plane.replaceGrants(helve.admin, 'tester', [
    { toolkit: 'post', connectionId, tools: ['send_letter', 'list_stamps'], limits, config: {} },
  ]);
  const { added, removed, grants } = await helve.plane.changeGrants(helve.admin, 'tester', {
    add: [{ tools: ['look', 'work-post__send_letter'] }],
    remove: [{ tools: ['work-post__list_*'] }],
  });
  expect([added, removed]).toEqual([['look'], work('list_stamps')]);
  expect(grants).toMatchObject([
    { tools: ['send_letter'], limits },
    { toolkit: 'house', tools: ['look'] },
  ]);
  // A limit is removed with its tool, even if other tools of the same grant stay.
  const narrower = await helve.plane.changeGrants(helve.admin, 'tester', {
    add: [{ tools: ['work-post__list_stamps'] }],
    remove: [{ tools: ['work-post__send_letter'] }],
  });
  expect(narrower.grants).toMatchObject([{ tools: ['list_stamps'] }, { toolkit: 'house' }]);
  expect(narrower.grants[0]?.limits).toEqual({});
  await helve.plane.changeGrants(helve.admin, 'tester', { remove: [{ toolkit: 'post' }] });
  expect(await held()).toEqual(['look']);
});

test('attack: the limit of a tool that is granted later is not lost by a change of other tools', async () => {
  const limits = { send_letter: { properties: { to: { const: 'ada' } } } };
  const { connectionId = '' } = (await helve.plane.grantCatalogue(helve.admin, 'tester')).entries[0] ?? {};
  await helve.plane.replaceGrants(helve.admin, 'tester', [
    { toolkit: 'post', connectionId, tools: ['list_letters'], limits, config: {} },
  ]);
  await add({ tools: ['work-post__list_stamps'] });
  const { grants } = await add({ tools: ['work-post__send_letter'] });
  expect(grants).toMatchObject([{ tools: ['list_letters', 'list_stamps', 'send_letter'], limits }]);
});
