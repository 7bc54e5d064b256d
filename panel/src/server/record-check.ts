/** The check of the record: how far it is, stopping it, and going on where it stopped. */
import { useEffect, useRef, useState } from 'react';
import type { HelveClient } from '../../../src/api/index.js';
import { parseJson } from './request.js';

type ChainProgress = ReturnType<HelveClient['checkRecord']> extends AsyncIterable<infer Event> ? Event : never;
export type CheckEnd = Extract<ChainProgress, { type: 'done' }>;

export interface RecordCheck {
  readonly state: 'none' | 'running' | 'stopped' | 'failed' | 'done';
  /** Rows verified so far, of how many. */
  readonly checked: number;
  readonly total: number;
  readonly end: CheckEnd | undefined;
}

const atStart: RecordCheck = { state: 'none', checked: 0, total: 0, end: undefined };

/** Starts, stops and resumes one check; it stops when the page is left. */
export function useRecordCheck() {
  const [check, setCheck] = useState(atStart);
  const stream = useRef<EventSource>(undefined);
  const checkpoint = useRef<string>(undefined);
  const close = () => {
    stream.current?.close();
    stream.current = undefined;
  };
  useEffect(() => () => stream.current?.close(), []);
  const open = (from: string | undefined) => {
    close();
    setCheck((before) => ({ ...(from === undefined ? atStart : before), state: 'running', end: undefined }));
    const source = new EventSource(
      from === undefined
        ? '/api/audit/verify/stream'
        : `/api/audit/verify/stream?${new URLSearchParams({ checkpoint: from })}`,
    );
    stream.current = source;
    source.addEventListener('check', ({ data }: MessageEvent<string>) => {
      const event = parseJson(data) as ChainProgress;
      checkpoint.current = event.checkpoint;
      if (event.type === 'progress') {
        setCheck({ state: 'running', checked: event.checked, total: event.total, end: undefined });
      } else {
        close();
        setCheck({ state: 'done', checked: event.checked, total: event.head.seq, end: event });
      }
    });
    source.onerror = (event) => {
      // A cut connection is opened again by the browser, from the last checkpoint. An error that the server sent is an end.
      if (!('data' in event) && source.readyState !== EventSource.CLOSED) return;
      close();
      checkpoint.current = undefined;
      setCheck((before) => ({ ...before, state: 'failed' }));
    };
  };
  return {
    check,
    start: () => open(undefined),
    resume: () => open(checkpoint.current),
    stop: () => {
      close();
      setCheck((before) => ({ ...before, state: 'stopped' }));
    },
  };
}
