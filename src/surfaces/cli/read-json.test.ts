import { expect, test } from 'vitest';
import { readJson } from './read-json.js';

const example = `helve call calculate '{"expression":"1 + 1"}'`;
const refused = (text: string) => {
  try {
    return readJson(text, 'The arguments', example);
  } catch (error) {
    return error;
  }
};

test('R-cli: JSON is read as it is', () => {
  expect(readJson('{"a":[1,null,"@x"]}', 'The arguments', example)).toEqual({ a: [1, null, '@x'] });
});

test.each<[string, RegExp]>([
  ['{expression:1}', /^The arguments: not JSON: Expected property name.* at character 2, before "expression:1}"$/],
  ['{"a":1}}', /: Unexpected non-whitespace character at character 8, before "}"$/],
  ['{"a":', /: it ends too early, after "\{\\"a\\":": a bracket or a quote is not closed$/],
  ['{"a":1', /: it ends too early/],
  ['{"a":e}', /: Unexpected token 'e'/],
  [' ', /: the text is empty$/],
])('R-cli: the error for %s says where it breaks, and how to quote it', (text, message) => {
  expect(refused(text)).toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(message),
    hint: `Quote it for your shell: ${example}`,
  });
});

test('R-cli: the name of a file instead of JSON is told how its content gets there', () => {
  expect(refused('@input.json')).toMatchObject({
    message: 'The arguments: not JSON: "@input.json" names a file',
    hint: expect.stringContaining('"$(cat input.json)"'),
  });
});
