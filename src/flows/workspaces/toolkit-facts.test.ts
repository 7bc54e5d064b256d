import { expect, test } from 'vitest';
import { createTestHelve } from '../../testing/index.js';

test('R-rest: an app in another written form, by its display name or mistyped is refused with the slug that is meant', async () => {
  const helve = await createTestHelve({});
  const hintFor = (name: string) =>
    helve.plane.toolkitTools(helve.admin, name).then(
      () => 'found',
      ({ code, hint }) => `${code}: ${hint}`,
    );
  expect(await hintFor('key_value')).toBe('found');
  for (const name of ['KEY_VALUE', 'keyValue', 'Key-value', 'key-value store', 'key_valeu'])
    expect(await hintFor(name)).toBe('not_found: Did you mean key_value?');
  for (const name of ['klingon', '…']) expect(await hintFor(name)).toMatch(/^not_found: Search the marketplace/);
  await helve.close();
});
