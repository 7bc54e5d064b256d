/**
 * Numbers for all tools of all toolkits: a toolkit has one consecutive run, starting at its base. Runs of removed
 * toolkits are holes.
 */

export interface ToolNumbers {
  /** The first number of each toolkit. */
  readonly bases: Uint32Array;
  /** The toolkit of each tool; `nowhere` in a hole and after the last. */
  readonly shardOfTool: Uint32Array;
  /** Gives a toolkit a run at the end. True if the arrays were replaced by longer ones. */
  add(shard: number, tools: number): boolean;
  /** Turns a toolkit's run into a hole. */
  remove(shard: number, tools: number): void;
}

export const nowhere = 0xffff_ffff;

/** `tools` and `shards`: the initial capacity. */
export function createToolNumbers(tools = 1_024, shards = 64): ToolNumbers {
  let bases = new Uint32Array(shards);
  let shardOfTool = new Uint32Array(tools).fill(nowhere);
  let end = 0;
  return {
    get bases() {
      return bases;
    },
    get shardOfTool() {
      return shardOfTool;
    },
    add(shard, count) {
      const isFull = end + count > shardOfTool.length || shard >= bases.length;
      if (end + count > shardOfTool.length) {
        const longer = new Uint32Array(Math.max(end + count, Math.ceil(shardOfTool.length * 1.5)));
        longer.set(shardOfTool);
        shardOfTool = longer.fill(nowhere, end);
      }
      if (shard >= bases.length) {
        const longer = new Uint32Array(Math.max(shard + 1, bases.length * 2));
        longer.set(bases);
        bases = longer;
      }
      bases[shard] = end;
      shardOfTool.fill(shard, end, end + count);
      end += count;
      return isFull;
    },
    remove(shard, count) {
      const base = bases[shard] ?? 0;
      shardOfTool.fill(nowhere, base, base + count);
    },
  };
}
