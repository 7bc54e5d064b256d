/** Puts into words why a port cannot be opened. */

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be opened by this user',
  EADDRNOTAVAIL: 'cannot be opened: this machine does not have that address',
  ENOTFOUND: 'cannot be opened: the host name does not exist',
};

/** `cause`: what `server.listen` failed with. Returns a sentence without a full stop. */
export function describeListenFailure(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: { readonly host: string; readonly port: number },
): string {
  return `Port ${port} on ${host} ${reasons[code ?? ''] ?? `cannot be opened (${code ?? message})`}`;
}
