/**
 * Runs one command on one machine, over a socket that the egress wall opened: one connection, one login with one key,
 * one command, and the end. Nothing is retried. There is no terminal, and nothing is forwarded.
 */
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, ClientChannel, ConnectConfig, ParsedKey, PublicKeyAuthMethod } from 'ssh2';
import type { ToolContext } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import { type Collected, collect } from '../../util/collect-output.js';
import { type Stage, sessionFailed } from './failures.js';
import { computeFingerprint, type HostKey, parseHostKey } from './host-key.js';
import { getEndpoint, type Target } from './hosts.js';
import { readPrivateKey } from './private-key.js';

export interface RemoteCommand {
  readonly command: string;
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly outputBytes: number;
}

export interface RemoteResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Collected;
  readonly stderr: Collected;
  readonly timedOut: boolean;
}

interface Running {
  readonly channel: ClientChannel;
  readonly stdout: Collected;
  readonly stderr: Collected;
  exit: { readonly code: number | null; readonly signal: string | null } | undefined;
}

/** How long to wait for the machine to confirm that it has ended the command. */
const endingMs = 1_000;
const keepAliveMs = 15_000;

/**
 * Algorithms that are fast on both sides. Groups of large primes are left out, because they block this thread for too
 * long.
 */
const algorithms = {
  kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org', 'ecdh-sha2-nistp256', 'ecdh-sha2-nistp384'],
  cipher: ['aes256-gcm@openssh.com', 'aes128-gcm@openssh.com', 'aes256-ctr', 'aes128-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} satisfies ConnectConfig['algorithms'];

/** Throws the errors of `sessionFailed`; `timeout` only if nothing was sent. */
export async function runRemotely(
  request: RemoteCommand,
  target: Target,
  { connector, signal, workers }: Pick<ToolContext, 'connector' | 'signal' | 'workers'>,
): Promise<RemoteResult> {
  const hostKey = parseHostKey(target.host_key, `${target.setting}.host_key`);
  const key = await readPrivateKey(target, workers);
  const stop = AbortSignal.any([signal, AbortSignal.timeout(request.timeoutMs)]);
  const stopped = whenStopped(stop);
  const stage: Stage = { wrongKey: undefined, sent: false, lost: false };
  let socket: Duplex | undefined;
  let client: Client | undefined;
  let starting: Promise<Running> | undefined;
  let running: Running | undefined;
  try {
    socket = await unlessStopped(connector.connect(getEndpoint(target)), stopped);
    client = new (await import('ssh2')).default.Client();
    const failed = whenFailed(client, stage);
    await Promise.race([stopped, failed, logIn(client, socket, { target, key, hostKey, stage })]);
    stage.sent = true;
    starting = start(client, request);
    running = await Promise.race([stopped, failed, starting]);
    // If the connection is cut after the exit status has arrived, only the last output is still missing.
    const last = ended(running);
    const cut = failed.catch((error) => (running?.exit ? last : Promise.reject(error)));
    await Promise.race([stopped, cut, last]);
    return toResult(running, false);
  } catch (thrown) {
    if (!stop.aborted) throw sessionFailed(thrown, target, stage, hostKey.fingerprint);
    // The machine may have begun the command without having confirmed it yet.
    running ??= await soon(starting);
    if (client && running) await endCommand(client, running);
    if (signal.aborted) throw new HelveError('cancelled', 'The call was cancelled');
    if (running) return toResult(running, true);
    throw sessionFailed(tooLate(target), target, stage, hostKey.fingerprint);
  } finally {
    client?.end();
    socket?.destroy();
  }
}

interface Login {
  readonly target: Target;
  readonly key: ParsedKey;
  readonly hostKey: HostKey;
  readonly stage: Stage;
}

function logIn(client: Client, sock: Duplex, { target, key, hostKey, stage }: Login): Promise<void> {
  const { user: username } = target;
  const authHandler: PublicKeyAuthMethod[] = [{ type: 'publickey', username, key }];
  return new Promise((resolve) => {
    client.once('ready', resolve);
    client.connect({
      sock: sock as Socket,
      username,
      authHandler,
      agentForward: false,
      tryKeyboard: false,
      // Only the deadline of the call applies.
      readyTimeout: 0,
      keepaliveInterval: keepAliveMs,
      keepaliveCountMax: 3,
      algorithms: { ...algorithms, serverHostKey: [...hostKey.algorithms] },
      hostVerifier(shown: Buffer): boolean {
        const fingerprint = computeFingerprint(shown);
        if (fingerprint === hostKey.fingerprint) return true;
        stage.wrongKey = fingerprint;
        return false;
      },
    });
  });
}

function start(client: Client, { command, stdin, outputBytes }: RemoteCommand): Promise<Running> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) return reject(error);
      const flooded = (): void => kill(client, channel);
      const running: Running = {
        channel,
        stdout: collect(channel, outputBytes, flooded),
        stderr: collect(channel.stderr, outputBytes, flooded),
        exit: undefined,
      };
      channel.once('exit', (code: number | null, signal?: string) => {
        running.exit = { code, signal: signal ?? null };
      });
      // It is not a failure if nobody reads the input any more.
      channel.on('error', () => undefined);
      channel.end(stdin);
      resolve(running);
    });
  });
}

