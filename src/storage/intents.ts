/** Running calls: their open intents, and the requests to stop them. */
import type { IntentTable } from '../domain/storage.js';
import type { Engine } from './engine.js';
import type { Journal } from './journal.js';
import { withHead } from './locked.js';
import { toIntent } from './rows.js';
import { scoped } from './scope.js';

export function createIntents(engine: Engine, journal: Journal, workspaceId: string): IntentTable {
  const scope = scoped(engine.db, workspaceId);
  return {
    async list() {
      const rows = scope.selectFrom('intents').selectAll().orderBy('started_at').orderBy('execution_id');
      return (await rows.execute()).map(toIntent);
    },
    requestStop: (executionId, events) =>
      withHead(engine, journal, workspaceId, events, async (transaction, record) => {
        const inside = scoped(transaction, workspaceId);
        const update = inside.updateTable('intents').set({ stop_requested: 1 }).where('execution_id', '=', executionId);
        const { numUpdatedRows } = await update.where('stop_requested', '=', 0).executeTakeFirstOrThrow();
        if (numUpdatedRows === 1n) {
          record();
          return 'requested';
        }
        const intents = inside.selectFrom('intents').select('execution_id').where('execution_id', '=', executionId);
        return (await intents.executeTakeFirst()) === undefined ? 'not_running' : 'already_requested';
      }),
  };
}
