/** Failed requests of `fetch`. */

const neverSent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** False if no connection was made, so that nothing can have been sent. `thrown`: what `fetch` threw, or an error with that as its cause. */
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
