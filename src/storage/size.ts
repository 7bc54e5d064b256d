/** How much space the store takes. */
import { sql } from 'kysely';
import type { Engine } from './engine.js';

/** Returns the bytes of all tables with their indexes. On SQLite this includes free pages. */
export async function measureStore({ db, kind }: Engine): Promise<number> {
  const query =
    kind === 'sqlite'
      ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
      : sql<{ bytes: number }>`select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes from pg_class
          where relkind = 'r' and relnamespace = current_schema()::text::regnamespace`;
  return Number((await query.execute(db)).rows[0]?.bytes ?? 0);
}
