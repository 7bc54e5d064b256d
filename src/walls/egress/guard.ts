/**
 * The wall itself, as decisions without I/O: may this URL, this host at this port, this address be called?
 *
 * The same functions check the first URL, each redirect, each answer of the name server and the peer of the connected
 * socket, so that every path has the same rules.
 */

import { parseUrl } from '../../util/parse-url.js';
import { getSpecialRange, isOpened, parseAddress } from './addresses.js';
import { hasEmptyLabel, isLocalName, matchesDomain, namesDomain, withoutTrailingDot } from './domains.js';
import { blocked, invalidInput } from './failures.js';
import { hostKey, type ResolvedPolicy } from './policy.js';

/**
 * Ports of other protocols that could be reached through HTTP: the essential part of fetch's list, and two data stores.
 */
const badPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211,
]);

/** Strict about spellings on which parsers are known to disagree; a `base` makes it a redirect's Location. */
export function parseTarget(policy: ResolvedPolicy, raw: string, base?: URL): URL {
  if (/[\u0000-\u001f\u007f]|^\s|\s$/.test(raw)) {
    throw blocked('The URL contains control characters or starts or ends with a space', 'url');
  }
  if (/^[^?#]*\\/.test(raw)) throw blocked('The URL contains a backslash before its query', 'url');
  const url = parseUrl(raw, base);
  if (!url) throw invalidInput('The URL cannot be parsed');
  if (!policy.schemes.some((scheme) => scheme === url.protocol)) {
    throw blocked(`The scheme ${url.protocol} is not allowed, only ${policy.schemes.join(' and ')}`, 'url');
  }
  if (base === undefined && !/^https?:\/\/[^/]/i.test(raw)) {
    throw blocked('The URL does not start with its scheme, two slashes and a host', 'url');
  }
  if (url.username !== '' || url.password !== '' || /^(?:[a-z]+:)?\/\/[^/?#]*@/i.test(raw)) {
    throw blocked(`The URL for ${url.hostname} contains a user name or password`, 'url');
  }
  // `http://a.example#@b.example`: some parsers see a.example, others b.example.
  if (/^(?:[a-z]+:)?\/\/[^/?#]*[?#][^/=&]*@/i.test(raw)) {
    throw blocked(`The URL for ${url.hostname} can be read as a user name and another host`, 'url');
  }
  const host = withoutTrailingDot(url.hostname);
  if (hasEmptyLabel(host)) throw blocked('The host of the URL is malformed', 'url');
  if (host !== url.hostname) url.hostname = host;
  checkHost(policy, host, getPort(url));
  return url;
}

const getPort = (url: URL): number => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port));

/** Returns the address if a host is one: `1.2.3.4`, `::1` or `[::1]`. */
export const toLiteral = (host: string): string | undefined => {
  const bare = /^\[(.*)\]$/.exec(host)?.[1] ?? host;
  return parseAddress(bare) === undefined ? undefined : bare;
};

/** Checks everything that can be checked before the look-up. */
export function checkHost(policy: ResolvedPolicy, host: string, port: number): void {
  const { allowedDomains, allowedPorts, blockedDomains } = policy;
  const literal = toLiteral(host);
  const name = literal?.includes(':') ? `[${literal}]` : host;
  if (matchesDomain(blockedDomains, name)) throw blocked(`${name} is on the list of blocked hosts`, 'domain');
  if (allowedDomains !== undefined && !matchesDomain(allowedDomains, name)) {
    throw blocked(`${name} is not on the list of allowed hosts`, 'domain');
  }
  if (isOpenHost(policy, host, port)) return;
  if (port === 0 || (allowedPorts === undefined ? badPorts.has(port) : !allowedPorts.has(port))) {
    throw blocked(`Port ${port} of ${name} is not allowed`, 'port');
  }
  if (literal !== undefined) {
    checkAddress(policy, host, literal, port);
    return;
  }
  if (isLocalName(host) && !namesDomain(allowedDomains ?? [], host)) {
    throw blocked(`${host} is a name of a private network`, 'name');
  }
}

/** Whether the operator named exactly this host and port: then any address is allowed. */
const isOpenHost = (policy: ResolvedPolicy, host: string, port: number): boolean =>
  policy.openHosts.has(hostKey(host, port));

/** Checks one address that `host` is, resolves to, or is connected to. */
export function checkAddress(policy: ResolvedPolicy, host: string, address: string, port: number): void {
  const parsed = parseAddress(address);
  const subject = toLiteral(host) === undefined ? `${host} resolves to ${address}, which` : address;
  if (parsed === undefined) throw blocked(`${subject} is not a plain address`, 'address');
  if (isOpenHost(policy, host, port)) return;
  if (isOpened(policy.allowedAddresses, parsed, port)) return;
  if (toLiteral(host) === undefined && isLocalName(host)) {
    throw blocked(`${subject} is not opened, and ${host} is a name of a private network`, 'name');
  }
  const special = getSpecialRange(parsed);
  if (special !== undefined) throw blocked(`${subject} is not a public address: ${special}`, 'address');
}
