/**
 * The operator's policy, checked on creation and frozen.
 *
 * It fails closed: a misspelt key, a malformed pattern or a network with host bits set stops the start, because each of
 * them would otherwise silently mean something wider or narrower than intended.
 */
import dns from 'node:dns';
import { HelveError } from '../../domain/errors.js';
import { type Network, parseNetwork, wrapsIPv4 } from './addresses.js';
import { type DomainPattern, parseDomainPattern } from './domains.js';
import type { EgressLookup, EgressPolicy, EgressScheme } from './types.js';

export interface ResolvedPolicy {
  readonly allowedDomains: readonly DomainPattern[] | undefined;
  readonly blockedDomains: readonly DomainPattern[];
  readonly allowedPorts: ReadonlySet<number> | undefined;
  readonly schemes: readonly EgressScheme[];
  readonly allowedAddresses: readonly Network[];
  readonly openHosts: ReadonlySet<string>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly truncate: boolean;
  readonly maxRedirects: number;
  readonly maxHeaderBytes: number;
  readonly lookup: EgressLookup;
}

const knownKeys: Record<keyof EgressPolicy, true> = {
  allowedDomains: true,
  blockedDomains: true,
  allowedPorts: true,
  schemes: true,
  allowedAddresses: true,
  openHosts: true,
  timeoutMs: true,
  maxBytes: true,
  truncate: true,
  maxRedirects: true,
  maxHeaderBytes: true,
  lookup: true,
};

/** Checks a policy and returns a frozen copy with defaults. Throws `invalid_config`, naming the key. */
export function resolvePolicy(policy: EgressPolicy): ResolvedPolicy {
  if (typeof policy !== 'object' || policy === null) throw invalid('', 'must be an object');
  for (const key of Object.keys(policy)) if (!Object.hasOwn(knownKeys, key)) throw invalid(key, 'is not a known key');
  const domains = list(policy, 'allowedDomains');
  const ports = list(policy, 'allowedPorts')?.map((port, index) => integer(`allowedPorts[${index}]`, port, 1, 65_535));
  return Object.freeze({
    allowedDomains: domains?.map((entry, index) => domain(`allowedDomains[${index}]`, entry)),
    blockedDomains: (list(policy, 'blockedDomains') ?? []).map((entry, i) => domain(`blockedDomains[${i}]`, entry)),
    allowedPorts: ports === undefined ? undefined : new Set(ports),
    schemes: (list(policy, 'schemes') ?? ['http:', 'https:']).map((entry, index) => scheme(`schemes[${index}]`, entry)),
    allowedAddresses: (list(policy, 'allowedAddresses') ?? []).map((entry, i) =>
      network(`allowedAddresses[${i}]`, entry),
    ),
    openHosts: new Set((list(policy, 'openHosts') ?? []).map((entry, i) => openHost(`openHosts[${i}]`, entry))),
    timeoutMs: integer('timeoutMs', policy.timeoutMs ?? 30_000, 1, 2 ** 31 - 1),
    maxBytes: integer('maxBytes', policy.maxBytes ?? 5 * 1024 * 1024, 0, 2 ** 31 - 1),
    truncate: flag('truncate', policy.truncate ?? false),
    maxRedirects: integer('maxRedirects', policy.maxRedirects ?? 5, 0, 50),
    maxHeaderBytes: integer('maxHeaderBytes', policy.maxHeaderBytes ?? 16_384, 256, 1024 * 1024),
    lookup: lookup(policy.lookup),
  });
}

const invalid = (key: string, problem: string): HelveError =>
  new HelveError('invalid_config', `egress policy${key === '' ? '' : `, ${key}`}: ${problem}`);

function list(policy: EgressPolicy, key: keyof EgressPolicy): readonly unknown[] | undefined {
  const value: unknown = policy[key];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalid(key, 'must be a list');
  return [...value];
}

function integer(key: string, value: unknown, least: number, most: number): number {
  const number = Number.isInteger(value) ? (value as number) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw invalid(key, `must be a whole number from ${least} to ${most}`);
}

function flag(key: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalid(key, 'must be true or false');
  return value;
}

function domain(key: string, value: unknown): DomainPattern {
  const pattern = typeof value === 'string' ? parseDomainPattern(value) : undefined;
  if (pattern === undefined) {
    throw invalid(key, `${JSON.stringify(value)} is not a host, '*.' and a host, or '*' (no scheme, port or path)`);
  }
  return pattern;
}

function scheme(key: string, value: unknown): EgressScheme {
  if (value === 'http:' || value === 'https:') return value;
  throw invalid(key, "must be 'http:' or 'https:'");
}

function network(key: string, value: unknown): Network {
  const parsed = typeof value === 'string' ? parseNetwork(value) : undefined;
  if (parsed === undefined) {
    throw invalid(key, `${JSON.stringify(value)} is not an address or network such as 10.1.0.0/16 or 127.0.0.1:8080`);
  }
  if (parsed.prefix === 0) throw invalid(key, 'opens every address; list the intended networks');
  if (wrapsIPv4(parsed)) throw invalid(key, 'an IPv4 address inside IPv6 cannot be opened; write the IPv4 address');
  return parsed;
}

/** The key that `isOpenHost` looks up. */
export const hostKey = (host: string, port: number): string => `${host.toLowerCase().replace(/^\[|\]$/g, '')} ${port}`;

function openHost(key: string, value: unknown): string {
  const { host, port } = (value ?? {}) as { host?: unknown; port?: unknown };
  if (typeof host !== 'string' || host === '') throw invalid(key, 'needs a host');
  return hostKey(host, integer(`${key}.port`, port, 1, 65_535));
}

function lookup(value: unknown): EgressLookup {
  // Read at each call instead of bound here, so that a resolver that replaces `dns.lookup` later is used.
  if (value === undefined) return (hostname, options, callback) => dns.lookup(hostname, options, callback);
  if (typeof value === 'function') return value as EgressLookup;
  throw invalid('lookup', 'must be a function like dns.lookup');
}
