/**
 * Limits that the kernel enforces only per process, enforced for the whole tree: memory and processor time. Checked ten
 * times a second, so a tree may exceed them briefly; a single process never does.
 */
import { statfs } from 'node:fs/promises';
import type { CommandLimits } from '../../domain/reach.js';
import { memoryFolders } from '../../util/sandbox/sandbox-view.js';
import { processTree, sharedOnce } from './process-tree.js';

export type Exceeded = 'memory' | 'cpu' | 'processes' | 'files';

type WatchedLimits = Pick<CommandLimits, 'memoryMb' | 'cpuSeconds' | 'processes' | 'diskMb'>;

/** Each costs about a kilobyte of kernel memory, which folder size limits do not count. */
const maxFiles = 100_000;
const everyMs = 100;
/** TMPFS_MAGIC. */
const memoryFileSystem = 0x0102_1994;
/** From this factor on, an exact count is not worth the time. */
const farOver = 8;
/** The shell that waits inside. */
const ownProcesses = 1;

export function watch(init: number, limits: WatchedLimits, onExceeded: (what: Exceeded) => void): { stop(): void } {
  const tree = processTree(init);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const next = () => {
    timer = setTimeout(() => void look(), everyMs);
    timer.unref();
  };
  const look = async () => {
    const what = await exceeded(tree, init, limits);
    if (stopped) return;
    if (what) onExceeded(what);
    next();
  };
  next();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function exceeded(
  tree: ReturnType<typeof processTree>,
  init: number,
  limits: WatchedLimits,
): Promise<Exceeded | undefined> {
  const usage = tree.look();
  if (usage.processes > limits.processes + ownProcesses) return 'processes';
  if (usage.cpuSeconds > limits.cpuSeconds) return 'cpu';
  const most = limits.memoryMb * 1_048_576;
  if (usage.memory > most) {
    // Children share unchanged memory with the parent they were forked from: count that once before killing.
    const memory = usage.memory > farOver * most ? usage.memory : ((await sharedOnce(usage.pids)) ?? usage.memory);
    if (memory > most) return 'memory';
  }
  return (await filesIn(init, limits)) > maxFiles ? 'files' : undefined;
}

/**
 * If the sandbox cannot be inspected from here, only the sizes of its folders limit it. Until it is set up, the same
 * paths lead to folders of the host: the sandbox's own are recognised by their type and exact size.
 */
async function filesIn(init: number, limits: WatchedLimits): Promise<number> {
  const counts = Object.entries(memoryFolders(limits)).map(async ([path, size]) => {
    const facts = await statfs(`/proc/${init}/root${path}`).catch(() => undefined);
    const isOurs = facts?.type === memoryFileSystem && facts.blocks * facts.bsize === size;
    return isOurs ? facts.files - facts.ffree : 0;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
