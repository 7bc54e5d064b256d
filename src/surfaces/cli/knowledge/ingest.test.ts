import { expect, test } from 'vitest';
import { tellNotes } from './ingest.js';

test('R-knowledge: what could not be read of a file is told once for all files, with the first of them', () => {
  expect(
    tellNotes([
      { source: 'a.pdf', notes: ['Pictures are not read.', 'Page 2 has no text.'] },
      { source: 'b.pdf', notes: ['Pictures are not read.'] },
      { source: 'c.pdf', notes: ['Pictures are not read.'] },
    ]),
  ).toEqual(['a.pdf and 2 more: Pictures are not read.', 'a.pdf: Page 2 has no text.']);
  expect(tellNotes([])).toEqual([]);
});

test('R-knowledge: of many notes, the first are told and the rest are counted', () => {
  const notes = Array.from({ length: 25 }, (_, at) => `Page ${at} has no text.`);
  expect(tellNotes([{ source: 'a.pdf', notes }])).toHaveLength(21);
  expect(tellNotes([{ source: 'a.pdf', notes }]).at(-1)).toBe('5 more notes: see --json');
});
