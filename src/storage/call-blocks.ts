/**
 * The index of ended calls: for every finished block of the record, the data for listing and counting the calls that
 * ended in it, as text. It is made from the record on request, not when a call ends, and can be made again at any time.
 */
import type { CallBlockTable } from '../domain/storage.js';
import type { Engine } from './engine.js';
import { scoped } from './scope.js';

export function createCallBlocks(engine: Engine, workspaceId: string): CallBlockTable {
  const scope = scoped(engine.db, workspaceId);
  return {
    async newest() {
      const rows = scope.selectFrom('call_blocks').select('block').orderBy('block', 'desc').limit(1);
      return (await rows.executeTakeFirst())?.block;
    },
    list: (from, to) =>
      scope
        .selectFrom('call_blocks')
        .select(['block', 'calls'])
        .where('block', '>=', from)
        .where('block', '<', to)
        .orderBy('block')
        .execute(),
    async put(blocks) {
      // Another process may have made the same block meanwhile, with the same content.
      await scope
        .insertInto('call_blocks', blocks)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
