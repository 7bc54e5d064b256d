/** Issues that wait are told of every change that may let them go on. */
import { expect, it } from 'vitest';
import type { ActorEvent } from '../../domain/actor-host.js';
import { createConfigurationWatch } from './wake.js';

it('R-machines: an issue that waits for a grant looks again although an account was connected at the same time', async () => {
  const sent: string[] = [];
  const org = { actor: { kind: 'org', id: 'own' }, snapshot: { context: { connections: {}, changes: 1 } } };
  const issue = {
    actor: { kind: 'issue', id: 'i' },
    snapshot: { context: { blockedBy: [{ reason: 'grant', limit: null }] } },
  };
  const list = async ({ kind, state }: { readonly kind: string; readonly state?: string }) => ({
    actors: kind === 'org' ? [org] : state === 'blocked' ? [issue] : [],
  });
  const send = async ({ id }: { readonly id: string }, { type }: ActorEvent) => {
    sent.push(`${id} ${type}`);
    return true;
  };
  const parts = {
    actors: { list, send },
    configurations: { getFresh: async () => ({ connections: [{ id: 'c', toolkit: 'slack', status: 'active' }] }) },
    createDryLook: () => async () => true,
    storage: {
      onChange: () => () => undefined,
      system: { listWorkspaces: async () => [{ id: 'w' }] },
      workspace: () => ({ revision: async () => 7 }),
    },
  };
  const watch = createConfigurationWatch(parts as never, (error) => {
    throw error;
  });
  await watch.start();
  await watch.close();
  expect(sent).toEqual(['own CONNECTION_MADE', 'i TOOLS_CHANGED']);
});

it('R-machines: many changes while issues are told of one are told once, and none is forgotten', async () => {
  let change = (_workspaceId: string): void => undefined;
  let revision = 1;
  let letGo = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const told: string[] = [];
  const issue = { actor: { kind: 'issue', id: 'i' }, snapshot: { context: { blockedBy: [] } } };
  const send = async (_actor: unknown, _event: ActorEvent, { id }: { readonly id: string }) => {
    told.push(id);
    await isHeld;
    return true;
  };
  const list = async ({ state }: { readonly state?: string }) => ({ actors: state === 'blocked' ? [issue] : [] });
  const parts = {
    actors: { list, send },
    createDryLook: () => async () => true,
    storage: {
      onChange(listener: typeof change) {
        change = listener;
        return () => undefined;
      },
      system: { listWorkspaces: async () => [{ id: 'w' }] },
      workspace: () => ({ revision: async () => revision }),
    },
  };
  const watch = createConfigurationWatch(parts as never, (error) => {
    throw error;
  });
  await watch.start();
  await expect.poll(() => told).toHaveLength(1);
  for (; revision < 40; revision += 1) change('w');
  letGo();
  await watch.close();
  expect(told).toEqual(['configuration:1', 'configuration:40']);
});
