/** Whether a time has come. The page is drawn again when it does, so that nothing is offered for longer than it can be done. */
import { useEffect, useState } from 'react';

/** The longest that a timer of a browser can wait. */
const maxTimerMs = 2 ** 31 - 1;

export function useIsPast(at: string): boolean {
  const [, setDrawn] = useState(0);
  useEffect(() => {
    const left = Date.parse(at) - Date.now();
    if (!(left > 0 && left < maxTimerMs)) return;
    const timer = setTimeout(() => setDrawn(Date.now()), left + 1);
    return () => clearTimeout(timer);
  }, [at]);
  return Date.parse(at) <= Date.now();
}
