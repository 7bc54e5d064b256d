/** Requests with several acts: each has its best hit early, and says which it is. With the shipped weights. */
import { expect, it } from 'vitest';
import { createToolIndex } from './index.js';
import { tools } from './tests/translated-requests.js';

const index = await createToolIndex(tools);

it('R-tiers: each act of a request has its best hit first, and the hits say which act they serve', () => {
  const found = index.search('create an invoice for the customer and upload the file to the folder');
  expect(found.acts.map(({ text }) => text)).toEqual([
    'create an invoice for the customer',
    'upload the file to the folder',
  ]);
  const first = found.hits.slice(0, 2).map(({ id, act }) => [id, act]);
  expect(new Map(first as [string, number][])).toEqual(
    new Map([
      ['Billwise/create_invoice', 1],
      ['Foldery/upload_file', 2],
    ]),
  );
  expect(found.acts.every(({ answer }) => answer !== 'nothing')).toBe(true);
});

it('R-tiers: in German, too, and what `it` means is taken from the act before', () => {
  const german = index.search('Lege eine Aufgabe im Projekt an und lösche die E-Mail von gestern');
  expect(
    german.hits
      .slice(0, 2)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['Postino/delete_email', 'Tasklet/create_task']);
  const pronoun = index.search('search the files for the contract and rename it');
  expect(
    pronoun.hits
      .slice(0, 2)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['Foldery/rename_file', 'Foldery/search_files']);
});

it('R-tiers: a request with one act is answered as before, and its hits name no act', () => {
  const found = index.search('create an invoice for the customer');
  expect(found.acts).toEqual([]);
  expect(found.hits.every(({ act }) => act === undefined)).toBe(true);
});

it('R-tiers: an act that no tool serves is told apart, and the limit holds', () => {
  const found = index.search('create an invoice for the customer and water the tomatoes on the balcony', { limit: 3 });
  expect(found.hits).toHaveLength(3);
  expect(found.hits[0]?.id).toBe('Billwise/create_invoice');
  expect(found.abstained).toBe(false);
});
