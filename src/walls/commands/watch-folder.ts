/**
 * Limits what a work folder of the machine holds, which nothing else does: its file system is that of the data folder. Measured
 * once a second, so a command may exceed it briefly; a single file never does, because the kernel limits that.
 */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const everyMs = 1_000;
const maxFiles = 100_000;
const megabyte = 1_048_576;
/** The unit in which `lstat` counts, whatever the blocks of the file system are. */
const blockBytes = 512;

/**
 * Calls back when the folder holds more than its limit, and more than at the start: so a command that removes files
 * from a full folder may run.
 */
export function watchFolder(folder: string, diskMb: number, onExceeded: () => void): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const first = measureFolder(folder);
  const look = async (): Promise<void> => {
    const [before, now] = [await first, await measureFolder(folder)];
    if (stopped) return;
    const isOver =
      now.bytes > Math.max(diskMb * megabyte, before.bytes) || now.files > Math.max(maxFiles, before.files);
    if (isOver) onExceeded();
    next();
  };
  function next(): void {
    timer = setTimeout(() => void look(), everyMs);
    timer.unref();
  }
  next();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Returns the bytes on disk and the number of all files below. Files that vanish meanwhile or cannot be read count as
 * nothing. Links are not followed.
 */
async function measureFolder(folder: string): Promise<{ readonly bytes: number; readonly files: number }> {
  let bytes = 0;
  let files = 0;
  const waiting = [folder];
  for (let path = waiting.pop(); path !== undefined && files <= 2 * maxFiles; path = waiting.pop()) {
    const entries: readonly Dirent[] = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const at = join(path, entry.name);
      files += 1;
      bytes += ((await lstat(at).catch(() => undefined))?.blocks ?? 0) * blockBytes;
      if (entry.isDirectory()) waiting.push(at);
    }
  }
  return { bytes, files };
}
