/** Actors that are inspected through the plane. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ActorRef, ActorView } from '../../domain/actor-host.js';
import { allPermissions } from '../../domain/principal.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

let actor: ActorRef;
let helve: TestHelve;

beforeEach(async () => {
  helve = await createTestHelve();
  const { id } = await helve.plane.createIssue(helve.admin, { title: 'Broken' });
  actor = { kind: 'issue', id };
});
afterEach(() => helve.close());

it('R-machines: shows actors with their events to those who may read the record', async () => {
  const { plane, admin, storage, workspaceId } = helve;
  const { actors } = storage.workspace(workspaceId);
  const [found] = (await plane.listActors(admin, { kind: 'issue' })).actors;
  expect(found).toMatchObject({ actor, snapshot: { value: 'idle', context: { id: actor.id } } });
  await actors.send({ to: actor, id: 'e', event: { type: 'NOBODY_KNOWS_THIS' } });
  // The plane drives it: the machine of an issue changes nothing for an event that it does not know.
  await expect.poll(async () => (await plane.getActor(admin, actor)).events).toHaveLength(1);
  await expect(plane.getActor(admin, { ...actor, kind: 'pr' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(plane.listActors(helve.agent)).rejects.toMatchObject({ code: 'forbidden' });
});

it('R-machines: streams an actor until it is removed, or the rights of the caller have changed', async () => {
  const { plane, admin, storage, workspaceId } = helve;
  const { actors } = storage.workspace(workspaceId);
  const { credential, secret } = await plane.createApiKey(admin, { permissions: allPermissions });
  const key = await plane.authenticate(secret);
  const follow = async (by: typeof admin, seen: ActorView[]) => {
    for await (const view of plane.followActor(by, actor)) seen.push(view);
  };
  const views: { readonly key: ActorView[]; readonly admin: ActorView[] } = { key: [], admin: [] };
  const ofKey = follow(key, views.key).catch((error: { readonly code: string }) => error.code);
  const ofAdmin = follow(admin, views.admin);
  await expect.poll(() => [views.key.length, views.admin.length]).toEqual([1, 1]);
  await plane.revokeCredential(admin, credential.id);
  await actors.send({ to: actor, id: 'e', event: { type: 'NOBODY_KNOWS_THIS' } });
  expect(await ofKey).toBe('unauthenticated');
  await expect.poll(() => views.admin.length).toBe(2);
  expect(views.key).toHaveLength(1);
  await actors.remove(actor);
  await ofAdmin;
});
