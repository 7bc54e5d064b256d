/**
 * What happens in the workspace, live. One tab of the browser holds the stream and tells the others, because a browser opens
 * at most six connections to a server, and a stream occupies one. What an event concerns is asked again.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { sessionQuery } from '../shell/session.js';
import { findConcerned } from './concerned.js';
import { askAgain } from './use-api.js';

interface Live {
  /** Since when (ms) the stream has been cut; undefined if the page is up to date. */
  readonly lostSince: number | undefined;
}

const LiveContext = createContext<Live>({ lostSince: undefined });

export function useLive(): Live {
  return useContext(LiveContext);
}

/** What the tab with the stream tells the others. */
type Told = { readonly event: string } | { readonly lostSince: number | undefined };

const name = 'helve events';
/** How long the stream may be cut before the page says so: a quick restart of the server needs no message. */
const graceMs = 2_000;
/** After how long a stream that the server refused is opened again. */
const retryMs = 5_000;

export function LiveProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [lostSince, setLostSince] = useState<number | undefined>();
  useEffect(() => {
    const stop = new AbortController();
    const flush = createRefresher(queries, stop.signal);
    const channel = new BroadcastChannel(name);
    const receive = (told: Told) => {
      if ('event' in told) flush(told.event);
      else if ('lostSince' in told) {
        setLostSince(told.lostSince);
        // Anything may have happened while it was cut.
        if (told.lostSince === undefined) void askAgain(queries);
      }
    };
    const tell = (told: Told) => {
      channel.postMessage(told);
      receive(told);
    };
    channel.onmessage = ({ data }: MessageEvent<Told>) => receive(data);
    void holdStream(tell, () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }), stop.signal);
    return () => {
      stop.abort();
      channel.close();
    };
  }, [queries]);
  return <LiveContext value={{ lostSince }}>{children}</LiveContext>;
}

/** Waits until no other tab holds the stream, then holds it until `signal`. */
async function holdStream(tell: (told: Told) => void, onRefused: () => void, signal: AbortSignal): Promise<void> {
  const hold = () => runStream(tell, onRefused, signal);
  // Browsers have locks only on https and on this machine.
  if (navigator.locks === undefined) return hold();
  await navigator.locks.request(name, { signal }, hold).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function runStream(tell: (told: Told) => void, onRefused: () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let lostSince: number | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stream: EventSource;
    const open = () => {
      stream = new EventSource('/api/events');
      stream.onopen = () => {
        clearTimeout(timer);
        timer = undefined;
        if (lostSince === undefined) return;
        lostSince = undefined;
        tell({ lostSince });
      };
      // Nothing reports what happened between the first requests of the page and this moment.
      let isFirst = true;
      stream.addEventListener('record', ({ data }: MessageEvent<string>) => {
        tell(isFirst ? { lostSince: undefined } : { event: readType(data) });
        isFirst = false;
      });
      stream.onerror = () => {
        const since = Date.now();
        // The browser itself connects again, unless the server has answered with an error.
        if (stream.readyState === EventSource.CLOSED && !signal.aborted) {
          onRefused();
          setTimeout(() => (signal.aborted ? undefined : open()), retryMs);
        }
        timer ??= setTimeout(() => {
          lostSince = since;
          tell({ lostSince });
        }, graceMs);
      };
    };
    open();
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      stream.close();
      resolve();
    });
  });
}

function readType(data: string): string {
  try {
    const { type } = JSON.parse(data) as { type?: unknown };
    return typeof type === 'string' ? type : '';
  } catch {
    return '';
  }
}

/** Events that come together are handled together. */
const gatherMs = 1_000;

/** Asks again what the events concern: at once for the first, and for those that follow closely in one go. */
function createRefresher(queries: QueryClient, signal: AbortSignal): (type: string) => void {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    const keys = [...waiting].flatMap(findConcerned);
    waiting.clear();
    if (keys.length > 0)
      void askAgain(queries, {
        predicate: ({ queryKey }) => keys.some((key) => String(queryKey[0]).startsWith(key)),
      });
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  return (type) => {
    waiting.add(type);
    if (timer !== undefined) return;
    refresh();
    timer = setTimeout(() => {
      timer = undefined;
      refresh();
    }, gatherMs);
  };
}
