import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAsyncContext } from './async-context.js';

test('a value is found in its work and in what that awaits, and nowhere else', async () => {
  const context = createAsyncContext<number>();
  const find = async (): Promise<number | undefined> => {
    await turn();
    return context.find();
  };
  expect(await Promise.all([context.run(1, find), find(), context.run(2, find)])).toEqual([1, undefined, 2]);
  expect(context.find()).toBeUndefined();
});

test('contexts do not see each other, however they are nested, and the innermost value of a context counts', () => {
  const [one, other] = [createAsyncContext<string>(), createAsyncContext<string>()];
  const both = (): unknown => [one.find(), other.find()];
  const seen = one.run('a', () => [both(), other.run('b', () => [both(), one.run('c', both), both()]), both()]);
  expect(seen).toEqual([
    ['a', undefined],
    [
      ['a', 'b'],
      ['c', 'b'],
      ['a', 'b'],
    ],
    ['a', undefined],
  ]);
});

test('Node notes no more in each promise when there are more contexts', () => {
  const countNotes = (): number => Object.getOwnPropertySymbols(new Promise(() => undefined)).length;
  const runOne = (): void => createAsyncContext<number>().run(1, () => undefined);
  runOne();
  const before = countNotes();
  for (let made = 0; made < 50; made++) runOne();
  expect(countNotes()).toBe(before);
});
