/**
 * Keeps what was sent on the streams of transport sessions, so that a client whose stream broke can fetch the
 * rest. In memory and limited for all sessions together: the oldest events are dropped first, and a client that
 * resumes too late gets an error. An event is found only in the session that it belongs to.
 */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

export interface EventLog {
  forSession(sessionId: string): EventStore;
  forgetSession(sessionId: string): void;
}

interface StoredEvent {
  readonly sessionId: string;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly characters: number;
}

export function createEventLog(maxCharacters = 32_000_000, maxEvents = 20_000): EventLog {
  const events = new Map<string, StoredEvent>();
  let characters = 0;
  let sequence = 0;

  function drop(id: string, event: StoredEvent): void {
    events.delete(id);
    characters -= event.characters;
  }

  function append(sessionId: string, streamId: string, message: JSONRPCMessage): string {
    const event = { sessionId, streamId, message, characters: JSON.stringify(message).length };
    const id = String(++sequence);
    events.set(id, event);
    characters += event.characters;
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

  return {
    forSession: (sessionId) => ({
      storeEvent: async (streamId, message) => append(sessionId, streamId, message),
      getStreamIdForEventId: async (id) => find(sessionId, id)?.streamId,
      async replayEventsAfter(id, { send }) {
        const from = find(sessionId, id);
        if (from === undefined) throw new Error('This event is no longer available');
        for (const [later, event] of [...events]) {
          const follows = Number(later) > Number(id) && event.sessionId === sessionId;
          // The event that opens a stream carries no message.
          if (follows && event.streamId === from.streamId && 'jsonrpc' in event.message) {
            await send(later, event.message);
          }
        }
        return from.streamId;
      },
    }),
    forgetSession(sessionId) {
      for (const [id, event] of events) if (event.sessionId === sessionId) drop(id, event);
    },
  };
}
