/** Names of apps that are in no catalogue. */
import { expect, it } from 'vitest';
import { createWellKnownApps } from './well-known.js';

const apps = createWellKnownApps();
const named = (text: string) => apps.find(text).map(({ name }) => name);

it('R-abstain: an app is named in small letters, by two words, or by a short form', () => {
  expect(named('open a ticket in jira')).toEqual(['Jira']);
  expect(named('whatsapp mum that I am late')).toEqual(['WhatsApp']);
  expect(apps.find('add a row to my google sheet')).toEqual([
    { name: 'Google Sheets', suite: 'Google Workspace', words: ['google', 'sheet'] },
  ]);
  expect(apps.find('a meeting in gcal')[0]).toMatchObject({ name: 'Google Calendar', words: ['gcal'] });
  expect(named('post it in ms teams and in my gdocs')).toEqual(['Microsoft Teams', 'Google Docs']);
  expect(named('copy the trello card to asana')).toEqual(['Trello', 'Asana']);
});

it('R-abstain: what a text is about is not where something is done', () => {
  for (const text of ['news about salesforce', 'write a page about how trello works', 'a list called Dropbox'])
    expect(named(text), text).toEqual([]);
  expect(named('write about it in Trello')).toEqual(['Trello']);
});

it('R-abstain: a word of the language is a name only where it stands like one', () => {
  for (const text of [
    'what is on my outlook calendar',
    'start a zoom meeting',
    'post it in slack',
    'from notion pages',
  ])
    expect(named(text), text).toHaveLength(1);
  for (const text of ['what is the outlook for tomorrow', 'zoom in on it', 'cut me some slack', 'i have a notion'])
    expect(named(text), text).toEqual([]);
});
