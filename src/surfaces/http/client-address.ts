/**
 * Finds the address of the client. A proxy states it in a header, but so can anyone: headers are read from right to left, one
 * hop at a time, and only as far as each hop was reported by a proxy that the operator named.
 */
import { BlockList, isIP } from 'node:net';
import { HelveError } from '../../domain/errors.js';

/** `peer`: the socket's own address. */
export type AddressReader = (peer: string, headers: Headers) => string;

/** Throws `invalid_config`, naming the entry, unless all are addresses and networks (`10.0.0.0/8`). */
export function checkProxies(trusted: readonly string[]): void {
  createAddressReader(trusted);
}

/** `trusted`: addresses and networks of proxies. Throws as `checkProxies`. */
export function createAddressReader(trusted: readonly string[]): AddressReader {
  const proxies = new BlockList();
  for (const entry of trusted) addNetwork(proxies, entry);
  const isProxy = (address: string) => proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  /** The first address from the right that is not a proxy; if the chain breaks off, the last that a proxy reported. */
  function getClient(peer: string, hops: readonly string[]): string {
    let address = peer;
    for (const hop of [...hops].reverse()) {
      const next = plainAddress(hop);
      if (next === undefined || !isProxy(address)) return address;
      address = next;
    }
    return address;
  }

  return (socketAddress, headers) => {
    const peer = plainAddress(socketAddress) ?? socketAddress;
    const chains = [getHops(headers.get('x-forwarded-for')), forwardedHops(headers.get('forwarded'))];
    const clients = new Set(chains.filter((hops) => hops.length > 0).map((hops) => getClient(peer, hops)));
    // If the two headers differ, one is the client's own, and there is no way to tell which.
    const [client = peer] = clients;
    return clients.size > 1 ? peer : client;
  };
}

function getHops(header: string | null): string[] {
  return header === null ? [] : header.split(',').map((hop) => hop.trim());
}

/** RFC 7239: returns the `for` of each element; an element without one hides its address. */
function forwardedHops(header: string | null): string[] {
  return getHops(header).map((element) => {
    const pair = element.split(';').find((one) => /^\s*for=/i.test(one));
    return (pair ?? '')
      .replace(/^\s*for=/i, '')
      .trim()
      .replace(/^"(.*)"$/, '$1');
  });
}

/** Removes port, brackets and the IPv6 form of an IPv4 address; undefined if this is not an address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = /^::ffff:([\d.]+)$/i.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 || address.includes('%') ? undefined : address.toLowerCase();
}

function addNetwork(proxies: BlockList, entry: string): void {
  const [address = '', prefix, ...rest] = entry.trim().split('/');
  const version = isIP(address);
  const max = version === 6 ? 128 : 32;
  const length = prefix === undefined ? max : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (version === 0 || rest.length > 0 || !(length <= max)) {
    throw new HelveError(
      'invalid_config',
      `The trusted proxy ${JSON.stringify(entry)} is neither an address nor a network`,
      {
        hint: 'Write addresses or networks in HELVE_TRUSTED_PROXIES: 127.0.0.1, 10.0.0.0/8, fd00::/8.',
      },
    );
  }
  proxies.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
}
