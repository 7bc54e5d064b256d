/** Large results, stored under a handle until they expire. */
import type { ResultTable } from '../domain/storage.js';
import { fromResult, toResult } from './rows.js';
import type { Scope } from './scope.js';

export function createResults(scope: Scope): ResultTable {
  return {
    async put(result) {
      await scope.insertInto('results', fromResult(result)).execute();
    },
    async find(handle) {
      const row = await scope.selectFrom('results').selectAll().where('handle', '=', handle).executeTakeFirst();
      return row && toResult(row);
    },
  };
}
