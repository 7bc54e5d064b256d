import { expect, it } from 'vitest';
import { createAppNames } from '../apps/app-names.js';
import { createVocabulary } from '../postings/vocabulary.js';
import { verbNames } from '../text/verbs.js';
import { readQuery } from './read-query.js';

const reader = {
  vocabulary: createVocabulary(),
  apps: createAppNames(),
  isOrdinary: () => true,
  isEnglish: () => false,
  correct: () => undefined,
};
const asks = (text: string) => verbNames(readQuery(text, reader).action);

it.each([
  ['list the open issues', ['list']],
  ['get all invoices', ['list']],
  ['please create an issue', ['create']],
  ['find or update the contact', ['search', 'update']],
  ['the weather', []],
  ['what did I send to Bob?', ['list', 'get', 'search']],
  ['which branches were deleted?', ['list', 'get', 'search']],
  ['¿quién ha borrado la factura?', ['list', 'get', 'search']],
  ['delete what I have sent', ['delete']],
])('R-capability: %s asks for %j', (text, verbs) => {
  expect(asks(text)).toEqual(verbs);
});

it('R-capability: a verb that only people use expresses what they want, and a past participle expresses nothing', () => {
  expect(asks('Review changed files')).toEqual(['list', 'get']);
  expect(asks('Audit edit history for a page')).toEqual(['list', 'get']);
  expect(asks('Verify created folder')).toEqual(['list', 'get', 'search', 'validate']);
  expect(asks('the files changed in a pull request')).toEqual([]);
  expect(asks('status updates')).toEqual([]);
  expect(asks('Create a review')).toEqual(['create']);
});

it('R-capability: two words may be one verb, and a noun counts as a verb only before an article', () => {
  expect(asks('Set up webhook notifications')).toEqual(['create']);
  expect(asks('Set the topic of the channel')).toEqual(['update']);
  expect(asks('Turn off notifications')).toEqual(['disable']);
  expect(asks('Book a room')).toEqual(['create']);
  expect(asks('Book search')).toEqual(['search']);
});

it.each([
  ['find the design to export in a folder', ['export']],
  ['list my published videos', ['publish']],
  ['export the design to update the folder', []],
  ['get started', ['start']],
])('R-capability: in %j, the verbs %j count less: they say what a thing is for or what was done to it', (text, verbs) => {
  const light = readQuery(text, reader).words.filter(({ stemmed, weight }) => weight < 0.4 && stemmed !== 'my');
  expect(light.map(({ stemmed }) => stemmed)).toEqual(verbs);
});

it.each([
  ['list, create, or inspect the spaces', ['list']],
  ['create or send the invoice', ['create']],
  // Each of these acts is searched by itself.
  ['create the invoice and send it', []],
  ['find the ticket to update', ['search']],
  ['find or list the tickets', []],
  ['manage the labels', ['list', 'get', 'search']],
  ['please work with the boards', ['list', 'get', 'search']],
  ['update the label', []],
])('R-capability: of several acts or a vague one, %s begins with %j', (text, verbs) => {
  expect(verbNames(readQuery(text, reader).leading)).toEqual(verbs);
});
