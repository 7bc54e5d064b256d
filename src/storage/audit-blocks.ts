/**
 * An index over the finished part of the audit record. Every 512 rows form a block; for each block the store holds its
 * time range, a Bloom filter over the types, tools and actors of its rows, and one over every four consecutive
 * characters of their bodies. A search reads only the blocks that may contain a match.
 *
 * Blocks are built during a search, not when the record is written: an index of SQLite or PostgreSQL on the same
 * columns would make each call a third more expensive. The first search over a million rows therefore takes seconds (in
 * short turns), later ones milliseconds.
 */
import type { AuditQuery } from '../domain/audit.js';
import { createBloomBuilder, createBloomTest, forEachGram, hashText, joinFilters } from '../util/bloom.js';
import { createSlices } from '../util/slices.js';
import { decodeBytes, encodeTime, jsonFragment } from './codec.js';
import type { Engine } from './engine.js';
import type { AuditBlockRow, AuditEventRow } from './schema.js';
import { type Scope, scoped } from './scope.js';

const blockRows = 512;
/** Blocks written in one commit. */
const blocksPerInsert = 16;
/** Filters read at a time: at most a few megabytes. */
const blocksPerRead = 64;
/** Joined filters in memory, of at most 64 blocks each: usually 8 kB, at most 128. */
const maxJoined = 1_024;
const turnMs = 5;

const nameFilter = { bitsPerHash: 2, fill: 0.06 } as const;
const textFilter = { bitsPerHash: 1, fill: 0.2 } as const;

/** Rows with `after < seq <= upTo`. */
export interface SeqRange {
  readonly after: number;
  readonly upTo: number;
}

export interface AuditBlocks {
  /** The number of a workspace's first rows that are in blocks known to this process. */
  covered(workspaceId: string): number;
  /**
   * Yields the blocks below row `before` that may contain a row matching `query`, newest first, as ranges of rows.
   * Builds missing blocks first. Rows of a range may not match: the caller checks the rows themselves.
   */
  candidates(workspaceId: string, query: AuditQuery, before: number): AsyncIterable<SeqRange>;
}

export function createAuditBlocks(engine: Engine): AuditBlocks {
  const building = new Map<string, Promise<number>>();
  /** By workspace: finished blocks that are in the store. */
  const built = new Map<string, number>();
  const joined = new Map<string, Joined>();

  /** `rows`: newest first. Those of a query with times may leave out blocks. */
  function keepJoined(key: string, group: number, rows: readonly CandidateRow[]): void {
    const filters = rows.flatMap(({ texts }) => (texts === undefined ? [] : [decodeBytes(texts)]));
    const blocks = (rows[0]?.block ?? -1) - group * blocksPerRead + 1;
    if (filters.length === 0 || filters.length < blocks) return;
    if (joined.size >= maxJoined) joined.clear();
    joined.set(key, { blocks, texts: joinFilters(filters) });
  }

  /** Builds every finished block and returns how many there are. Simultaneous searches share the work. */
  function extend(workspaceId: string): Promise<number> {
    const running = building.get(workspaceId);
    if (running !== undefined) return running;
    const started = build(scoped(engine.db, workspaceId)).finally(() => building.delete(workspaceId));
    building.set(workspaceId, started);
    started.then(
      (blocks) => built.set(workspaceId, blocks),
      () => undefined,
    );
    return started;
  }

  return {
    covered: (workspaceId) => (built.get(workspaceId) ?? 0) * blockRows,
    async *candidates(workspaceId, query, before) {
      const needed = Math.ceil((before - 1) / blockRows);
      // Work in progress may have started before the newest of these rows were written.
      if ((await extend(workspaceId)) < needed) await extend(workspaceId);
      const matches = createMatcher(query);
      const scope = scoped(engine.db, workspaceId);
      const slices = createSlices(turnMs);
      for (let group = Math.ceil(needed / blocksPerRead) - 1; group >= 0; group -= 1) {
        const key = `${workspaceId} ${group}`;
        const all = joined.get(key);
        const hasAll = all !== undefined && all.blocks >= Math.min(blocksPerRead, needed - group * blocksPerRead);
        if (hasAll && asksText(query) && !matches(all)) continue;
        const rows = await readBlocks(scope, query, group);
        if (!hasAll) keepJoined(key, group, rows);
        for (const row of rows) {
          if (row.block >= needed) continue;
          if (matches(row)) yield { after: row.block * blockRows, upTo: (row.block + 1) * blockRows };
          await slices.rest();
        }
      }
    },
  };
}

