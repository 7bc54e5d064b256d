/** The key-value store through the pipeline: whose values, for how long, and what fits. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHelve } from '../../helve.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

let helve: TestHelve;
beforeEach(async () => {
  helve = await createTestHelve();
  await helve.plane.createAgent(helve.admin, { slug: 'other' });
  const { grants } = await helve.plane.grantCatalogue(helve.admin, 'tester');
  await helve.plane.replaceGrants(
    helve.admin,
    'other',
    grants.map(({ toolkit, tools }) => ({ toolkit, tools, limits: {}, config: {} })),
  );
});
afterEach(() => helve.close());

async function output(tool: string, input: Record<string, unknown>, agent = 'tester'): Promise<unknown> {
  const result = await helve.execute({ principal: { agent }, tool, input });
  return result.ok ? result.output : result.error.code;
}
const get = (key: string, more = {}, agent = 'tester') => output('key_value_get', { key, ...more }, agent);
const set = (key: string, value: unknown, more = {}, agent = 'tester') =>
  output('key_value_set', { key, value, ...more }, agent);
const remove = (key: string, more = {}, agent = 'tester') => output('key_value_delete', { key, ...more }, agent);

describe('whose values', () => {
  test('R-kv: set, get, replace, delete', async () => {
    expect(await get('k')).toEqual({ value: null });
    expect(await set('k', 1)).toEqual({ success: true });
    expect(await set('k', { two: [2] })).toEqual({ success: true });
    expect(await get('k')).toEqual({ value: { two: [2] } });
    expect([await remove('k'), await remove('k')]).toEqual([{ deleted: true }, { deleted: false }]);
    expect(await get('k')).toEqual({ value: null });
  });

  test('R-kv: the default namespace is the agent’s own', async () => {
    await set('k', 'of tester');
    await set('k', 'of other', {}, 'other');
    expect([await get('k'), await get('k', {}, 'other')]).toEqual([{ value: 'of tester' }, { value: 'of other' }]);
    await remove('k', {}, 'other');
    expect(await get('k')).toEqual({ value: 'of tester' });
    // No name of a shared namespace leads into somebody's own one.
    for (const namespace of [`own:agent:${helve.agent.id}`, helve.agent.id, 'own', 'tester'])
      expect(await get('k', { namespace }, 'other'), namespace).toEqual({ value: null });
  });

  test('R-kv: a named namespace is shared by the agents of the workspace, and keeps keys apart', async () => {
    await set('k', 'for all', { namespace: 'team' });
    expect(await get('k', { namespace: 'team' }, 'other')).toEqual({ value: 'for all' });
    expect(await get('k', { namespace: 'teams' }, 'other')).toEqual({ value: null });
    expect(await get('k')).toEqual({ value: null });
  });
});

describe('for how long', () => {
  test('R-kv: a value with a ttl is gone when its time is up, and not before', async () => {
    await set('k', 'short', { ttl: 60 });
    await set('forever', 'long');
    helve.advance(59_000);
    expect(await get('k')).toEqual({ value: 'short' });
    helve.advance(2_000);
    expect([await get('k'), await remove('k')]).toEqual([{ value: null }, { deleted: false }]);
    helve.advance(10 * 365 * 86_400_000);
    expect(await get('forever')).toEqual({ value: 'long' });
  });

  test('R-kv: setting a value again also sets its time again, or removes it', async () => {
    await set('k', 1, { ttl: 60 });
    await set('k', 2, { ttl: 600 });
    await set('l', 1, { ttl: 60 });
    await set('l', 2);
    helve.advance(300_000);
    expect([await get('k'), await get('l')]).toEqual([{ value: 2 }, { value: 2 }]);
  });

  test('R-kv: values outlive the process', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'helve-kv-'));
    const call = async (tool: string, input: unknown) => {
      const one = await createHelve({ dataDir });
      await one.setUp();
      const result = await one.execute({ principal: { agent: 'first' }, tool, input });
      await one.close();
      return result;
    };
    await call('key_value_set', { key: 'k', value: { kept: true } });
    expect(await call('key_value_get', { key: 'k' })).toMatchObject({ output: { value: { kept: true } } });
    await rm(dataDir, { recursive: true });
  });
});

describe('what fits', () => {
  test('R-kv: any JSON value is returned unchanged', async () => {
    const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
    const key = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(key, value, async (name, stored) => {
        const plain = JSON.parse(JSON.stringify(stored));
        expect(await set(name, plain)).toEqual({ success: true });
        expect(await get(name)).toEqual({ value: plain });
      }),
      { numRuns: 60 },
    );
    // Names that every object has are found where a table is asked with the text of a caller.
    for (const name of ['__proto__', 'constructor', 'toString', 'a_constructor'])
      expect([await set(name, { [name]: 1 }), await get(name)], name).toEqual([
        { success: true },
        { value: JSON.parse(`{"${name}":1}`) },
      ]);
    for (const one of ['__proto__', 'constructor', '', '\u0000', '\ud800', 'a'.repeat(5_000), null, false, 0])
      expect([await set('k', one), await get('k')]).toEqual([{ success: true }, { value: one }]);
  });

  test.each([
    ['a value too large', { key: 'k', value: 'x'.repeat(1_000_001) }, 'too_large'],
    ['no value', { key: 'k' }, 'invalid_input'],
    ['an empty key', { key: '', value: 1 }, 'invalid_input'],
    ['a key too long', { key: 'x'.repeat(513), value: 1 }, 'invalid_input'],
    ['an empty namespace', { key: 'k', value: 1, namespace: '' }, 'invalid_input'],
    ['a ttl of nothing', { key: 'k', value: 1, ttl: 0 }, 'invalid_input'],
    ['a ttl that is no whole number', { key: 'k', value: 1, ttl: 1.5 }, 'invalid_input'],
    ['a ttl beyond ten years', { key: 'k', value: 1, ttl: 315_360_001 }, 'invalid_input'],
    ['a property that there is not', { key: 'k', value: 1, expires: 3 }, 'invalid_input'],
  ])('R-kv: %s is refused, and what was there stays', async (_what, input, code) => {
    await set('k', 'before');
    expect(await output('key_value_set', input)).toBe(code);
    expect(await get('k')).toEqual({ value: 'before' });
  });
});
