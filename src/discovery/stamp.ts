/** The inputs of a saved index besides its tools, and the parts of the tools that an index reads. */
import { createHash } from 'node:crypto';
import { open, readdir, readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { computedOnce } from '../util/computed-once.js';
import { listTexts } from './postings/tool-text.js';
import type { DiscoveredTool } from './tool.js';

const ownFolder = fileURLToPath(new URL('.', import.meta.url));
const wordVectors = new URL('../../weights/discovery-words.bin', import.meta.url);
/** The head of that file has its length and the checksum of its content. */
const headBytes = 32;

/**
 * A hash of the code of discovery, of the word vectors and of this machine's numbers. An index that was saved under
 * another one must be built again. Throws if a file cannot be read.
 */
export const snapshotStamp = computedOnce(async (): Promise<string> => {
  const hash = createHash('sha256').update(`${process.version} ${endianness()}\n`);
  for (const path of await listCode(ownFolder)) hash.update(`${path}\n`).update(await readFile(join(ownFolder, path)));
  const vectors = await open(wordVectors);
  try {
    hash.update((await vectors.read(Buffer.alloc(headBytes), 0, headBytes, 0)).buffer);
  } finally {
    await vectors.close();
  }
  return hash.digest('hex');
});

async function listCode(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /(?<!\.test)\.[jt]s$/.test(name) && !name.endsWith('.d.ts')).sort();
}

/** A hash of everything that an index reads of these tools. */
export function digestOf(tools: readonly DiscoveredTool[]): string {
  const hash = createHash('sha256');
  for (const tool of tools)
    hash.update(JSON.stringify([tool.id, tool.toolkit, tool.toolkitName ?? null, ...listTexts(tool)])).update('\n');
  return hash.digest('hex');
}
