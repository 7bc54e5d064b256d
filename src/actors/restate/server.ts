/**
 * The server of Restate that Helve starts, in a folder of its data folder. It listens on sockets in this folder, ends with the process
 * that started it, however that one ends, and is started again if it dies. Only one server runs in a folder, since its
 * database is locked: other processes on the folder use it, and one of them starts the next when it is gone.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { HelveError } from '../../domain/errors.js';
import { createSender, type RestateNode, type RestateNodes } from './ingress.js';
import { findProgram, prepareFiles, socketsIn } from './server-files.js';

export interface RestateServerOptions {
  readonly folder: string;
  /** Failures that no caller sees. */
  readonly report: (error: unknown) => void;
  /** How long to wait before the server is started again, by how often it has died, in milliseconds. Default: from 0.25 s, doubling, to 30 s. */
  readonly pauseMs?: (deaths: number) => number;
}

/**
 * `sh` waits for the server. What reads the input of `sh` ends the server when this process, which has the other end, is gone,
 * and also if `sh` itself was ended.
 */
const keeper = `
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
( read -r _ <&3; kill -TERM $server; sleep 2; kill -KILL $server ) >/dev/null 2>&1 &
watch=$!
wait $server
ended=$?
kill $watch
exit $ended
`;

const startMs = 60_000;
const lookMs = 1_000;
/** A server that ran for so long had started well. */
const longLifeMs = 60_000;

type State = 'ours' | 'of another process';

export function createRestateServer(options: RestateServerOptions) {
  const { folder, report } = options;
  const { pauseMs = (deaths) => Math.min(30_000, 250 * 2 ** (deaths - 1)) } = options;
  const program = findProgram();
  const { settings, identity } = prepareFiles(folder);
  const { ingress, admin } = socketsIn(folder);
  const nodes: RestateNodes = {
    ingress: [{ url: 'http://restate', socketPath: ingress }],
    admin: [{ url: 'http://restate', socketPath: admin }],
  };
  const sender = createSender();
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  let state: State | undefined;
  let starts = 0;
  let keeping: Promise<void> | undefined;

  async function isReady(): Promise<boolean> {
    const looks = [
      [nodes.admin, 'health'],
      [nodes.ingress, 'restate/health'],
    ] as const;
    const isGood = async ([[node], path]: readonly [readonly RestateNode[], string]): Promise<boolean> =>
      node !== undefined &&
      (await sender.send(node, { method: 'GET', path }).then(
        () => true,
        () => false,
      ));
    return (await Promise.all(looks.map(isGood))).every((good) => good);
  }

  /** Resolves when the server is ready. Throws `upstream_failed` if it ended before. */
  async function begin(): Promise<ChildProcess> {
    let log = '';
    const begun = spawn('/bin/sh', ['-c', keeper, 'restate', program, '--config-file', settings, '--no-logo'], {
      cwd: folder,
      // Nothing else of this process is the business of the server.
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'pipe', 'pipe'],
      // What a terminal sends to all of its processes would end the server before this process is done with it.
      detached: true,
    });
    child = begun;
    begun.stdin.on('error', () => undefined);
    begun.on('error', (error) => {
      log += String(error);
    });
    const keep = (chunk: unknown): void => {
      log = (log + String(chunk)).slice(-2_000);
    };
    begun.stdout.on('data', keep);
    begun.stderr.on('data', keep);
    for (
      const until = Date.now() + startMs;
      Date.now() < until && !hasEnded(begun) && !stopping.signal.aborted;
      await pause(50)
    )
      if (await isReady()) return begun;
    begun.stdin.end();
    throw new HelveError('upstream_failed', `Restate in ${folder} did not start: ${log.trim()}`);
  }

  /** Starts the server, unless another process has. Returns it if it is ours. Throws `upstream_failed`. */
  async function ensure(): Promise<ChildProcess | undefined> {
    state = undefined;
    if (!(await isReady())) {
      const begun = await begin().catch(async (thrown) => {
        // Unless another process was quicker: then it has the lock of the database.
        if (!(await isReady())) throw thrown;
      });
      if (begun) {
        state = 'ours';
        starts += 1;
        return begun;
      }
    }
    state = 'of another process';
    return undefined;
  }

  async function tryToEnsure(): Promise<ChildProcess | undefined> {
    try {
      return await ensure();
    } catch (thrown) {
      if (!stopping.signal.aborted) report(thrown);
      return undefined;
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  }

  async function untilGone(mine: ChildProcess | undefined): Promise<void> {
    if (mine) {
      if (!hasEnded(mine)) await new Promise((resolve) => mine.once('exit', resolve));
      if (!stopping.signal.aborted)
        report(new HelveError('upstream_failed', `Restate in ${folder} has ended, and is started again`));
    } else {
      while (!stopping.signal.aborted && (await isReady())) await pause(lookMs);
      // If several processes wait for this, one of them is quicker.
      await pause(Math.random() * lookMs);
    }
  }

  async function keep(first: ChildProcess | undefined): Promise<void> {
    let mine = first;
    for (let deaths = 0; !stopping.signal.aborted; ) {
      const [since, was] = [Date.now(), state];
      if (was) await untilGone(mine);
      deaths = Date.now() - since > longLifeMs ? 1 : deaths + 1;
      if (was !== 'of another process') await pause(pauseMs(deaths));
      if (!stopping.signal.aborted) mine = await tryToEnsure();
    }
  }

  return {
    nodes: (): RestateNodes => nodes,
    identity,
    /** How often a server was started here; undefined while another process has started the one that runs. */
    starts: (): number | undefined => (state === 'of another process' ? undefined : starts),
    /** Resolves when the server is ready, or has failed to start; then it is tried again. */
    async start(): Promise<void> {
      keeping = keep(await tryToEnsure());
    },
    /** Ends the server, if it is ours. */
    async close(): Promise<void> {
      stopping.abort();
      child?.stdin?.end();
      if (child && !hasEnded(child)) await new Promise((resolve) => child?.once('exit', resolve));
      await keeping;
      await sender.close();
    },
  };
}

export type RestateServer = ReturnType<typeof createRestateServer>;

const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null || pid === undefined;
