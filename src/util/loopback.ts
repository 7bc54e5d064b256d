/** The names of this machine in an address, as `URL.hostname` writes them. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an address leads to this machine. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return loopbackHosts.includes(hostname);
}
