// For what happens when a disk is full.
import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes a file that takes all the room that is left. Remove it to have room again. */
export function fillDisk(path) {
  const file = openSync(path, 'w');
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try {
      for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break;
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
}
