/** Streams to a client: server-sent events and lines of JSON. Both end when the client disconnects. */
import { toProblem } from './problem.js';

const heartbeatMs = 15_000;
/** A client that is this many events behind gets no more progress events; it always gets the end. */
const maxEventsBehind = 1_000;
const encoder = new TextEncoder();

export type Send<Event> = (event: Event) => void;

export interface EventKind<Event> {
  /** The name of each event on the wire. */
  readonly name: string;
  /** Whether a client that is far behind can miss this event. */
  readonly isPassing: (event: Event) => boolean;
}

/** Calls `produce` once the client reads; its signal fires when the client has disconnected. */
export function eventStream<Event>(
  request: Request,
  { name, isPassing }: EventKind<Event>,
  produce: (send: Send<Event>, signal: AbortSignal) => Promise<void>,
): Response {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, request.signal]);

  async function run(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const write = (text: string): void => {
      if (!signal.aborted) controller.enqueue(encoder.encode(text));
    };
    write(': open\n\n');
    const heartbeat = setInterval(write, heartbeatMs, ': still here\n\n');
    try {
      await produce((event) => {
        if ((controller.desiredSize ?? 0) < -maxEventsBehind && isPassing(event)) return;
        write(`event: ${name}\ndata: ${JSON.stringify(event)}\n\n`);
      }, signal);
    } catch (error) {
      write(`event: error\ndata: ${JSON.stringify(toProblem(error))}\n\n`);
    } finally {
      clearInterval(heartbeat);
      if (!gone.signal.aborted) controller.close();
    }
  }

  let running: Promise<void> | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        running ??= run(controller);
        return running;
      },
      cancel() {
        gone.abort();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' } });
}

interface Followed<Event> {
  /** Called once, with a signal that fires when nobody reads any more. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<Event>;
  /** Whether the stream ends after the first event. */
  readonly isOnce?: boolean;
}

/** Sends what `follow` yields. The first event is awaited before the response begins, so that a refusal is an ordinary error. */
export async function followStream<Event>(
  request: Request,
  kind: EventKind<Event>,
  { follow, isOnce = false }: Followed<Event>,
): Promise<Response> {
  const stop = new AbortController();
  const events = follow(AbortSignal.any([stop.signal, request.signal]))[Symbol.asyncIterator]();
  const first = await events.next();
  return eventStream(request, kind, async (send, signal) => {
    signal.addEventListener('abort', () => stop.abort(), { once: true });
    let next = first;
    while (!next.done && !signal.aborted) {
      send(next.value);
      if (isOnce) break;
      next = await events.next();
    }
    await events.return?.();
  });
}

export interface SequenceKind<Item> {
  /** The name of each event on the wire. */
  readonly name: string;
  /** The id from which a reconnecting client continues: its `Last-Event-ID`. */
  readonly getId: (item: Item) => string;
}

/**
 * Sends each item when the client reads, so that one that is slow holds up nobody and misses nothing. `items` is called once,
 * with a signal that fires when the client has disconnected.
 */
export function sequenceStream<Item>(
  request: Request,
  { name, getId }: SequenceKind<Item>,
  items: (signal: AbortSignal) => AsyncIterable<Item>,
): Response {
  const gone = new AbortController();
  const iterator = items(AbortSignal.any([gone.signal, request.signal]))[Symbol.asyncIterator]();
  let heartbeat: NodeJS.Timeout | undefined;

  function end(controller: ReadableStreamDefaultController<Uint8Array>): void {
    clearInterval(heartbeat);
    if (!gone.signal.aborted) controller.close();
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string): void => {
          if (!gone.signal.aborted) controller.enqueue(encoder.encode(text));
        };
        write(': open\n\n');
        heartbeat = setInterval(() => {
          // A client that does not read needs no keep-alive messages.
          if ((controller.desiredSize ?? 0) >= 0) write(': still here\n\n');
        }, heartbeatMs).unref();
      },
      async pull(controller) {
        try {
          const next = await iterator.next();
          if (next.done) return end(controller);
          const data = JSON.stringify(next.value);
          controller.enqueue(encoder.encode(`id: ${getId(next.value)}\nevent: ${name}\ndata: ${data}\n\n`));
        } catch (error) {
          controller.enqueue(encoder.encode(`event: error\ndata: ${JSON.stringify(toProblem(error))}\n\n`));
          end(controller);
        }
      },
      async cancel() {
        clearInterval(heartbeat);
        gone.abort();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' } });
}

/** Awaits the first item before the response begins, so that a refusal is still an ordinary error response. */
export async function jsonLines(items: AsyncIterable<unknown>): Promise<Response> {
  const iterator = items[Symbol.asyncIterator]();
  let next = await iterator.next();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (next.done) return controller.close();
        controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`));
        try {
          next = await iterator.next();
        } catch (error) {
          // A last line that is not an item, so that no client mistakes a part for the whole.
          controller.enqueue(encoder.encode(`${JSON.stringify({ error: toProblem(error) })}\n`));
          next = { done: true, value: undefined };
        }
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { headers: { 'content-type': 'application/x-ndjson' } });
}
