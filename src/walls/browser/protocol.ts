/**
 * Chromium's DevTools protocol over a pair of pipes: JSON messages separated by NULs. It uses a pipe and not a port,
 * because anyone who can reach the port controls the browser.
 */
import type { Readable, Writable } from 'node:stream';
import { HelveError } from '../../domain/errors.js';

/** As Chromium sends it: the caller knows the fields. */
export type Facts = Readonly<Record<string, unknown>>;
type Listener = (params: Facts) => void;

export interface Session {
  /** Throws `upstream_failed` if Chromium refuses, or has ended. */
  send(method: string, params?: Facts): Promise<Facts>;
  on(event: string, listener: Listener): void;
}

export interface Protocol extends Session {
  /** Returns a session for one page. */
  attach(sessionId: string): Session;
}

/** A larger message is no useful page. */
const maxBuffered = 128 * 1024 * 1024;

interface Waiting {
  readonly resolve: (result: Facts) => void;
  readonly reject: (error: HelveError) => void;
}

export function speak(input: Writable, output: Readable): Protocol {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Listener[]>();
  let last = 0;
  let gone = false;

  function receive(text: string): void {
    const { id, method, params = {}, result = {}, error, sessionId = '' } = JSON.parse(text);
    if (typeof id !== 'number') {
      for (const listener of listeners.get(`${sessionId} ${method}`) ?? []) listener(params);
      return;
    }
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(new HelveError('upstream_failed', `Chromium: ${error.message}`));
    else asked?.resolve(result);
  }
  function end(): void {
    gone = true;
    for (const { reject } of waiting.values()) reject(new HelveError('upstream_failed', 'Chromium has ended'));
    waiting.clear();
  }
  readTexts(output, receive, end);
  input.on('error', end);

  const session = (sessionId: string): Session => ({
    send(method, params = {}) {
      return new Promise((resolve, reject) => {
        if (gone) return reject(new HelveError('upstream_failed', 'Chromium has ended'));
        last += 1;
        waiting.set(last, { resolve, reject });
        const text = JSON.stringify({ id: last, method, params, ...(sessionId === '' ? {} : { sessionId }) });
        input.write(`${text}\0`);
      });
    },
    on(event, listener) {
      const key = `${sessionId} ${event}`;
      listeners.set(key, [...(listeners.get(key) ?? []), listener]);
    },
  });
  return { ...session(''), attach: session };
}

function readTexts(output: Readable, receive: (text: string) => void, end: () => void): void {
  let parts: Buffer[] = [];
  let size = 0;
  output.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let stop = rest.indexOf(0); stop >= 0; stop = rest.indexOf(0)) {
      const text = Buffer.concat([...parts, rest.subarray(0, stop)]).toString();
      [parts, size] = [[], 0];
      rest = rest.subarray(stop + 1);
      receive(text);
    }
    parts.push(rest);
    size += rest.length;
    if (size > maxBuffered) output.destroy();
  });
  output.on('error', end);
  output.on('close', end);
}
