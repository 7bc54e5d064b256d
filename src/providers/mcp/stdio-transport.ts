/**
 * A server as a child process that exchanges lines. The library's own transport passes its environment on, buffers lines
 * without limit and leaves grandchildren behind; an untrusted program gets none of that here.
 */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { type AnswerGuard, createAnswerGuard } from './broken-answers.js';
import { limits } from './limits.js';
import { createLineReader } from './line-reader.js';
import type { McpServerSource } from './source.js';

type StdioSource = Extract<McpServerSource['transport'], { kind: 'stdio' }>;

export interface StdioTransport extends Transport {
  /** The library detects a child process by `stderr`, and then does not treat silence as an outage. */
  readonly pid: number | undefined;
  readonly stderr: null;
  /** The end of the child's stderr, for the operator only: it may contain anything. */
  lastWords(): string;
}

export interface StdioOptions {
  /** Called when a message was dropped that a request may be waiting for. */
  readonly onDropped: (reason: string, code: 'too_large' | 'outcome_unknown') => void;
}

/** How long the child may take after the end of its stdin, and again after SIGTERM. */
const graceMs = 1_000;

/** Returns the transport. The child process starts with `start()` and ends, with all its children, with `close()`. */
export function createStdioTransport(source: StdioSource, { onDropped }: StdioOptions): StdioTransport {
  let child: ChildProcess | undefined;
  let words = '';
  let ended: Promise<void> = Promise.resolve();
  const guard = createAnswerGuard(
    (message) => transport.onmessage?.(message),
    (problem) => onDropped(problem, 'outcome_unknown'),
  );
  const read = createMessageReader(() => transport, guard);

  const transport: StdioTransport = {
    stderr: null,
    get pid() {
      return child?.pid;
    },
    lastWords: () => words,
    async start() {
      if (child) throw new Error('This transport has been started before');
      const started = launch(source);
      child = started;
      const reader = createLineReader({ lineBytes: limits.messageBytes, depth: limits.messageDepth }, read, (reason) =>
        onDropped(reason, 'too_large'),
      );
      started.stdout.on('data', (chunk: Buffer) => reader.take(chunk));
      drain(started.stderr, (chunk) => {
        words = (words + chunk.toString('utf8')).slice(-limits.stderrTail);
      });
      ended = getExit(started).then(() => {
        killGroup(started, 'SIGKILL');
        release(started);
        transport.onclose?.();
      });
      await new Promise<void>((resolve, reject) => {
        started.once('spawn', resolve);
        started.once('error', reject);
      });
    },
    async send(message) {
      const stdin = child?.stdin;
      if (!stdin?.writable) throw new Error('The server has ended');
      guard.sent(message);
      await new Promise<void>((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      });
    },
    async close() {
      if (!child) return;
      // Its further output is read, so that it can end, and discarded.
      if (child.stdout) drain(child.stdout.removeAllListeners('data'), () => undefined);
      child.stdin?.end();
      if (await endsWithin(ended, graceMs)) return;
      killGroup(child, 'SIGTERM');
      if (await endsWithin(ended, graceMs)) return;
      killGroup(child, 'SIGKILL');
      await ended;
    },
  };
  return transport;
}

/** Passes on messages; a program that sends only other text is ended. */
function createMessageReader(transport: () => Transport, guard: AnswerGuard): (line: string) => void {
  let malformed = 0;
  let turn = Promise.resolve();
  return (line) => {
    let message: JSONRPCMessage;
    try {
      const json: unknown = JSON.parse(line);
      if (!guard.admits(json)) return;
      message = isNotice(json) ? json : parseJSONRPCMessage(json);
    } catch {
      malformed += 1;
      transport().onerror?.(new Error('A line that is not a JSON-RPC message'));
      if (malformed === limits.malformedLines) void transport().close();
      return;
    }
    // The library handles a notification later than an answer, so the last progress would come after the end.
    turn = turn.then(() => transport().onmessage?.(message));
  };
}

/**
 * Whether the value is a notification, judged as the library judges it but at a fraction of the cost: a server may send
 * thousands of them at once.
 */
function isNotice(json: unknown): json is JSONRPCNotification {
  if (!isPlainObject(json) || typeof json.method !== 'string' || json.jsonrpc !== '2.0') return false;
  if (json.params !== undefined && (!isPlainObject(json.params) || json.params._meta !== undefined)) return false;
  return Object.keys(json).every((key) => key === 'jsonrpc' || key === 'method' || key === 'params');
}

function launch({ command, args = [], env = {}, cwd }: StdioSource): ChildProcessWithoutNullStreams {
  const child = spawn(command, args, {
    // Helve's own environment may contain its secrets.
    env,
    ...defined({ cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group, so that everything it started ends with it.
    detached: true,
    windowsHide: true,
  });
  // A child that has ended closes its pipes, which needs no report.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  return child;
}

/** Waits for the process, not for its pipes: a grandchild may keep those open indefinitely. */
function getExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => {
      // Its last output is still in the pipe.
      setTimeout(resolve, 50);
    });
    child.once('error', () => resolve());
  });
}

async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const inTime = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // No group: no process is left, or the system has no groups.
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  }
}

function release(child: ChildProcess): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

const drainedPerTurn = 4 * 1_048_576;
const turnMs = 10;

/** Reads to the end at a pace that leaves time for the event loop: an unread child would block. */
function drain(stream: Readable, take: (chunk: Buffer) => void): void {
  let thisTurn = 0;
  stream.on('data', (chunk: Buffer) => {
    take(chunk.subarray(-limits.stderrTail));
    thisTurn += chunk.length;
    if (thisTurn < drainedPerTurn) return;
    thisTurn = 0;
    stream.pause();
    setTimeout(() => stream.resume(), turnMs);
  });
}
