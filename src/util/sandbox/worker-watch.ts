/**
 * The second thread of a worker process. It ends the process when its parent has exited or it has grown too large, even if
 * the first thread never returns.
 */
import { parentPort, workerData } from 'node:worker_threads';

const { mostResident } = workerData as { readonly mostResident: number };
const parent = process.ppid;
const end = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

setInterval(() => {
  if (process.ppid !== parent) end();
}, 1_000);
setInterval(() => {
  if (process.memoryUsage.rss() > mostResident) end();
}, 50);
parentPort?.postMessage('watching');
