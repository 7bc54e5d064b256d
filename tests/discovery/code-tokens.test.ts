/** What `bench/code/tokens.js` runs, in short: every fifth of its tasks, over MCP, in the three ways. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const bench = new URL('../../bench/code/tasks/', import.meta.url);
const load = (name: string): Promise<any> => import(new URL(name, bench).href);
const [{ tasks }, { openOffice }, { measure, addUp }] = await Promise.all(
  ['tasks.js', 'doors.js', 'measure.js'].map(load),
);
const chosen = tasks.filter((_: unknown, index: number) => index % 5 === 2);

let opened: any;
beforeAll(async () => {
  opened = await openOffice({ bundled: false });
});
afterAll(() => opened.close());

const problems = (rows: any[]) => rows.flatMap(({ way, task, problem }) => (problem ? [[way, task.ask, problem]] : []));

describe('tokens of code mode', () => {
  test('R-meta-tools R-durable-runs: ten tasks succeed in each way, as the service’s state shows; code mode needs the fewest tokens', async () => {
    expect(tasks).toHaveLength(50);
    const rows = await measure(opened, { tasks: chosen, door: 'mcp' });
    expect(problems(rows)).toEqual([]);
    const { direct, meta, code } = addUp(rows);
    expect([direct, meta, code].map(({ of, succeeded }) => [of, succeeded])).toEqual([
      [10, 10],
      [10, 10],
      [10, 10],
    ]);
    expect(code.sent / Math.min(direct.sent, meta.sent)).toBeLessThan(0.6);
  }, 120_000);

  test('R-meta-tools: an answer or an effect other than the expected one is no success', async () => {
    const [first] = chosen;
    const wrongAnswer = { ...first, expect: () => ({ answer: 'other', effects: [] }) };
    const wrongEffect = {
      ...first,
      expect: (rows: any) => ({ ...first.expect(rows), effects: [['close_issue', {}]] }),
    };
    const rows = await measure(opened, { tasks: [wrongAnswer, wrongEffect], door: 'ai-sdk' });
    expect(rows.map(({ succeeded }: any) => succeeded)).toEqual(Array.from({ length: 6 }, () => false));
    // The control: the same task as it is.
    expect(problems(await measure(opened, { tasks: [first], door: 'ai-sdk' }))).toEqual([]);
  }, 60_000);
});
