/** The host and port of an http: or https: address. Without an explicit port, the port is that of the scheme. */
import type { Endpoint } from '../domain/reach.js';

export function httpEndpoint(address: string | URL): Endpoint {
  const { hostname: host, port, protocol } = new URL(address);
  return { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}
