import { beforeAll, describe, expect, test } from 'vitest';
import { type AdapterGround, openGround } from '../../tests/examples/ground.js';
import { type BoundTool, bindTools } from './bind-tools.js';
import { checkInput } from './check-input.js';

let helve: AdapterGround;
let awkward: BoundTool;
beforeAll(async () => {
  helve = await openGround();
  [awkward] = (await bindTools(helve, { principal: helve.principal, tools: ['awkward'] })) as [BoundTool];
});

describe('R-schema: arguments as the plane would judge them', () => {
  const inputs: readonly (readonly [string, unknown, boolean])[] = [
    ['what is right', { count: 3, when: null }, true],
    ['nothing, where a default fills what is required', undefined, true],
    ['null for all arguments', null, true],
    ['keys that frameworks inject, on a closed object', { count: 3, threadId: 't', memory: {} }, true],
    ['a wrong type', { count: '3' }, false],
    ['a key that nobody knows', { count: 3, other: 1 }, false],
    ['out of bounds', { count: 0 }, false],
    ['null for one argument', { count: null }, false],
    ['a list', [1], false],
    ['text', 'count=3', false],
  ];
  test.each(inputs)('R-schema: %s: both agree', async (_title, input, right) => {
    expect(checkInput(awkward, input).ok).toBe(right);
    expect((await awkward.call(input)).ok).toBe(right);
  });

  test('R-context: the arguments are passed on without injected keys, and without defaults', () => {
    const given = { labels: { a: 'b' }, runId: 'r' };
    expect(checkInput(awkward, given)).toEqual({ ok: true, value: { labels: { a: 'b' } } });
    expect(given).toHaveProperty('runId');
  });

  test('R-sdk: an error tells a model how to correct it', () => {
    expect(checkInput(awkward, { count: '3', other: 1 })).toEqual({
      ok: false,
      message: expect.stringMatching(
        /^invalid_input: awkward: .*\/count must be integer.*\nHint: Correct the arguments and call awkward again\.$/,
      ),
    });
  });
});
