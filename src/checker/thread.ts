/**
 * The thread of one compiler. It blocks as long as a check takes, so it is never the host's: the host kills it, and the server
 * that it may have, when a check takes too long.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckedProgram, CodeIssue } from '../domain/code.js';
import type { Engine, EngineName } from './engine.js';
import { startJavaScript } from './engines/javascript.js';
import { inspectProgram } from './inspect.js';

/** From the thread to the host. */
export type ThreadMessage =
  | { readonly is: 'ready'; readonly processId: number | undefined }
  | { readonly is: 'unavailable'; readonly reason: string }
  | { readonly is: 'checked'; readonly issues: readonly CodeIssue[] }
  /** The program is too much for the compiler: out of stack, or its server has died. */
  | { readonly is: 'exhausted' }
  /** The compiler, or we, did what was not foreseen. */
  | { readonly is: 'broken'; readonly reason: string };

/** What the host says about the compiler. */
interface Wanted {
  readonly engine: EngineName;
  readonly dataDir: string | undefined;
}

async function startEngine({ engine, dataDir }: Wanted): Promise<Engine> {
  if (engine === 'javascript') return startJavaScript();
  const { loadCompiler } = await import('./engines/load-native.js');
  const { startNative } = await import('./engines/native.js');
  return startNative(await loadCompiler(dataDir));
}

function check(engine: Engine, program: CheckedProgram): ThreadMessage {
  try {
    return { is: 'checked', issues: inspectProgram(engine, program) };
  } catch (error) {
    if (error instanceof RangeError || /exit|EOF|closed|EPIPE/.test(String(error))) return { is: 'exhausted' };
    return { is: 'broken', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const send = (message: ThreadMessage) => port.postMessage(message);
  try {
    const engine = await startEngine(workerData as Wanted);
    // Loads the libraries, so that no program waits for them.
    inspectProgram(engine, { code: 'return [1].map(String)', namespaces: [], known: [] });
    send({ is: 'ready', processId: engine.processId });
    port.on('message', (program: CheckedProgram | 'close') => {
      if (program !== 'close') return send(check(engine, program));
      engine.close();
      port.close();
    });
  } catch (error) {
    send({ is: 'unavailable', reason: error instanceof Error ? error.message : String(error) });
  }
}

if (parentPort) void serve(parentPort);
