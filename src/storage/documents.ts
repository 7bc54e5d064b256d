/**
 * Texts that toolkits store. Every write first increases the space's counter: its row is the lock that orders writers,
 * so no version ever appears behind one that a reader has already seen.
 */
import { type Kysely, sql } from 'kysely';
import type { NewDocument } from '../domain/reach.js';
import type { DocumentTable } from '../domain/storage.js';
import { encodeTime } from './codec.js';
import type { Engine } from './engine.js';
import type { DocumentRow, Schema } from './schema.js';
import { type Scope, scoped } from './scope.js';

const maxRows = 1_000;
const defaultChanges = 100;
const factColumns = ['path', 'media_type', 'hash', 'version', 'updated_at'] as const;

export function createDocuments(engine: Engine, workspaceId: string, space: string): DocumentTable {
  const scope = scoped(engine.db, workspaceId);
  const ofSpace = (within: Scope) => within.selectFrom('documents').where('space', '=', space);
  const write = <T>(work: (within: Scope, version: number) => Promise<T>): Promise<T> =>
    engine.db.transaction().execute(async (transaction) => {
      const version = await raise(transaction, workspaceId, space);
      return work(scoped(transaction, workspaceId), version);
    });

  /** Returns whether there was a document at the path before; with `keeps`, that one stays. */
  const store = ({ path, mediaType, hash, content }: NewDocument, at: string, keeps: boolean): Promise<boolean> =>
    write(async (within, version) => {
      const present = await ofSpace(within).select('path').where('path', '=', path).executeTakeFirst();
      const updated_at = encodeTime(at);
      const row = { space, path, media_type: mediaType, hash, version, updated_at, content };
      if (present === undefined || !keeps) await within.upsert('documents', ['space', 'path'], row);
      return present !== undefined;
    });

  return {
    put: async (document, at) => ((await store(document, at, false)) ? 'replaced' : 'created'),
    add: async (document, at) => !(await store(document, at, true)),
    async get(path) {
      const row = await ofSpace(scope).selectAll().where('path', '=', path).executeTakeFirst();
      return row && toDocument(row);
    },
    delete(path) {
      return write(async (within) => {
        const query = within.deleteFrom('documents').where('space', '=', space).where('path', '=', path);
        return (await query.executeTakeFirst()).numDeletedRows === 1n;
      });
    },
    async list({ prefix = '', after, limit = maxRows } = {}) {
      let rows = ofSpace(scope).select(factColumns).orderBy('path').limit(bounded(limit));
      // No upper bound: the two databases do not agree on a greatest character.
      if (prefix !== '') rows = rows.where(sql<boolean>`substr(path, 1, ${[...prefix].length}) = ${prefix}`);
      if (after !== undefined) rows = rows.where('path', '>', after);
      return (await rows.execute()).map(toFacts);
    },
    async changes({ since = 0, limit = defaultChanges }) {
      const rows = ofSpace(scope).selectAll().where('version', '>', since).orderBy('version');
      return (await rows.limit(bounded(limit)).execute()).map(toDocument);
    },
    async revision() {
      const query = scope.selectFrom('document_spaces').select('revision').where('space', '=', space);
      return (await query.executeTakeFirst())?.revision ?? 0;
    },
  };
}

const bounded = (limit: number): number => Math.max(0, Math.min(limit, maxRows));

async function raise(transaction: Kysely<Schema>, workspaceId: string, space: string): Promise<number> {
  const row = await transaction
    .insertInto('document_spaces')
    .values({ workspace_id: workspaceId, space, revision: 1 })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'space']).doUpdateSet({ revision: sql`document_spaces.revision + 1` }),
    )
    .returning('revision')
    .executeTakeFirstOrThrow();
  return row.revision;
}

function toFacts(row: Pick<DocumentRow, (typeof factColumns)[number]>) {
  const { path, hash, version } = row;
  return { path, mediaType: row.media_type, hash, version, updatedAt: row.updated_at };
}

function toDocument(row: DocumentRow) {
  return { ...toFacts(row), content: row.content };
}
