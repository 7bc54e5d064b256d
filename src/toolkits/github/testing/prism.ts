/** prism answers from GitHub's OpenAPI document, and refuses what the document does not allow. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Counterpart, startChild } from './child.js';
import { operations } from './operations.js';
import { sliceOfGitHub } from './slice.js';

const require = createRequire(import.meta.url);

export async function startPrism(): Promise<Counterpart> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-github-'));
  const file = join(folder, 'github.json');
  await writeFile(file, JSON.stringify(sliceOfGitHub(operations)));
  const command = require.resolve('@stoplight/prism-cli/dist/index.js');
  const prism = await startChild(
    [command, 'mock', '-h', '127.0.0.1', '-p', '0', file],
    /listening on (http:\/\/127\.0\.0\.1:\d+)/,
  );
  return {
    url: prism.url,
    async close() {
      await prism.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