/**
 * The possible contents of the first blocks of a group, so that a search for something else does not read their
 * filters.
 */
interface Joined {
  readonly blocks: number;
  readonly texts: Uint8Array;
}

/** The blocks of a group, newest first, with only the filters that the query needs. */
async function readBlocks(scope: Scope, query: AuditQuery, group: number): Promise<CandidateRow[]> {
  let rows = scope
    .selectFrom('audit_blocks')
    .select([
      'block',
      ...(asksNames(query) ? (['names'] as const) : []),
      ...(asksText(query) ? (['texts'] as const) : []),
    ])
    .where('block', '<', (group + 1) * blocksPerRead)
    .where('block', '>=', group * blocksPerRead);
  if (query.since !== undefined) rows = rows.where('last_at', '>=', encodeTime(query.since));
  if (query.until !== undefined) rows = rows.where('first_at', '<=', encodeTime(query.until));
  return rows.orderBy('block', 'desc').execute();
}

type Filters = Partial<Pick<AuditBlockRow, 'names' | 'texts'>>;
type CandidateRow = Pick<AuditBlockRow, 'block'> & Filters;

const asksNames = ({ types, tool, actorId }: AuditQuery): boolean =>
  types !== undefined || tool !== undefined || actorId !== undefined;
const asksText = ({ text }: AuditQuery): boolean => text !== undefined && jsonFragment(text).length >= 4;

function createMatcher(query: AuditQuery): (filters: Filters) => boolean {
  const types = query.types?.map((type) => hashText(`type ${type}`));
  const others: number[] = [];
  if (query.tool !== undefined) others.push(hashText(`tool ${query.tool}`));
  if (query.actorId !== undefined) others.push(hashText(`actor ${query.actorId}`));
  if (query.tool !== undefined && query.actorId !== undefined) others.push(hashPair(query.tool, query.actorId));
  const grams: number[] = [];
  if (query.text !== undefined) forEachGram(jsonFragment(query.text), (gram) => grams.push(gram));
  return ({ names, texts }) => {
    if (names !== undefined) {
      const holds = createBloomTest(decodeBytes(names), nameFilter.bitsPerHash);
      if (types && !types.some(holds)) return false;
      if (!others.every(holds)) return false;
    }
    return texts === undefined || grams.every(createBloomTest(decodeBytes(texts), textFilter.bitsPerHash));
  };
}

/** Returns how many finished blocks the record had when the work started. All of them are in the store by then. */
async function build(scope: Scope): Promise<number> {
  const { audit_seq: head } = await scope.workspace();
  const finished = Math.floor(head / blockRows);
  const newest = await scope.selectFrom('audit_blocks').select('block').orderBy('block', 'desc').limit(1).execute();
  const describe = createDescriber();
  const slices = createSlices(turnMs);
  let made: Omit<AuditBlockRow, 'workspace_id'>[] = [];
  for (let block = (newest[0]?.block ?? -1) + 1; block < finished; block += 1) {
    const rows = await scope
      .selectFrom('audit_events')
      .select(['at', 'type', 'tool', 'actor_id', 'body'])
      .where('seq', '>', block * blockRows)
      .where('seq', '<=', (block + 1) * blockRows)
      .execute();
    made.push(describe(block, rows));
    if (made.length === blocksPerInsert || block === finished - 1) {
      // Another process may have built the same block meanwhile, with the same content.
      await scope
        .insertInto('audit_blocks', made)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      made = [];
    }
    await slices.rest();
  }
  return finished;
}

/** A tool and an actor that are both common in a block may still not occur together in it. */
const hashPair = (tool: string, actorId: string): number => hashText(`tool ${tool} actor ${actorId}`);

function createDescriber() {
  const names = createBloomBuilder(nameFilter);
  const texts = createBloomBuilder(textFilter);
  return (
    block: number,
    rows: readonly Pick<AuditEventRow, 'at' | 'type' | 'tool' | 'actor_id' | 'body'>[],
  ): Omit<AuditBlockRow, 'workspace_id'> => {
    let [first, last] = ['~', ''];
    for (const { at, type, tool, actor_id, body } of rows) {
      if (at < first) first = at;
      if (at > last) last = at;
      names.add(hashText(`type ${type}`));
      names.add(hashText(`actor ${actor_id}`));
      if (tool !== null) {
        names.add(hashText(`tool ${tool}`));
        names.add(hashPair(tool, actor_id));
      }
      forEachGram(body, texts.add);
    }
    return { block, first_at: first, last_at: last, names: names.take(), texts: texts.take() };
  };
}
