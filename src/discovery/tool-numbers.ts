/** Numbers for all tools of all toolkits: a toolkit has one run of them, from its base. Runs of toolkits that went are holes. */

export interface ToolNumbers {
  /** By toolkit. */
  readonly bases: Uint32Array;
  /** The toolkit of each tool; `nowhere` in a hole and beyond the last. */
  readonly shardOfTool: Uint32Array;
  /** Gives a toolkit a run at the end. True if the arrays were replaced by longer ones. */
  add(shard: number, tools: number): boolean;
  /** Makes a hole of a toolkit's run. */
  remove(shard: number, tools: number): void;
}

export const nowhere = 0xffff_ffff;

/** `tools` and `shards` say for how many there is room at first. */
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
