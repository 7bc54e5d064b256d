/** How much of a stranger's server is taken. All of it is more than a well-meant server needs. */
export const limits = {
  /** One message, whatever carries it. */
  messageBytes: 10 * 1_048_576,
  /** All that one answer streams: progress and questions included. */
  streamBytes: 64 * 1_048_576,
  /** Nesting of one message: as deep as recursion in validators is safe. */
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
  /** Notices on one connection, progress apart: at once, and each second after that. One that says more is cut off. */
  noticeBurst: 5_000,
  noticesPerSecond: 100,
  malformedLines: 10_000,
  stderrTail: 8_192,
  connectMs: 30_000,
  /** A server that does not know the question of 2026-07-28 and is silent about it is given this long. */
  probeMs: 5_000,
  listMs: 30_000,
  callMs: 60_000,
  /** However long its client takes to answer questions. */
  maxCallMs: 24 * 3_600_000,
} as const;
