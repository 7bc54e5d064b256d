/**
 * Which addresses are public, and which networks an operator opened.
 *
 * Deny by registry: all of IPv4 except every row of the IANA special-purpose registry, and of IPv6 only 2000::/3 except
 * its special rows. The parser is our own and not `net.BlockList`, which applies an IPv4 rule to an IPv4-mapped IPv6
 * address: here a mapped or compatible form is never public and can never be opened.
 */
import { isIPv4, isIPv6 } from 'node:net';

export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** A network, and the single port it is limited to, if it names one. */
export interface Network {
  readonly family: 4 | 6;
  readonly value: bigint;
  readonly prefix: number;
  readonly port: number | undefined;
}

interface SpecialRange extends Network {
  readonly title: string;
}

const getBits = (family: 4 | 6): number => (family === 4 ? 32 : 128);

/**
 * Parses a textual address. Accepts only canonical spellings: WHATWG URL has already normalised octal, hex and short
 * forms.
 */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, value: BigInt(fromDotted(text)) };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  let plain = text;
  if (dotted !== undefined) {
    const low = fromDotted(dotted);
    plain = `${text.slice(0, -dotted.length)}${Math.floor(low / 65536).toString(16)}:${(low % 65536).toString(16)}`;
  }
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const value = [...left, ...zeros, ...right].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
  return { family: 6, value };
}

const fromDotted = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

const contains = (network: Network, address: Address): boolean =>
  network.family === address.family &&
  (network.value ^ address.value) >> BigInt(getBits(network.family) - network.prefix) === 0n;

function range(cidr: string, title: string): SpecialRange {
  const network = parseNetwork(cidr);
  if (network === undefined) throw new TypeError(`${cidr} is not a network`);
  return { ...network, title: `${title} (${cidr})` };
}

/**
 * `1.2.3.4`, `1.2.3.0/24`, `1.2.3.4:80`, `fd00::/8`, `[::1]:80`; undefined when malformed or when host bits are set.
 */
export function parseNetwork(text: string): Network | undefined {
  const parts =
    /^\[([^\]/]+)(?:\/(\d{1,3}))?\](?::(\d{1,5}))?$/.exec(text) ??
    /^([\d.]+)(?:\/(\d{1,2}))?(?::(\d{1,5}))?$/.exec(text) ??
    /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text);
  if (parts === null) return undefined;
  const address = parseAddress(parts[1] ?? '');
  if (address === undefined) return undefined;
  if (text.startsWith('[') && address.family === 4) return undefined;
  const bits = getBits(address.family);
  const prefix = parts[2] === undefined ? bits : Number(parts[2]);
  const port = parts[3] === undefined ? undefined : Number(parts[3]);
  if (prefix > bits || port === 0 || (port ?? 0) > 65_535) return undefined;
  if ((address.value & ((1n << BigInt(bits - prefix)) - 1n)) !== 0n) return undefined;
  return { ...address, prefix, port };
}

const special4: readonly SpecialRange[] = [
  range('0.0.0.0/8', 'this network'),
  range('10.0.0.0/8', 'private'),
  range('100.64.0.0/10', 'carrier-grade NAT'),
  range('127.0.0.0/8', 'loopback'),
  range('168.63.129.16', 'the Azure host'),
  range('169.254.0.0/16', 'link-local'),
  range('172.16.0.0/12', 'private'),
  range('192.0.0.0/24', 'protocol assignments'),
  range('192.0.2.0/24', 'documentation'),
  range('192.31.196.0/24', 'AS112'),
  range('192.52.193.0/24', 'multicast tunnelling'),
  range('192.88.99.0/24', '6to4 relay'),
  range('192.168.0.0/16', 'private'),
  range('192.175.48.0/24', 'AS112'),
  range('198.18.0.0/15', 'benchmarking'),
  range('198.51.100.0/24', 'documentation'),
  range('203.0.113.0/24', 'documentation'),
  range('224.0.0.0/4', 'multicast'),
  range('240.0.0.0/4', 'reserved'),
];

const global6 = range('2000::/3', 'global unicast');
const special6: readonly SpecialRange[] = [
  range('2001::/23', 'protocol assignments, Teredo among them'),
  range('2001:db8::/32', 'documentation'),
  range('2002::/16', '6to4'),
  range('2620:4f:8000::/48', 'AS112'),
  range('3fff::/20', 'documentation'),
];
/** Forms outside 2000::/3 that get their own message. The first two can never be opened. */
const mapped6 = range('::ffff:0:0/96', 'IPv4-mapped');
const compatible6 = range('::/96', 'IPv4-compatible');
const named6: readonly SpecialRange[] = [
  range('::1', 'loopback'),
  range('::', 'unspecified'),
  mapped6,
  compatible6,
  range('64:ff9b::/96', 'NAT64'),
  range('64:ff9b:1::/48', 'local NAT64'),
  range('fc00::/7', 'private'),
  range('fe80::/10', 'link-local'),
  range('ff00::/8', 'multicast'),
];

/** ISATAP embeds an IPv4 address in the low 32 bits of any prefix: interface identifier 0000:5efe or 0200:5efe. */
const isIsatap = (value: bigint): boolean => ((value >> 32n) & 0xfd_ff_ff_ffn) === 0x5efen;

/** Why an address is not public; undefined if it is. */
export function getSpecialRange(address: Address): string | undefined {
  if (address.family === 4) return special4.find((entry) => contains(entry, address))?.title;
  if (!contains(global6, address)) {
    return named6.find((entry) => contains(entry, address))?.title ?? 'not global unicast (outside 2000::/3)';
  }
  if (isIsatap(address.value)) return 'ISATAP';
  return special6.find((entry) => contains(entry, address))?.title;
}

/**
 * Whether it embeds an IPv4 address in IPv6: never allowed, not even by an operator. Does not include `::1` and `::`.
 */
export const wrapsIPv4 = (address: Address): boolean =>
  contains(mapped6, address) || (contains(compatible6, address) && address.value > 1n);

/** Whether the operator opened this address at this port. */
export const isOpened = (networks: readonly Network[], address: Address, port: number): boolean =>
  !wrapsIPv4(address) &&
  networks.some((network) => (network.port === undefined || network.port === port) && contains(network, address));
