/** How long a write of a task waits before it is tried again. */

/**
 * The ten waits in milliseconds: 0.1 s, and each 2.15 times the one before. The last is 100 s; together they are about
 * three minutes. The caller adds a random part to each.
 */
export const persistenceWaits = Object.freeze([
  100, 215, 464, 1_000, 2_154, 4_642, 10_000, 21_544, 46_416, 100_000,
]) as readonly number[];
