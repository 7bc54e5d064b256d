/** Append and read: the chained audit record. */
export {
  type ArchiveFacts,
  archiveKeySubject,
  findArchiveKey,
  isSigned,
  newArchiveKey,
  publicArchiveKey,
  signArchive,
} from './archive.js';
export {
  type CallColumns,
  type CallCondition,
  type CallerCounts,
  type CallIndex,
  createCallerCounts,
  createCallIndex,
  createCallSums,
  createFacetCounts,
  createFigureGroups,
  endTypes,
  type FacetCounts,
  type Field,
  readCall,
  readStatus,
  selectCalls,
  toColumns,
} from './calls/index.js';
export {
  finishedEvent,
  type OutcomeFacts,
  principalRef,
  type RefusedFacts,
  refusedEvent,
  startedEvent,
} from './events.js';
export { createRecordFeed, type FeedOptions, type Follower, type RecordFeed } from './feed.js';
export { createJournal, type Journal } from './journal.js';
export { redact, redactText, withoutSecrets } from './redact.js';
export { createChainCheck, seal } from './seal.js';
export { auditRows, type ChainStep, type CheckOptions, checkChain, createTurns, verifyChain } from './verify-chain.js';
