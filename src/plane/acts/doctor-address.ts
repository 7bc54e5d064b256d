/** What the address at which people and clients reach Helve says about itself. */
import type { DoctorCheck } from '../../domain/doctor.js';

/** `address`: the public URL as it was set; undefined while it is unknown. */
export function checkAddress(address: string | undefined): DoctorCheck[] {
  if (address === undefined) return [];
  const check = 'public address';
  const { protocol, hostname, pathname } = new URL(address);
  if (pathname !== '/')
    return [
      {
        check,
        state: 'warning',
        detail: `${address} has a path, which the links that Helve writes leave out`,
        hint: 'Serve Helve at a host name of its own, and set HELVE_PUBLIC_URL to it without a path.',
      },
    ];
  if (protocol === 'http:' && !isLocal(hostname))
    return [
      {
        check,
        state: 'warning',
        detail: `${address} is not encrypted: whoever sees the traffic can read tokens, keys and sessions`,
        hint: 'Put a proxy with a certificate in front of Helve, and set HELVE_PUBLIC_URL to its https: address.',
      },
    ];
  return [{ check, state: 'ok', detail: address }];
}

const isLocal = (hostname: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
