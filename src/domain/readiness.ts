/** Whether a process takes requests, for whatever distributes them among processes. */

/**
 * Why a process takes no requests now: it starts, which includes the migrations of the store; it stops; the store does
 * not answer, or cannot be written; or the store lacks tables of this version of Helve, for example because an old copy
 * was put back underneath it.
 */
export const unreadyReasons = ['starting', 'stopping', 'store_unavailable', 'schema_outdated'] as const;
export type UnreadyReason = (typeof unreadyReasons)[number];

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: UnreadyReason };
