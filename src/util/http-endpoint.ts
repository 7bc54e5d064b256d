/** Where an http: or https: address is served: its port is its scheme's unless it names one. */
import type { Endpoint } from '../domain/reach.js';

export function httpEndpoint(address: string | URL): Endpoint {
  const { hostname: host, port, protocol } = new URL(address);
  return { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}
