/** prism answers for an OpenAPI document on loopback, and refuses what the document does not allow. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Counterpart, startChild } from './child.js';

const command = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');

export async function startPrism(document: unknown): Promise<Counterpart> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-prism-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'document.json');
    await writeFile(file, JSON.stringify(document));
    const prism = await startChild(
      [command, 'mock', '-h', '127.0.0.1', '-p', '0', file],
      /listening on (http:\/\/127\.0\.0\.1:\d+)/,
    );
    return {
      url: prism.url,
      async close() {
        await prism.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
