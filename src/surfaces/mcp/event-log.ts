/**
 * Keeps what was sent on the streams of transport sessions, so that a client whose stream broke can fetch the
 * rest. In memory and limited for all sessions together: the oldest events are dropped first, and a client that
 * resumes too late gets an error. An event is found only in the session that it belongs to. Its id names the process
 * that has it, because the client may come to another one (relay.ts).
 */
import { randomBytes } from 'node:crypto';
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

export interface EventLog {
  forSession(sessionId: string): EventStore;
  forgetSession(sessionId: string): void;
  /** Whether an event with this id would be here and not in another process. */
  isOwn(eventId: string): boolean;
  /** Calls `send` for what follows the event on its stream, now and later. Returns a function that ends this. */
  follow(sessionId: string, eventId: string, send: (id: string, message: JSONRPCMessage) => void): () => void;
  /** Whether a client of the session could ask for the rest of a call's stream. */
  hasCallStreams(sessionId: string): boolean;
}

interface StoredEvent {
  readonly sessionId: string;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly characters: number;
}

/** The name that the SDK gives to the stream that belongs to no call. */
const standalone = '_GET_stream';

/** Whether the event was sent on the stream that belongs to no call. */
export function isOfNoCall(eventId: string): boolean {
  return eventId.endsWith(`-${standalone}`);
}

/** Maximum total length of the kept messages, as JSON. */
const maxCharacters = 32_000_000;
const maxEvents = 20_000;

export function createEventLog(): EventLog {
  const own = randomBytes(6).toString('hex');
  const events = new Map<string, StoredEvent>();
  const callEvents = new Map<string, number>();
  const followers = new Set<(id: string, event: StoredEvent) => void>();
  let characters = 0;
  let sequence = 0;

  function countCallEvents({ sessionId, streamId }: StoredEvent, change: number): void {
    if (streamId === standalone) return;
    const count = (callEvents.get(sessionId) ?? 0) + change;
    if (count > 0) callEvents.set(sessionId, count);
    else callEvents.delete(sessionId);
  }

  function drop(id: string, event: StoredEvent): void {
    events.delete(id);
    characters -= event.characters;
    countCallEvents(event, -1);
  }

  function append(sessionId: string, streamId: string, message: JSONRPCMessage): string {
    const event = { sessionId, streamId, message, characters: JSON.stringify(message).length };
    const id = `${++sequence}-${own}-${streamId}`;
    events.set(id, event);
    characters += event.characters;
    countCallEvents(event, 1);
    for (const follower of followers) follower(id, event);
    for (const [oldest, old] of events) {
      if (characters <= maxCharacters && events.size <= maxEvents) break;
      drop(oldest, old);
    }
    return id;
  }

  function find(sessionId: string, id: string): StoredEvent | undefined {
    const event = events.get(id);
    return event?.sessionId === sessionId ? event : undefined;
  }

  /** The messages that follow an event on its stream. The event that opens a stream carries none. */
  function listAfter(sessionId: string, id: string): (readonly [string, JSONRPCMessage])[] {
    const from = find(sessionId, id);
    if (from === undefined) return [];
    const isLater = (later: string, event: StoredEvent): boolean =>
      numberIn(later) > numberIn(id) && event.sessionId === sessionId && event.streamId === from.streamId;
    return [...events]
      .filter(([later, event]) => isLater(later, event) && 'jsonrpc' in event.message)
      .map(([later, event]) => [later, event.message] as const);
  }

  return {
    forSession: (sessionId) => ({
      storeEvent: async (streamId, message) => append(sessionId, streamId, message),
      getStreamIdForEventId: async (id) => find(sessionId, id)?.streamId,
      async replayEventsAfter(id, { send }) {
        const from = find(sessionId, id);
        if (from === undefined) throw new Error('This event is no longer available');
        for (const [later, message] of listAfter(sessionId, id)) await send(later, message);
        return from.streamId;
      },
    }),
    forgetSession(sessionId) {
      for (const [id, event] of events) if (event.sessionId === sessionId) drop(id, event);
    },
    isOwn: (id) => id.split('-')[1] === own,
    follow(sessionId, id, send) {
      const from = find(sessionId, id);
      if (from === undefined) return () => undefined;
      for (const [later, message] of listAfter(sessionId, id)) send(later, message);
      const follower = (later: string, event: StoredEvent): void => {
        const isOfStream = event.sessionId === sessionId && event.streamId === from.streamId;
        if (isOfStream && 'jsonrpc' in event.message) send(later, event.message);
      };
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    hasCallStreams: (sessionId) => callEvents.has(sessionId),
  };
}

function numberIn(eventId: string): number {
  return Number.parseInt(eventId, 10);
}
