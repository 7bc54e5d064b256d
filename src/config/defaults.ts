/**
 * A list of tools costs a model some 240 tokens each, on every turn, and choosing among many goes wrong more often. Enough
 * for all bundled tools and an account or two.
 */
export const defaultDirectTools = 60;

/** Calls of one caller that may wait for a person at any time: more, and the one that matters is lost among them. */
export const defaultMostPending = 20;

/** A session of a person: two hours without any use, twelve at most. */
export const defaultSessions = { idleSeconds: 2 * 60 * 60, absoluteSeconds: 12 * 60 * 60 };
