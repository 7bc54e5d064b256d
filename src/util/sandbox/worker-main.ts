/**
 * The main module of a worker process. Arguments: the address of the worker's module, the maximum resident memory of the
 * process in bytes, and its niceness. It sends `{ ready: true }` when the module has been imported and the watching thread
 * runs, and then answers each `{ call, message }` with one reply.
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
// Without the watching thread, nothing would end the process in time, so it does no work.
watch.once('error', () => process.exit(1));
watch.unref();
await Promise.race([once(watch, 'message'), once(process, 'disconnect')]);
yieldTo(Number(niceness));

// No code in this process needs the network, whatever a library tries.
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
    // A process that may not lower its own priority still does its work.
  }
}
