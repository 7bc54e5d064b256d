/** Selecting among tools of several toolkits that share names, and by the ids of accounts. */
import { expect, test } from 'vitest';
import type { HelveError } from '../../../domain/errors.js';
import { chooseTools, type GrantableTool } from './select.js';

const grantable = (toolkit: string, name: string, account?: string): GrantableTool => ({
  toolkit,
  ...(account === undefined ? {} : { connectionId: `id-${account}`, slug: account }),
  tool: {
    modelName: account === undefined ? name : `${account}__${name}`,
    name,
    title: name,
    description: name,
    risk: 'read',
    capabilities: [],
    granted: false,
  },
});
const all = [
  grantable('letters', 'list_things', 'work'),
  grantable('letters', 'list_things', 'home'),
  grantable('parcels', 'list_things', 'depot'),
  grantable('letters', 'seal', 'work'),
];
const chosen = (choice: Parameters<typeof chooseTools>[1]) =>
  chooseTools(all, choice, 'add/0').map(({ tool }) => tool.modelName);

test('R-grants: a form that names a toolkit means the tool of that toolkit and no other with that name', () => {
  expect(chosen({ tools: ['letters.listThings'] })).toEqual(['work__list_things', 'home__list_things']);
  expect(chosen({ tools: ['PARCELS_LIST_THINGS'] })).toEqual(['depot__list_things']);
});

test('R-grants: a bare name means every tool of that name, in any toolkit', () => {
  expect(chosen({ tools: ['list_things'] })).toEqual(['work__list_things', 'home__list_things', 'depot__list_things']);
});

test('R-grants: an account is named by its slug or its id, as a condition and in the list of tools', () => {
  for (const choice of [{ account: 'work' }, { account: 'id-work' }, { tools: ['work'] }, { tools: ['id-work'] }])
    expect(chosen(choice)).toEqual(['work__list_things', 'work__seal']);
  expect(() => chosen({ account: 'id-nobody' })).toThrow('no tool meets all of its conditions');
});

test.each([
  ['work__*', ['work__list_things', 'work__seal']],
  ['*seal', ['work__seal']],
  ['w*__*l', ['work__seal']],
  ['letters.se*al', ['work__seal']],
  // Parts of a pattern do not share characters, and none of them is skipped.
  ['letters.se*eal', undefined],
  ['work__*x*seal', undefined],
  ['*seal*seal', undefined],
  ['work__*seal*x', undefined],
])('R-grants: the pattern %s means %j', (pattern, expected) => {
  if (expected) expect(chosen({ tools: [pattern] })).toEqual(expected);
  else expect(() => chosen({ tools: [pattern] })).toThrow('matches no tool');
});

test('R-grants: a refusal lists what the first condition that fails could have been, and suggests only names', () => {
  const refused = (choice: Parameters<typeof chooseTools>[1]) => {
    try {
      return chooseTools([...all, grantable('house', 'look')], choice, 'add/0');
    } catch (error) {
      return (error as HelveError).hint;
    }
  };
  expect(refused({ account: 'id-work', group: 'Letters' })).toBe('There are no groups.');
  expect(refused({ account: 'work', capability: 'sing' })).toBe('There are no capabilities.');
  expect(refused({ account: 'shed', group: 'Letters' })).toBe('There are the accounts depot, home, work.');
  expect(refused({ tools: ['x'] })).toMatch(/^There are work__list_things, /);
});
