/** Whether a request that failed may have arrived. */
import type { HelveError } from '../domain/errors.js';

const neverSent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** For `fetch`. False if no connection was made, so that nothing can have been sent. `thrown`: what `fetch` threw, or an error with that as its cause. */
export function wasSent(thrown: unknown): boolean {
  let error = thrown;
  for (let step = 0; step < 5 && error instanceof Error; step++) {
    const { code } = error as { code?: unknown };
    // `fetch` itself refuses some ports.
    if (neverSent.test(String(code)) || error.message === 'bad port') return false;
    error = error.cause;
  }
  return true;
}

const neverLeft =
  /^(?:ENOTFOUND|EAI_|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)|CERT|TLS|SSL|SELF_SIGNED|ISSUER/;

/** For the egress wall. False if the request never left, or was refused before it could. */
export function mayHaveArrived({ code, cause }: HelveError): boolean {
  if (code === 'timeout' || code === 'too_large') return true;
  if (code !== 'upstream_failed') return false;
  const reason = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  return !neverLeft.test(reason);
}
