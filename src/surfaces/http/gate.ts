/**
 * The gate that every request passes first, for REST, pages and MCP alike. It checks the Host (DNS rebinding), the Origin
 * (other people's pages), the caller's rate, and the size of the body.
 */
import type { Next } from 'hono';
import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import { loopbackHosts } from '../../util/loopback.js';
import { upTo } from '../../util/up-to.js';
import { getPrincipal, presentedSecret } from './authenticate.js';
import { createAddressReader } from './client-address.js';
import type { HttpAppOptions, HttpContext } from './context.js';
import { assetsPath } from './pages/style.js';
import { panelPath } from './panel.js';
import { HttpRefusal } from './problem.js';

/** The paths that a monitor requests. */
const watchedPaths: ReadonlySet<string> = new Set(['/health', '/ready']);
const watcherWaitMs = 500;
const fourMebibytes = 4 * 1024 * 1024;

/** Sent with every response, also of MCP: few, since each costs a microsecond. Pages add their own (pages/layout.ts). */
const securityHeaders: readonly (readonly [string, string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cache-control', 'no-store'],
];

export function createGate(
  options: HttpAppOptions,
  addressOf: (context: HttpContext) => string,
): (context: HttpContext, next: Next) => Promise<Response | undefined> {
  const { plane, maxBodyBytes = fourMebibytes } = options;
  const publicUrl = new URL(options.publicUrl);
  const hosts = new Set(
    [...loopbackHosts, publicUrl.hostname, ...(options.allowedHosts ?? [])].map((host) => host.toLowerCase()),
  );
  const origins = new Set([publicUrl.origin, ...(options.allowedOrigins ?? [])]);

  return async function gate(context, next) {
    secure(context);
    const { headers } = context.req.raw;
    const host = findHost(context);
    if (!hosts.has(host) && !hosts.has(withoutPort(host))) throw unknownHost();
    if (!isFile(context)) {
      const presented = presentedSecret(context, options.publicUrl);
      // The token of an OAuth client is valid only at the one address it was issued for.
      const admitted = plane.admitRequest(addressOf(context), presented?.secret, publicUrl.origin + context.req.path);
      await (watchedPaths.has(context.req.path) ? admitWatcher(admitted) : admitted);
    }
    const origin = headers.get('origin');
    if (origin !== null && !origins.has(origin) && !isOwn(origin, host))
      throw await refuseOrigin(context, plane, origin, publicUrl.origin);
    if (![null, 'identity'].includes(headers.get('content-encoding'))) throw compressed();
    if (headers.has('transfer-encoding')) context.req.raw = await readWhole(context.req.raw, maxBodyBytes);
    else if (Number(headers.get('content-length') ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes);
    await next();
    return undefined;
  };
}

/**
 * Requests are counted in the store. Health and readiness say whether it answers, so they do not fail with it, and do not wait for
 * it here.
 */
async function admitWatcher(admitted: Promise<void>): Promise<void> {
  try {
    await upTo(watcherWaitMs, admitted);
  } catch (error) {
    if (!(error instanceof HelveError) || error.code !== 'storage_failed') throw error;
  }
}

/** A file that is the same for everyone: a page needs many at once, so they are not counted. */
function isFile({ req }: HttpContext): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  return req.path.startsWith(assetsPath) || req.path.startsWith(panelPath);
}

/** Writes directly to the socket if there is one, which avoids opening a Response for its headers. */
function secure(context: HttpContext): void {
  const { outgoing } = context.env ?? {};
  for (const [name, value] of securityHeaders) {
    if (outgoing) outgoing.setHeader(name, value);
    else context.header(name, value);
  }
}

function findHost(context: HttpContext): string {
  return (context.req.raw.headers.get('host') ?? new URL(context.req.url).host).toLowerCase();
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}

/** The client's address, as far as the proxies that the operator named report it. */
export function listAddresses(trustedProxies: readonly string[] = []): (context: HttpContext) => string {
  const read = createAddressReader(trustedProxies);
  return (context) => read(context.env?.incoming?.socket.remoteAddress ?? 'in-process', context.req.raw.headers);
}

function isOwn(origin: string | null, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** A state-changing request with a cookie must come from our own Origin: any page can cause the cookie to be sent. */
export function isSameOrigin(context: HttpContext, publicUrl: string): boolean {
  const origin = context.req.raw.headers.get('origin');
  return origin === new URL(publicUrl).origin || isOwn(origin, findHost(context));
}

/** Records the refusal if the request also carried a credential. */
async function refuseOrigin(context: HttpContext, plane: Plane, origin: string, own: string): Promise<HelveError> {
  const presented = presentedSecret(context, own);
  // The token of an OAuth client is valid only at the one address it was issued for.
  const principal = presented && (await getPrincipal(plane, presented, own + context.req.path).catch(() => undefined));
  if (principal) {
    await plane.recordRefusal(principal.workspaceId, 'origin not allowed', {
      origin: origin.slice(0, 200),
      path: context.req.path.slice(0, 200),
    });
  }
  return new HelveError('forbidden', 'Pages from this origin may not call Helve', {
    hint: 'If this is the address of your Helve, start it with HELVE_PUBLIC_URL set to it.',
  });
}

function unknownHost(): HelveError {
  return new HelveError('forbidden', 'Helve is not served under this host name', {
    hint: 'Use the address that the server printed, or start Helve with HELVE_PUBLIC_URL set to the address that you use.',
  });
}

function compressed(): HttpRefusal {
  return new HttpRefusal(415, 'invalid_input', 'The body is compressed', 'Send it without content-encoding.', {
    'accept-encoding': 'identity',
  });
}

/** Reads a body of undeclared length here, up to the limit, because its size is not known otherwise. */
async function readWhole(request: Request, maxBytes: number): Promise<Request> {
  const { body } = request;
  if (!body) return request;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const headers = new Headers(request.headers);
  headers.delete('transfer-encoding');
  return new Request(request.url, {
    method: request.method,
    headers,
    body: Buffer.concat(chunks),
    signal: request.signal,
  });
}

function tooLarge(maxBytes: number): HelveError {
  return new HelveError('too_large', `The body is larger than ${maxBytes} bytes`, { hint: 'Send less at a time.' });
}
