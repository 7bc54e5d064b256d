/**
 * What a worker process begins with. Arguments: the address of the worker's module, the most memory in bytes that the
 * process may have resident, and its niceness. It answers `{ ready: true }` once the module is imported and the watch
 * over it runs, and then each `{ call, message }` with one reply.
 */
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { HelveError } from '../../domain/errors.js';
import type { WorkerModule } from '../../domain/workers.js';
import type { WorkerReply } from './worker-messages.js';

const [, , entry = '', mostResident = '0', niceness = '0'] = process.argv;

process.once('disconnect', () => process.exit());
const watch = new Worker(new URL('./worker-watch.js', import.meta.url), {
  workerData: { mostResident: Number(mostResident) },
});
// The thread cannot be started, so nothing would end the process in time: no work is done in it.
watch.once('error', () => process.exit(1));
watch.unref();
await Promise.race([once(watch, 'message'), once(process, 'disconnect')]);
yieldTo(Number(niceness));

// Nothing in here has business with the network, whatever a library would like.
for (const global of ['fetch', 'WebSocket', 'EventSource', 'Request', 'Response', 'FormData'])
  Reflect.deleteProperty(globalThis, global);
const calls = (await import(entry)) as WorkerModule;

process.on('message', async ({ call, message }: { readonly call: string; readonly message: never }) => {
  process.send?.(await replyTo(call, message));
});
process.send?.({ ready: true });

async function replyTo(call: string, message: never): Promise<WorkerReply> {
  try {
    const work = Object.hasOwn(calls, call) ? calls[call] : undefined;
    if (!work) throw new Error(`The module exports no ${call}`);
    return { answer: await work(message) };
  } catch (error) {
    if (error instanceof HelveError) return { refusal: { code: error.code, message: error.message, hint: error.hint } };
    const said = error instanceof RangeError ? error.message : '';
    if (/call stack/i.test(said)) return { exhausted: 'stack' };
    if (/allocat/i.test(said)) return { exhausted: 'memory' };
    return { failure: String((error instanceof Error && error.stack) || error) };
  }
}

function yieldTo(level: number): void {
  if (level === 0) return;
  try {
    setPriority(level);
  } catch {
    // A process that may not lower its own priority does its work all the same.
  }
}
