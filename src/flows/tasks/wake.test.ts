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
