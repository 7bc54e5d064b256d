/** What is allowed per minute unless the configuration says otherwise. */
export const defaultRateLimits = {
  /** Requests from one address without a valid credential. */
  perIp: 60,
  /** Requests with one valid credential. */
  perCredential: 1_200,
  /** Calls by one principal, including those that are refused or wait for a person. */
  perPrincipal: 600,
  /** Calls of one tool by one principal. */
  perTool: 300,
} as const;

/** What is taken from a count that all processes on the store share. */
export interface CountRequest {
  /** The limit and whom it counts. */
  readonly key: string;
  /** How many may be taken in a period. */
  readonly limit: number;
  /** The length of a period, which begins with the first one taken. */
  readonly periodMs: number;
  /** How many are asked for; 0 only looks. */
  readonly points: number;
}

export interface CountAnswer {
  /** From 0 to the points asked for. */
  readonly granted: number;
  /** How many the period has left after this. */
  readonly left: number;
  /** When the period ends, from now. */
  readonly endsInMs: number;
}

/** Counts that all processes on a store share; they need not survive a crash of the store. */
export interface SharedCounts {
  /** Throws `storage_failed`. */
  take(request: CountRequest): Promise<CountAnswer>;
}
