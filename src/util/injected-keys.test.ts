import { describe, expect, test } from 'vitest';
import { injectedKeys, withoutInjectedKeys } from './injected-keys.js';

describe('R-context: keys that frameworks inject', () => {
  test('R-context: all are dropped, and the rest is unchanged', () => {
    const injected = Object.fromEntries([...injectedKeys].map((key) => [key, 1]));
    expect(withoutInjectedKeys({ a: 1, ...injected, b: { threadId: 2 } }, {})).toEqual({ a: 1, b: { threadId: 2 } });
    const untouched = { a: 1 };
    expect(withoutInjectedKeys(untouched, {})).toBe(untouched);
  });

  test('R-context: keys that the schema declares at its top level stay', () => {
    const schema = { properties: { memory: {}, nested: { properties: { runId: {} } } } };
    expect(withoutInjectedKeys({ memory: 'm', runId: 'r' }, schema)).toEqual({ memory: 'm' });
    expect(withoutInjectedKeys({ memory: 'm' }, { properties: null as never })).toEqual({});
  });
});
