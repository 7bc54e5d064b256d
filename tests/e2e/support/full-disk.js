/** A Helve on a disk that fills up: prints the results of `/health` and a write before, during and after. Run as `full-disk.js <folder>`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fillDisk } from '../../../bench/support/fill-disk.js';
import { createHelve } from '../../../dist/index.js';
import { createHttpApp } from '../../../dist/surfaces/http/index.js';

const [folder = ''] = process.argv.slice(2);
const publicUrl = 'http://127.0.0.1:4870';
const logged = [];
const reportError = (error) => logged.push(String(error));
const helve = await createHelve({ dataDir: folder, nativeToolkits: [], reportError });
const { workspaceId } = await helve.setUp();
const app = createHttpApp({ plane: helve.plane, publicUrl, reportError });
const ballast = join(folder, 'ballast');

async function look() {
  // Longer than the time for which an answer is cached.
  await setTimeout(1_100);
  const { status } = await app.request(`${publicUrl}/health`, { headers: { host: '127.0.0.1:4870' } });
  const write = await helve.adminLink(workspaceId).then(
    () => 'written',
    (error) => `${error.code}: ${error.message}`,
  );
  return { status, write };
}

const before = await look();
fillDisk(ballast);
const full = await look();
rmSync(ballast);
const after = await look();
await helve.close();
process.stdout.write(JSON.stringify({ before, full, after, logged }));
