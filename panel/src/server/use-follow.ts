/** Following one thing by its own stream, for what is not in the record: the states of issues and of other actors. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ApiKey } from './request.js';
import { askAgain } from './use-api.js';

/** After how long a stream that the server ended is opened again. */
const retryMs = 5_000;

/**
 * Asks again what begins with `concerned` after each event of this name. Only while the page is on screen: a browser opens
 * at most six connections to a server, and every tab would hold one.
 */
export function useFollow(address: string, event: 'issue' | 'actor', concerned: readonly ApiKey[]): void {
  const queries = useQueryClient();
  const keys = concerned.join('\n');
  useEffect(() => {
    let stream: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      const routes = keys.split('\n');
      void askAgain(queries, { predicate: ({ queryKey }) => routes.includes(String(queryKey[0])) });
    };
    const close = () => {
      clearTimeout(timer);
      stream?.close();
      stream = undefined;
    };
    const open = () => {
      close();
      if (document.visibilityState === 'hidden') return;
      const opened = new EventSource(address);
      stream = opened;
      opened.addEventListener(event, refresh);
      opened.onerror = () => {
        // The browser itself connects again, unless the server has ended the stream.
        if (opened.readyState === EventSource.CLOSED) timer = setTimeout(open, retryMs);
      };
    };
    open();
    document.addEventListener('visibilitychange', open);
    return () => {
      document.removeEventListener('visibilitychange', open);
      close();
    };
  }, [address, event, keys, queries]);
}
