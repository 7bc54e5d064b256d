/**
 * What a server says without being asked. It may say it without end, and all of it runs in the process of everybody: so
 * each connection has a budget, what nobody reads goes no further, and a list is read again at most once in a while.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { limits } from './limits.js';

export interface NoticeHandlers {
  readonly onListChanged: () => void;
  /** Once: the server has said more than anybody can want to hear. */
  readonly onOver: () => void;
  /** Milliseconds. Default: a clock that only goes forward. */
  readonly now?: () => number;
}

/** Whether the protocol's library is to see the message. */
export function createNoticeGate(handlers: NoticeHandlers): (message: JSONRPCMessage) => boolean {
  const { onListChanged, onOver, now = () => performance.now() } = handlers;
  let left: number = limits.noticeBurst;
  let since = now();
  let over = false;
  return (message) => {
    if (!('method' in message) || 'id' in message) return true;
    // Of a call that waits for them, and counted there.
    if (message.method === 'notifications/progress') return true;
    if (over) return false;
    const at = now();
    left = Math.min(limits.noticeBurst, left + ((at - since) / 1_000) * limits.noticesPerSecond) - 1;
    since = at;
    if (left < 0) {
      over = true;
      onOver();
      return false;
    }
    if (message.method === 'notifications/tools/list_changed') onListChanged();
    return !unread.has(message.method) && message.method !== 'notifications/tools/list_changed';
  };
}

/** What we have no use for: logs, resources and prompts. */
const unread = new Set([
  'notifications/message',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
]);

/**
 * Acts at once, and once more after a pause in which it was asked for again; the pause grows while that goes on, so that
 * the last request is always answered and a stream of them costs little.
 */
export function coalesced(act: () => Promise<void>, firstMs: number, maxMs: number): () => void {
  let pause = firstMs;
  let busy = false;
  let again = false;
  async function run(): Promise<void> {
    again = false;
    await act();
    setTimeout(() => {
      pause = again ? Math.min(maxMs, pause * 2) : firstMs;
      busy = again;
      if (again) void run();
    }, pause).unref();
  }
  return () => {
    again = busy;
    if (busy) return;
    busy = true;
    void run();
  };
}
