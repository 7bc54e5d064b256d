/** Append and read: the chained record of what happened. */
export {
  type CallFacts,
  finishedEvent,
  type OutcomeFacts,
  principalRef,
  refusedEvent,
  startedEvent,
} from './events.js';
export { createJournal, type Journal } from './journal.js';
export { redact, redactedMark, redactText } from './redact.js';
export { chainStart, createChainCheck, seal } from './seal.js';
