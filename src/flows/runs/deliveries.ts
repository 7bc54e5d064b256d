/**
 * The order in which a program gets its answers: one at a time, as their positions in the ledger say. A replay therefore
 * sees exactly what the first run saw.
 */

interface Ready {
  /** The program's clock from then on, in milliseconds. */
  readonly at: number;
  settle(): void;
}

export interface Deliveries {
  /** The next position. Nothing that comes after it is delivered before it is filled. */
  reserve(): number;
  /** What the program gets at this position, which is on disk. Without `settle` it gets nothing. */
  fill(position: number, ready: Ready | undefined): void;
  /** The program waits: the next answer may be delivered. */
  setIdle(): void;
  /** The program's clock. */
  now(): number;
  /** Whether every position that was reserved has been delivered, and the program waits. */
  isQuiet(): boolean;
}

export interface DeliveriesStart {
  readonly at: number;
  /** Those of the ledger, sorted. */
  readonly positions: readonly number[];
  /** Called whenever there is nothing left to deliver and the program waits. */
  onQuiet(): void;
  /** Called when the program waits, and the answer at this position is the next but is not there. */
  onMissing(position: number): void;
}

export function createDeliveries(start: DeliveriesStart): Deliveries {
  const order = [...start.positions];
  let last = order.at(-1) ?? 0;
  const ready = new Map<number, Ready | undefined>();
  let idle = false;
  let at = start.at;

  function deliver(): void {
    while (idle) {
      const [next] = order;
      if (next === undefined) {
        start.onQuiet();
        return;
      }
      if (!ready.has(next)) {
        start.onMissing(next);
        return;
      }
      order.shift();
      const one = ready.get(next);
      ready.delete(next);
      if (one === undefined) continue;
      idle = false;
      at = Math.max(at, one.at);
      one.settle();
    }
  }

  return {
    reserve() {
      last += 1;
      order.push(last);
      return last;
    },
    fill(position, one) {
      ready.set(position, one);
      deliver();
    },
    setIdle() {
      idle = true;
      deliver();
    },
    now: () => at,
    isQuiet: () => idle && order.length === 0,
  };
}
