/** Who follows a synchronisation loses it with their rights. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allPermissions } from '../../src/domain/principal.js';
import { openScene, type Scene } from './door.js';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

test('attack: once a key is revoked, nothing more is told of the synchronisation that it follows', async () => {
  const { plane } = scene.helve;
  const { admin } = scene.home;
  const { credential, secret } = await plane.createApiKey(admin, { name: 'k', permissions: allPermissions });
  const by = await plane.authenticate(secret);
  scene.composio.faults.push({ when: () => true, times: Number.POSITIVE_INFINITY, delayMs: 50 });
  const { job } = await plane.synchronise(by, { kind: 'full' });
  const follow = async (who: typeof by, onFirst?: () => Promise<unknown>) => {
    const states: string[] = [];
    for await (const { status } of plane.followSync(who, job.id, AbortSignal.timeout(20_000))) {
      states.push(status);
      if (states.length === 1) await onFirst?.();
    }
    return states;
  };
  const control = follow(admin);
  await expect(follow(by, () => plane.revokeCredential(admin, credential.id))).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  expect((await control).at(-1)).toBe('done');
});
