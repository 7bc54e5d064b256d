/** How much is accepted from an untrusted server. Each limit is above what a well-behaved server needs. */
export const limits = {
  /** One message, over any transport. */
  messageBytes: 10 * 1_048_576,
  /** Everything that one response streams, including progress and questions. */
  streamBytes: 64 * 1_048_576,
  /** Nesting of one message: the depth at which recursive validators are still safe. */
  messageDepth: 200,
  pages: 100,
  tools: 2_000,
  listBytes: 16 * 1_048_576,
  nameCharacters: 128,
  titleCharacters: 200,
  descriptionCharacters: 8_000,
  schemaTextCharacters: 2_000,
  definitionCharacters: 256_000,
  schemaNodes: 10_000,
  /** Questions (elicitation, sampling) in one call. */
  questions: 10,
  progressUpdates: 5_000,
  /** Notifications on one connection, without progress: in a burst, and each second after that. A server that sends more is cut off. */
  noticeBurst: 5_000,
  noticesPerSecond: 100,
  malformedLines: 10_000,
  stderrTail: 8_192,
  connectMs: 30_000,
  /** How long to wait for a server that ignores the question of 2026-07-28. */
  probeMs: 5_000,
  listMs: 30_000,
  callMs: 60_000,
  /** Independent of how long its client takes to answer questions. */
  maxCallMs: 24 * 3_600_000,
} as const;
