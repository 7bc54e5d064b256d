/**
 * The public types of `helve/egress`: what an operator may set, what a caller may ask, what is returned.
 *
 * A policy is data. It is checked and copied when the egress is created, so that it cannot be widened afterwards.
 */
import type { LookupAddress, LookupAllOptions } from 'node:dns';

/** The signature of `dns.lookup` with `{ all: true }`. */
export type EgressLookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export type EgressScheme = 'http:' | 'https:';

/** What may be called. Every key is optional; an unknown key or a malformed value is refused (`invalid_config`). */
export interface EgressPolicy {
  /**
   * Hosts that may be called: `api.example.com` (exactly that), `*.github.com` (its subdomains, not itself), `*` (any).
   * Absent: any public host. Empty: none.
   */
  readonly allowedDomains?: readonly string[];
  /** Hosts that may never be called, in the same grammar; takes precedence over `allowedDomains`. */
  readonly blockedDomains?: readonly string[];
  /** Absent: every port except those of well-known protocols other than HTTP. */
  readonly allowedPorts?: readonly number[];
  /** Default: both. */
  readonly schemes?: readonly EgressScheme[];
  /**
   * Internal addresses that the operator opens: an address, a network, or one port of either:
   * `127.0.0.1`, `10.1.0.0/16`, `127.0.0.1:8080`, `fd00::/8`, `[::1]:8080`.
   */
  readonly allowedAddresses?: readonly string[];
  /** Hosts that the operator named: each at its port, at any address. They open nothing else. */
  readonly openHosts?: readonly { readonly host: string; readonly port: number }[];
  /** Milliseconds for the whole exchange: look-up, redirects and body. Default 30 000. */
  readonly timeoutMs?: number;
  /** Maximum size of the decompressed body. Default 5 MiB. */
  readonly maxBytes?: number;
  /**
   * Whether a body over `maxBytes` is truncated (`truncated: true`) instead of refused (`too_large`). Default false.
   */
  readonly truncate?: boolean;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** Maximum size of one response's header block. Default 16 KiB. */
  readonly maxHeaderBytes?: number;
  /** Resolves names to addresses. Default `dns.lookup`. Its answers are checked like any other. */
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
  /** Names of headers that are secret although their name does not show it; dropped when a redirect changes origin. */
  readonly secretHeaders?: readonly string[];
}

export interface EgressResponse {
  readonly status: number;
  readonly statusText: string;
  /**
   * Lower-case names. Repeated fields are joined by `, `, `set-cookie` by a newline. If the body was decompressed,
   * `content-encoding` and `content-length` are omitted, because they would describe bytes that the caller never sees.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The final URL. */
  readonly url: string;
  /** The URLs redirected to, in order; the last one is `url`. */
  readonly redirects: readonly string[];
  readonly body: Uint8Array;
  /**
   * Decodes the body in the charset of its content-type, or else in the one that a page or an XML document names itself.
   * Without a known one: UTF-8, or windows-1252 if the bytes are not valid UTF-8 and are not JSON.
   */
  text(): string;
  readonly truncated: boolean;
}

export interface Egress {
  fetch(request: EgressRequest | Request | URL | string): Promise<EgressResponse>;
  /**
   * As the `fetch` of the platform, with its errors, for an answer that is read while it is written. It follows no redirect.
   * How long and how large the body may be is up to the caller; the answer must begin within `headersMs` (default: 300
   * seconds, as on the platform). Throws `egress_blocked`, also as the cause of another error.
   */
  stream(url: string | URL, init?: RequestInit, headersMs?: number): Promise<Response>;
  /** Refuses new calls, waits for those in progress (their timeouts bound the wait) and closes every socket. */
  close(): Promise<void>;
}
