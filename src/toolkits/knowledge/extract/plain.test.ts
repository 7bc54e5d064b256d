import { expect, test } from 'vitest';
import { extractCsv } from './plain.js';

test('R-knowledge: a quote in CSV that never closes is an error that names its line', () => {
  const text = 'name,remark\n"a","two\nlines"\nb,"never closed\nc,d\n';
  expect(() => extractCsv(text)).toThrow(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('line 4') }),
  );
  expect(() => extractCsv(text.replace('closed\n', 'closed"\n'))).not.toThrow();
});

test('R-knowledge: in CSV a doubled quote, and one inside a field, close nothing', () => {
  const texts = extractCsv('name,height\n"5"" nail",5" tall\n').elements.map(({ text }) => text);
  expect(texts.join('\n')).toContain('5" nail');
  expect(texts.join('\n')).toContain('5" tall');
});
