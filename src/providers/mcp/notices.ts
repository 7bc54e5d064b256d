/**
 * Notifications of a server. It can send endless ones, and all are processed in the shared process. Therefore each
 * connection has a budget, irrelevant notifications are dropped, and a list is read again only after a pause.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { limits } from './limits.js';

export interface NoticeHandlers {
  readonly onListChanged: () => void;
  /** Called once, when the server has exceeded its budget. */
  readonly onOver: () => void;
  /** Milliseconds. Default: a monotonic clock. */
  readonly now?: () => number;
}

/** Whether the protocol's library should see the message. */
export function createNoticeGate(handlers: NoticeHandlers): (message: JSONRPCMessage) => boolean {
  const { onListChanged, onOver, now = () => performance.now() } = handlers;
  let left: number = limits.noticeBurst;
  let since = now();
  let over = false;
  return (message) => {
    if (!('method' in message) || 'id' in message) return true;
    // Progress of a waiting call, which is counted there.
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

/** Notifications that Helve does not use: logs, resources and prompts. */
const unread = new Set([
  'notifications/message',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
]);

/**
 * Returns a function that acts immediately, and once more after a pause if it was called again meanwhile. The pause grows
 * while this continues, so that the last request always has an effect and a stream of them costs little.
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
