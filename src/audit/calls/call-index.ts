/**
 * Every call that has ended, as columns, in blocks of the record. The blocks are made from the record when somebody asks,
 * each once, and are then in the store; those in use are also in memory, and so are the calls after the last finished block.
 * A call itself writes nothing for this.
 */
import type { AuditEvent } from '../../domain/audit.js';
import type { Storage } from '../../domain/storage.js';
import { createRecent, type Recent } from '../../util/recent.js';
import { createSlices } from '../../util/slices.js';
import {
  type CallColumns,
  type CallFacts,
  createCallValues,
  type PackedCalls,
  packCalls,
  toColumns,
} from './columns.js';
import { isEnd, readCall } from './facts.js';

export interface CallIndex {
  /**
   * The blocks of a workspace's ended calls, newest first, as they are now. `before`, `after`: rows of the record, for a
   * reader that needs only calls which ended on that side; a block may still have others.
   */
  blocks(workspaceId: string, range?: { before?: number; after?: number }): AsyncIterable<CallColumns>;
  /** The calls as they are now: those of finished blocks, which do not change any more, and the others. */
  read(workspaceId: string): Promise<ReadCalls>;
}

export interface ReadCalls {
  /** The number of finished blocks. */
  readonly finished: number;
  /** The calls after them. */
  readonly tail: CallColumns;
  /** A finished block, by its number. */
  load(block: number): Promise<CallColumns> | CallColumns;
}

/** Rows of the record that a block covers. */
const blockRows = 1_024;
const pageRows = 256;
/** Blocks in memory, about 20 kB each. */
const maxKept = 2_048;
/** Blocks that one statement reads, and one turn of the event loop makes columns of: a few milliseconds. */
const blocksPerRead = 8;
/** Values that the blocks of a workspace share; blocks that are read later share others. */
const maxValues = 50_000;
/** Starts whose end has not been read. Those of calls that began earlier are looked up. */
const maxOpen = 10_000;
const turnMs = 5;

const empty = toColumns([]);

/** Creates the index of this process. */
export function createCallIndex(storage: Pick<Storage, 'workspace'>): CallIndex {
  const cache = createRecent<CallColumns>(maxKept);
  const readers = new Map<string, Reader>();
  async function read(workspaceId: string): Promise<ReadCalls> {
    const reader = readers.get(workspaceId) ?? createReader(storage.workspace(workspaceId), cache);
    readers.set(workspaceId, reader);
    return { ...(await reader.readOn()), load: reader.load };
  }
  return {
    read,
    async *blocks(workspaceId, { before = Number.MAX_SAFE_INTEGER, after = 0 } = {}) {
      const { tail, finished, load } = await read(workspaceId);
      if (tail.length > 0 && after < Number.MAX_SAFE_INTEGER) yield tail;
      const newest = Math.min(finished - 1, blockOf(before - 1));
      for (let block = newest; block >= Math.max(0, blockOf(after + 1)); block -= 1) {
        const columns = await load(block);
        if (columns.length > 0) yield columns;
      }
    },
  };
}

const blockOf = (seq: number): number => Math.floor((seq - 1) / blockRows);

interface Reader {
  /** Reads what has been recorded since. */
  readOn(): Promise<Pick<ReadCalls, 'finished' | 'tail'>>;
  load: ReadCalls['load'];
}

function createReader(workspace: ReturnType<Storage['workspace']>, cache: Recent<CallColumns>): Reader {
  const { audit, callBlocks, workspaceId } = workspace;
  const open = new Map<string, AuditEvent>();
  let block = 0;
  let position: number | undefined;
  let calls: CallFacts[] = [];
  let tail = empty;
  let values = createCallValues();
  let reading: Promise<void> | undefined;

  function unpack(packed: PackedCalls): CallColumns {
    if (values.size() > maxValues) values = createCallValues();
    return values.unpack(packed);
  }

  async function finishBlock(next: number): Promise<void> {
    const packed = packCalls(calls);
    await callBlocks.put([{ block, calls: JSON.stringify(packed) }]);
    cache.set(`${workspaceId} ${block}`, unpack(packed));
    block = next;
    calls = [];
    tail = empty;
  }

  async function accept(event: AuditEvent): Promise<void> {
    const { seq, type, executionId } = event;
    if (blockOf(seq) > block) await finishBlock(blockOf(seq));
    if (executionId === undefined) return;
    if (type === 'execution.started') {
      if (open.size >= maxOpen) open.delete(open.keys().next().value ?? '');
      open.set(executionId, event);
    }
    if (!isEnd(event)) return;
    const start = open.get(executionId) ?? (type === 'execution.refused' ? undefined : await findStart(executionId));
    open.delete(executionId);
    calls.push(readCall(start, event, 0));
  }

  async function findStart(executionId: string): Promise<AuditEvent | undefined> {
    return (await audit.ofExecutions([executionId], ['execution.started']))[0];
  }

  async function read(): Promise<void> {
    const { seq: head } = await audit.head();
    if (position === undefined) {
      block = ((await callBlocks.newest()) ?? -1) + 1;
      position = block * blockRows;
    }
    const before = calls.length;
    const slices = createSlices(turnMs);
    while (position < head) {
      const page = await audit.page(position, pageRows);
      if (page.length === 0) break;
      for (const event of page) {
        await accept(event);
        position = event.seq;
      }
      await slices.rest();
    }
    if (calls.length !== before || tail.length !== calls.length) tail = unpack(packCalls(calls));
  }

  async function loadFromStore(wanted: number): Promise<CallColumns> {
    const from = Math.max(0, wanted - blocksPerRead + 1);
    for (const row of await callBlocks.list(from, wanted + 1))
      cache.set(`${workspaceId} ${row.block}`, unpack(JSON.parse(row.calls) as PackedCalls));
    return cache.get(`${workspaceId} ${wanted}`) ?? makeAgain(wanted);
  }

  /** A block that somebody has deleted from the store. */
  async function makeAgain(wanted: number): Promise<CallColumns> {
    const ended: AuditEvent[] = [];
    const slices = createSlices(turnMs);
    const end = (wanted + 1) * blockRows;
    for (let at = wanted * blockRows; at < end; ) {
      const page = await audit.page(at, pageRows);
      ended.push(...page.filter((event) => isEnd(event) && event.seq <= end));
      at = page.at(-1)?.seq ?? end;
      await slices.rest();
    }
    const ids = ended.flatMap(({ executionId }) => executionId ?? []);
    const starts = await audit.ofExecutions(ids, ['execution.started']);
    const byId = new Map(starts.map((start) => [start.executionId, start]));
    const packed = packCalls(ended.map((event) => readCall(byId.get(event.executionId), event, 0)));
    await callBlocks.put([{ block: wanted, calls: JSON.stringify(packed) }]);
    const columns = unpack(packed);
    cache.set(`${workspaceId} ${wanted}`, columns);
    return columns;
  }

  return {
    async readOn() {
      // Work in progress may have begun before the newest rows were written.
      await reading;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      await reading;
      return { tail, finished: block };
    },
    load: (wanted) => cache.get(`${workspaceId} ${wanted}`) ?? loadFromStore(wanted),
  };
}
