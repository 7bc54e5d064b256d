/**
 * Opens a socket: one look-up, every answer checked, a connection to a checked address, and the peer checked again.
 *
 * Name and address are checked in one place and the socket goes to the address itself, so there is no second look-up
 * that could give another answer (rebinding). SNI and the certificate check use the name. Proxy variables are not read
 * here.
 */
import type { LookupAddress } from 'node:dns';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContextOptions, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { HelveError } from '../../domain/errors.js';
import { upstreamFailed } from './failures.js';
import { checkAddress, checkHost, toLiteral } from './guard.js';
import { type ResolvedPolicy, resolvePolicy } from './policy.js';
import type { EgressPolicy } from './types.js';

/** Further answers are checked but not tried. */
const maxAttempts = 6;
/** An address that does not answer must not use up the time of the next one. */
const attemptMs = 5_000;

interface Target {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

export function createConnector(policy: ResolvedPolicy, trust: Pick<SecureContextOptions, 'ca'> = {}) {
  return (options: buildConnector.Options, callback: buildConnector.Callback): void => {
    const secure = options.protocol === 'https:';
    const port = options.port === '' ? (secure ? 443 : 80) : Number(options.port);
    const target = { host: options.hostname, port, secure };
    open(policy, target, trust).then(
      (socket) => callback(null, socket),
      (thrown: unknown) => callback(upstreamFailed(target.host, thrown), null),
    );
  };
}

/** Opens a plain socket through the wall; the caller chooses the protocol. Throws like `fetch`. */
export async function openSocket(
  policy: EgressPolicy,
  target: { readonly host: string; readonly port: number },
): Promise<Socket> {
  try {
    return await open(resolvePolicy(policy), { ...target, secure: false }, {});
  } catch (thrown) {
    throw upstreamFailed(target.host, thrown);
  }
}

/** Opens a plain socket to one host that the operator named, for protocols other than HTTP. */
export async function connectEndpoint(
  endpoint: { readonly host: string; readonly port: number },
  options: {
    readonly timeoutMs?: number;
    readonly lookup?: EgressPolicy['lookup'];
    readonly signal?: AbortSignal;
  } = {},
): Promise<Socket> {
  const { signal, ...more } = options;
  const policy = resolvePolicy({ ...more, openHosts: [endpoint], allowedDomains: [getDomain(endpoint.host)] });
  try {
    const socket = await open(policy, { ...endpoint, secure: false }, {});
    if (!signal?.aborted) return socket;
    socket.destroy();
  } catch (thrown) {
    throw upstreamFailed(endpoint.host, thrown);
  }
  throw new HelveError('cancelled', 'The call was cancelled');
}

const getDomain = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

async function open(policy: ResolvedPolicy, target: Target, trust: Pick<SecureContextOptions, 'ca'>): Promise<Socket> {
  const deadline = Date.now() + policy.timeoutMs;
  checkHost(policy, target.host, target.port);
  const addresses = await listAddresses(policy, target.host);
  for (const address of addresses) checkAddress(policy, target.host, address, target.port);
  const socket = await connectToOne(addresses.slice(0, maxAttempts), target, deadline);
  try {
    checkAddress(policy, target.host, socket.remoteAddress ?? '', target.port);
    return target.secure ? await secured(socket, target, deadline, trust) : socket;
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
}

async function listAddresses(policy: ResolvedPolicy, host: string): Promise<readonly string[]> {
  const literal = toLiteral(host);
  if (literal !== undefined) return [literal];
  const answers = await within(
    policy.timeoutMs,
    () => timedOut(host, 'The look-up of'),
    new Promise<LookupAddress[]>((resolve, reject) => {
      policy.lookup(host, { all: true, verbatim: true }, (error, found) => (error ? reject(error) : resolve(found)));
    }),
  );
  const addresses = Array.isArray(answers) ? answers.map((answer) => String(answer?.address)) : [];
  if (addresses.length === 0) throw new HelveError('upstream_failed', `${host}: the name has no address`);
  return addresses;
}

async function connectToOne(addresses: readonly string[], target: Target, deadline: number): Promise<Socket> {
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    const left = deadline - Date.now();
    if (left <= 0) break;
    const isLast = index === addresses.length - 1;
    const socket = connectTcp({ host: address, port: target.port, autoSelectFamily: false, noDelay: true });
    try {
      await ready(socket, 'connect', target.host, isLast ? left : Math.min(left, attemptMs));
      return socket.setKeepAlive(true, 60_000);
    } catch (thrown) {
      failure = thrown;
    }
  }
  throw failure ?? timedOut(target.host, 'Connecting to');
}

async function secured(
  socket: Socket,
  target: Target,
  deadline: number,
  trust: Pick<SecureContextOptions, 'ca'>,
): Promise<TLSSocket> {
  const named = isIP(target.host) === 0 ? { servername: target.host } : { host: target.host };
  // rejectUnauthorized is explicit so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable the check.
  const tls = connectTls({ ...trust, ...named, socket, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] });
  await ready(tls, 'secureConnect', target.host, Math.max(1, deadline - Date.now()));
  return tls;
}

/**
 * Waits for the event; destroys a socket that fails or is late. Its error listener stays, so that no error is uncaught.
 */
function ready(socket: Socket, event: 'connect' | 'secureConnect', host: string, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(timedOut(host, 'Connecting to')), milliseconds);
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new HelveError('upstream_failed', `${host}: the connection was closed early`));
    });
    socket.once(event, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function within<T>(milliseconds: number, late: () => Error, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const timedOut = (host: string, what: string): HelveError => new HelveError('timeout', `${what} ${host} took too long`);
