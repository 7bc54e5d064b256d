// Fills a disk, to see what happens then.
import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes a file that takes all the free space. Remove it to free the space again. */
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
