/**
 * The public nouns of `helve/egress`: what an operator may set, what a caller may ask, what comes back.
 *
 * A policy is data. It is checked once, when the egress is made, and copied, so that nobody can widen it afterwards.
 */
import type { LookupAddress, LookupAllOptions } from 'node:dns';

/** `dns.lookup` as it is with `{ all: true }`. */
export type EgressLookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export type EgressScheme = 'http:' | 'https:';

/** What may leave. Every key is optional; an unknown key or a malformed value is refused (`invalid_config`). */
export interface EgressPolicy {
  /**
   * Hosts that may be called: `api.example.com` (exactly that), `*.github.com` (its subdomains, not itself), `*` (any).
   * Absent: any public host. Empty: none.
   */
  readonly allowedDomains?: readonly string[];
  /** Hosts that may never be called, in the same grammar; wins over `allowedDomains`. */
  readonly blockedDomains?: readonly string[];
  /** Absent: every port but those of well-known protocols that are not HTTP. */
  readonly allowedPorts?: readonly number[];
  /** Default: both. */
  readonly schemes?: readonly EgressScheme[];
  /**
   * Internal addresses that the operator opens: an address, a network, or one port of either:
   * `127.0.0.1`, `10.1.0.0/16`, `127.0.0.1:8080`, `fd00::/8`, `[::1]:8080`.
   */
  readonly allowedAddresses?: readonly string[];
  /** Hosts that the operator named himself: each at its port, whatever its addresses are. Not opened to anything else. */
  readonly openHosts?: readonly { readonly host: string; readonly port: number }[];
  /** For the whole exchange: look-up, redirects and body. Default 30 000. */
  readonly timeoutMs?: number;
  /** Of the body after decompression. Default 5 MiB. */
  readonly maxBytes?: number;
  /** A body over `maxBytes` is cut (`truncated: true`) and not refused (`too_large`). Default false. */
  readonly truncate?: boolean;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** Of one response's header block. Default 16 KiB. */
  readonly maxHeaderBytes?: number;
  /** How names become addresses. Default `dns.lookup`. Its answers are checked like any other. */
  readonly lookup?: EgressLookup;
}

export interface EgressRequest {
  readonly url: string | URL;
  /** Default `GET`. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** May only lower the policy's limit. */
  readonly timeoutMs?: number;
  /** May only lower the policy's limit. */
  readonly maxBytes?: number;
  /** Overrides the policy's choice for this call. */
  readonly truncate?: boolean;
  /** `manual` returns the redirect itself, `error` refuses it. Default `follow`. */
  readonly redirect?: 'follow' | 'manual' | 'error';
  /** Names of headers that hold a secret though their name does not say so; dropped when a redirect changes origin. */
  readonly secretHeaders?: readonly string[];
}

export interface EgressResponse {
  readonly status: number;
  readonly statusText: string;
  /**
   * Lower-case names. Repeated fields are joined by `, `, `set-cookie` by a newline. When the body was decompressed,
   * `content-encoding` and `content-length` are left out, for they would describe bytes the caller never sees.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The final URL. */
  readonly url: string;
  /** The URLs redirected to, in order; the last one is `url`. */
  readonly redirects: readonly string[];
  readonly body: Uint8Array;
  /** The body in the charset of its content-type; UTF-8 when it names none or an unknown one. */
  text(): string;
  readonly truncated: boolean;
}

export interface Egress {
  fetch(request: EgressRequest | Request | URL | string): Promise<EgressResponse>;
  /** Refuses new calls, waits for those under way (their timeouts bound the wait) and closes every socket. */
  close(): Promise<void>;
}
