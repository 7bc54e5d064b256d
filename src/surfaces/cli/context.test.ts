import { Command } from 'commander';
import { expect, test } from 'vitest';
import { agentBody } from '../../api/index.js';
import { readShape } from '../../api/read-shape.js';
import { HelveError } from '../../domain/errors.js';
import { asTyped } from './context.js';

const command = new Command('helve').command('agents').command('create');

test('R-cli: a field that does not fit is named without the request around it', () => {
  const sent = (): unknown => {
    try {
      return readShape(agentBody, { slug: 7, name: '' }, { part: 'body', hint: 'For programs.' });
    } catch (error) {
      return asTyped(error, command);
    }
  };
  expect(sent()).toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/^slug: [^;]+; name: [^;]+$/),
    hint: 'For help: helve agents create --help',
  });
});

test.each([
  ['add/0/tools/0: there is no tool, toolkit or account "calculte"', 'There is no tool, toolkit or account "calculte"'],
  ['remove/0: no tool meets all of its conditions', 'No tool meets all of its conditions'],
  ['policies/12/when/tools/3: there is no tool "x"', 'There is no tool "x"'],
  ['policies/1/when/arguments: none of the tools takes it', 'None of the tools takes it'],
  ['add/0 and more: is kept', 'add/0 and more: is kept'],
  ['The file add/0/tools/0: is kept', 'The file add/0/tools/0: is kept'],
])('R-cli: %s is told without the place in the request', (message, told) => {
  const error = new HelveError('invalid_input', message, { hint: 'Did you mean calculate?' });
  expect(asTyped(error, command)).toMatchObject({ message: told, hint: 'Did you mean calculate?' });
});

test('R-cli: other errors stay as they are', () => {
  for (const error of [new HelveError('conflict', 'add/0: no'), new TypeError('add/0: no')])
    expect(asTyped(error, command)).toBe(error);
});
