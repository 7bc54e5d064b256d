/**
 * A list of tools costs a model about 240 tokens per tool, on every turn, and choosing among many goes wrong more
 * often. This is enough for all bundled tools and an account or two.
 */
export const defaultDirectTools = 60;

/** Maximum calls of one caller that may wait for a person: among more, the important one is lost. */
export const defaultMostPending = 20;

/**
 * How long a search waits for the vector of its text, and what a standard deviation of nearness adds to the ranker's
 * score: with more, a poor model makes finding worse (decision 0044).
 */
export const defaultEmbeddings = { timeoutMs: 300, weight: 1 };

/** Calls and requests per minute. */
export { defaultRateLimits } from '../domain/rate-limits.js';

/** The prefix of a workspace's id in Composio's user ids. */
export const defaultComposioPrefix = 'helve-';

/** Hours between incremental synchronisations with Composio. */
export const defaultSyncHours = 24;

/** A person's session: two hours without any use, at most twelve hours. */
export const defaultSessions = { idleSeconds: 2 * 60 * 60, absoluteSeconds: 12 * 60 * 60 };

export const defaultTaskSettings = {
  engine: 'embedded',
  /** Long enough to look at what an agent left, or to take a cancelled issue up again. */
  keepFoldersHours: 24,
  /** The ports that Restate and its SDK use unless told otherwise. */
  restate: {
    ingress: ['http://127.0.0.1:8080'],
    admin: ['http://127.0.0.1:9070'],
    listen: { host: '127.0.0.1', port: 9080 },
    name: 'helve',
  },
} as const;

/** A burst within a minute is one message. */
export const defaultNotifications = { gatherMs: 60_000 };
