/** Who reads the whole record loses it with their rights. */
import { afterEach, expect, test } from 'vitest';
import { allPermissions, type Principal } from '../../domain/principal.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { draft } from '../../testing/storage-fixtures.js';

let helve: TestHelve;
afterEach(() => helve.close());

test.each<[string, (by: Principal) => AsyncIterable<unknown>]>([
  ['export', (by) => helve.plane.exportAudit(by)],
  ['filtered export', (by) => helve.plane.exportAudit(by, { types: ['execution.finished'] })],
  ['check', (by) => helve.plane.followAuditCheck(by, undefined, AbortSignal.timeout(10_000))],
])('attack: once a key is revoked, nothing more comes of its %s of the record', async (_, read) => {
  helve = await createTestHelve({ nativeToolkits: [] });
  const { plane, admin, workspaceId } = helve;
  const events = Array.from({ length: 3_000 }, () => draft({ type: 'execution.finished' }));
  await helve.storage.commit([{ workspaceId, events }]);
  const { secret, credential } = await plane.createApiKey(admin, { name: 'k', permissions: allPermissions });
  const by = await plane.authenticate(secret);
  let count = 0;
  const reading = (async () => {
    for await (const _row of read(by)) {
      count += 1;
      if (count === 1) await plane.revokeCredential(admin, credential.id);
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(count).toBeLessThan(1_100);
  // The control: whoever has the right reads all of it.
  let all = 0;
  for await (const _row of read(admin)) all += 1;
  expect(all).toBeGreaterThan(count);
});
