/** The messages between a run and the thread or process of its program. */
import type { LimitName, PlaceLoss, SandboxLimits } from '../../domain/sandbox.js';

export interface Beginning {
  readonly code: string;
  readonly limits: SandboxLimits;
  /** JSON text. */
  readonly namespaces: string;
  readonly globals: string;
  readonly modules: Readonly<Record<string, string>>;
  readonly now: number;
  readonly seed: number;
}

export interface Delivery {
  readonly kind: 'answer' | 'failure' | 'timer';
  readonly id: number;
  /** JSON text of the answer or the failure; empty for a timer. */
  readonly text: string;
  /** The guest's clock from now on. */
  readonly now: number;
}

export type ToGuest =
  | { readonly kind: 'prepare' }
  /** `leftMs`: how much of the wall-clock limit is left. */
  | { readonly kind: 'begin'; readonly run: number; readonly leftMs: number; readonly beginning: Beginning }
  | {
      readonly kind: 'deliver';
      readonly run: number;
      readonly leftMs: number;
      readonly deliveries: readonly Delivery[];
    }
  | { readonly kind: 'drop'; readonly run: number };

/** The result of a turn of the program. */
export interface Turn {
  /** What the guest's `take` wrote: `GuestRecord`s. Untrusted. Empty: there is none. */
  readonly output: string;
  /** JSON text of the error with which the turn failed, or empty. Untrusted. */
  readonly failure: string;
  /** Of all turns so far. */
  readonly cpuMs: number;
  /** `crashed`: the engine failed. */
  readonly ended: LimitName | 'crashed' | undefined;
  /** Whether its memory has been full, in this turn or before: a promise can swallow the error of that. */
  readonly full: boolean;
}

/** A thread or process as one run sees it. */
export interface Place {
  /** One question at a time. Rejects with a `PlaceLost`. */
  ask(message: ToGuest, timeoutMs: number): Promise<Turn>;
  /** The run is over. */
  release(): void;
}

export interface Places {
  /** Rejects with a `PlaceLost` if there is none before the signal is aborted. */
  take(tenant: string | undefined, signal: AbortSignal): Promise<Place>;
  close(): Promise<void>;
}

/** `ended`: mostly because of memory, but the process may also have been killed. */
export type LossReason = 'late' | 'memory' | 'ended' | PlaceLoss;

export class PlaceLost extends Error {
  readonly reason: LossReason;

  constructor(reason: LossReason, options?: ErrorOptions) {
    super(`The place of the program was lost: ${reason}`, options);
    this.reason = reason;
  }
}