/** Waits for the last output too: ssh2 emits `close` without regard to stderr. */
async function ended(running: Running): Promise<void> {
  const { channel } = running;
  await Promise.all([
    new Promise<void>((resolve) => channel.once('close', () => resolve())),
    new Promise<void>((resolve) => channel.stderr.once('end', () => resolve())),
  ]);
  if (!running.exit) throw new Error('it did not say how the command ended');
}

/** Waits for `work` for at most the time that an ending may take. Returns undefined if it fails or takes longer. */
async function soon<Value>(work: Promise<Value> | undefined): Promise<Value | undefined> {
  return Promise.race([work?.catch(() => undefined), pause(endingMs, undefined, { ref: false })]);
}

async function endCommand(client: Client, { channel, exit }: Running): Promise<void> {
  if (exit) return;
  kill(client, channel);
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, endingMs);
    channel.once('exit', done);
    client.once('close', done);
  });
}

/**
 * ssh2's own `signal` does nothing once the input has ended, though RFC 4254 allows signals as long as the channel is
 * open.
 */
function kill(client: Client, channel: ClientChannel): void {
  const { _protocol: protocol } = client as unknown as { _protocol?: { signal(channel: number, name: string): void } };
  const { outgoing } = channel as unknown as { outgoing: { readonly id: number; readonly state: string } };
  if (outgoing.state !== 'closed' && outgoing.state !== 'closing') protocol?.signal(outgoing.id, 'KILL');
}

function toResult({ exit, stdout, stderr }: Running, timedOut: boolean): RemoteResult {
  const signal = exit?.signal ?? null;
  const ofSignal = signal === null ? null : 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  return { exitCode: exit?.code ?? ofSignal, signal, stdout, stderr, timedOut };
}

const tooLate = ({ name }: Target): HelveError =>
  new HelveError('timeout', `The host ${name} did not answer in time; nothing was run`);

/** Its listeners stay until the connection ends, so that no late error is uncaught. */
function whenFailed(client: Client, stage: Stage): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    client.on('error', reject);
    client.once('close', () => {
      stage.lost = true;
      reject(new Error('it was closed'));
    });
  });
  failed.catch(() => undefined);
  return failed;
}

function whenStopped(stop: AbortSignal): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
    if (stop.aborted) reject(stop.reason);
  });
  stopped.catch(() => undefined);
  return stopped;
}

/** A socket that is opened too late is closed. */
async function unlessStopped(opening: Promise<Duplex>, stopped: Promise<never>): Promise<Duplex> {
  try {
    return await Promise.race([opening, stopped]);
  } catch (thrown) {
    opening.then(
      (socket) => socket.destroy(),
      () => undefined,
    );
    throw thrown;
  }
}
