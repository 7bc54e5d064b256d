/** Notifies people, through the channels that they chose, about what waits for them. */
export { createNotificationActs } from './acts.js';
export { createNotifier, type Notifier } from './notifier.js';
export type { NotifyingParts } from './parts.js';
