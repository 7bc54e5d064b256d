/**
 * The server of Restate that Helve starts, in a folder of its data folder. It listens on sockets in this folder, ends with the process
 * that started it, however that one ends, and is started again if it dies. Which process starts it is decided by a lock: a second
 * server in the folder could not open the database, but would take the sockets away from the first. The other processes use the
 * same server, and one of them gets the lock after the first has ended.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { HelveError } from '../../domain/errors.js';
import { takeLock } from './folder-lock.js';
import { createSender, type RestateNode, type RestateNodes } from './ingress.js';
import { findProgram, prepareFiles, socketsIn } from './server-files.js';

export interface RestateServerOptions {
  readonly folder: string;
  /** Failures that no caller sees. */
  readonly report: (error: unknown) => void;
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
/** How long the server of a process that has just ended may take to end too. */
const graceMs = 5_000;

/** How long to wait before the server is started again, by how often it has died: from 0.25 s, doubling, to 30 s. */
const pauseMs = (deaths: number): number => Math.min(30_000, 250 * 2 ** (deaths - 1));

export function createRestateServer({ folder, report }: RestateServerOptions) {
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
  let unlock: (() => void) | undefined;
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
  async function begin(): Promise<void> {
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
      if (await isReady()) return;
    begun.stdin.end();
    throw new HelveError('upstream_failed', `Restate in ${folder} did not start: ${log.trim()}`);
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  }

  /** Resolves when the server was started, or could not be. */
  async function tryToBegin(): Promise<void> {
    try {
      for (const until = Date.now() + graceMs; Date.now() < until && !stopping.signal.aborted && (await isReady()); )
        await pause(100);
      if (stopping.signal.aborted) return;
      await begin();
      starts += 1;
    } catch (thrown) {
      if (!stopping.signal.aborted) report(thrown);
    }
  }

  async function untilGone(): Promise<void> {
    const mine = child;
    if (mine && !hasEnded(mine)) await new Promise((resolve) => mine.once('exit', resolve));
  }

  async function keep(): Promise<void> {
    for (; !unlock && !stopping.signal.aborted; unlock = takeLock(folder)) await pause(lookMs);
    if (starts === 0 && !child && !stopping.signal.aborted) await tryToBegin();
    for (let deaths = 1; !stopping.signal.aborted; deaths += 1) {
      const since = Date.now();
      await untilGone();
      if (stopping.signal.aborted) return;
      if (Date.now() - since > longLifeMs) deaths = 1;
      report(new HelveError('upstream_failed', `Restate in ${folder} has ended, and is started again`));
      await pause(pauseMs(deaths));
      if (!stopping.signal.aborted) await tryToBegin();
    }
  }

  return {
    nodes: (): RestateNodes => nodes,
    identity,
    /** How often a server was started here; undefined while another process does. */
    starts: (): number | undefined => (unlock ? starts : undefined),
    /** Resolves when the server is ready, has failed to start and is tried again, or belongs to another process. */
    async start(): Promise<void> {
      unlock = takeLock(folder);
      if (unlock) await tryToBegin();
      keeping = keep();
    },
    /** Ends the server, if it is ours. */
    async close(): Promise<void> {
      stopping.abort();
      child?.stdin?.end();
      await untilGone();
      await keeping;
      unlock?.();
      await sender.close();
    },
  };
}

export type RestateServer = ReturnType<typeof createRestateServer>;

const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null || pid === undefined;
