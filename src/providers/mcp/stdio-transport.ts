/**
 * A server as a child process that speaks in lines. The library's own transport passes its environment on, holds a line
 * however long it grows and leaves grandchildren behind; a stranger's program gets none of that here.
 */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { type AnswerGuard, createAnswerGuard } from './broken-answers.js';
import { limits } from './limits.js';
import { createLineReader } from './line-reader.js';
import type { McpServerSource } from './source.js';

type StdioSource = Extract<McpServerSource['transport'], { kind: 'stdio' }>;

export interface StdioTransport extends Transport {
  /** With `stderr`, by this the library knows that it has a child process before it: silence is no outage. */
  readonly pid: number | undefined;
  readonly stderr: null;
  /** The end of what the child said on stderr, for the operator: it may hold anything. */
  lastWords(): string;
}

export interface StdioOptions {
  /** A message was dropped: whoever waits for it waits in vain. */
  readonly onDropped: (reason: string, code: 'too_large' | 'outcome_unknown') => void;
  /** How long the child may take after the end of its stdin, and again after SIGTERM. */
  readonly graceMs?: number;
}

export function createStdioTransport(source: StdioSource, options: StdioOptions): StdioTransport {
  const { onDropped, graceMs = 1_000 } = options;
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
      ended = exitOf(started).then(() => {
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
      // Whatever it still says is read, so that it can end, and not looked at.
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

/** Passes on what is a message; a program that sends nothing but other things is ended. */
function createMessageReader(transport: () => Transport, guard: AnswerGuard): (line: string) => void {
  let malformed = 0;
  let turn = Promise.resolve();
  return (line) => {
    let message: JSONRPCMessage;
    try {
      const json: unknown = JSON.parse(line);
      if (!guard.admits(json)) return;
      message = parseJSONRPCMessage(json);
    } catch {
      malformed += 1;
      transport().onerror?.(new Error('A line that is no JSON-RPC message'));
      if (malformed === limits.malformedLines) void transport().close();
      return;
    }
    // The library looks at a notice a moment later than at an answer: the last progress would come after the end.
    turn = turn.then(() => transport().onmessage?.(message));
  };
}

function launch({ command, args = [], env = {}, cwd }: StdioSource): ChildProcessWithoutNullStreams {
  const child = spawn(command, args, {
    // What Helve itself was given may hold its secrets.
    env,
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that it is ended with all that it has started.
    detached: true,
    windowsHide: true,
  });
  // A child that has gone closes its pipes: that is no news.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  return child;
}

/** Of the process, not of its pipes: a grandchild may hold those open for ever. */
function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => {
      // What it wrote last is still in the pipe.
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
    // No group: nobody is left, or the system has none.
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  }
}

function release(child: ChildProcess): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

const drainedPerTurn = 4 * 1_048_576;
const turnMs = 10;

/** Reads to the end at a pace that leaves the event loop to others: a child that nobody reads from would stand still. */
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
