/** prism answers from Slack's description, and refuses what it does not allow. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Counterpart, startChild } from '../../github/testing/child.js';
import { slackDocument } from './document.js';

export async function startPrism(): Promise<Counterpart> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-slack-'));
  const file = join(folder, 'slack.json');
  await writeFile(file, JSON.stringify(slackDocument()));
  const command = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
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
