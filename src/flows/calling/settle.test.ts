/** What a process that died left open is settled, and nothing of those that live. */
import { expect, test } from 'vitest';
import type { JournalEntry, PendingIntent } from '../../domain/audit.js';
import { settleInterrupted } from './settle.js';

test('R-pipeline: only the calls of dead processes are settled, and those that another settled first do not count', async () => {
  const intent = (executionId: string, instanceId: string) =>
    ({ workspaceId: 'w', executionId, instanceId, tool: 'send', startedAt: '' }) as unknown as PendingIntent;
  const row = (id: string) => ({ id, host: 'h', pid: 1, startToken: '', seenAt: '' });
  const closed: (string | undefined)[] = [];
  const removed: string[] = [];
  const settled = await settleInterrupted({
    instanceId: 'self',
    now: () => new Date(0),
    listIntents: async () => [intent('e1', 'self'), intent('e2', 'alive'), intent('e3', 'dead'), intent('e4', 'gone')],
    listInstances: async () => ['self', 'alive', 'dead'].map(row),
    removeInstance: async ({ id }) => void removed.push(id),
    isAlive: ({ id }) => id === 'alive',
    async append({ closeIntent }: JournalEntry) {
      closed.push(closeIntent);
      return closeIntent === 'e3' ? 'committed' : 'intent_missing';
    },
  });
  expect([closed, removed, settled]).toEqual([['e3', 'e4'], ['dead'], 1]);
});
