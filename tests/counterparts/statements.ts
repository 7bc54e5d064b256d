/** Counts the statements that this process sends to its stores. */
import Libsql from 'libsql';
import pg from 'pg';
import { vi } from 'vitest';
import type { stores } from './stores.js';

/** Starts counting for one kind of store. `read` returns the number since then; `end` stops. */
export function countStatements(store: (typeof stores)[number]): { read(): number; end(): void } {
  const spies = store === 'postgres' ? [vi.spyOn(pg.Client.prototype, 'query')] : spyOnSqlite();
  return {
    read: () => spies.reduce((total, { mock }) => total + mock.calls.length, 0),
    end() {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

function spyOnSqlite() {
  const database = new Libsql(':memory:');
  const prototype = Object.getPrototypeOf(database.prepare('select 1')) as ReturnType<Libsql.Database['prepare']>;
  database.close();
  return [vi.spyOn(prototype, 'all'), vi.spyOn(prototype, 'run')];
}
