/** Opens a listening socket for an application. Closing lets running requests end, but only for a limited time. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { HelveError } from '../../domain/errors.js';
import { describeListenFailure } from '../../util/listen-failure.js';

export interface ListenOptions {
  readonly fetch: (request: Request, environment: HttpBindings) => Response | Promise<Response>;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** How long running requests may take once closing has begun, in milliseconds. Default 5,000. */
  readonly graceMs?: number;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export async function listen({ fetch, host, port, graceMs = 5_000 }: ListenOptions): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: (request, environment) => fetch(request, environment as HttpBindings),
    createServer,
    // A request must arrive completely within a minute; its response may take as long as it needs. An idle connection stays
    // open longer than proxies keep it, usually a minute: else a request meets a connection that is just being closed.
    serverOptions: { requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 75_000 },
  }) as Server;
  await bind(server, host, port);
  const address = server.address() as AddressInfo;
  return { url: getUrl(host, address.port), port: address.port, close: () => close(server, graceMs) };
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException): void => reject(cannotListen(cause, host, port));
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

function cannotListen(cause: NodeJS.ErrnoException, host: string, port: number): HelveError {
  const isHost = cause.code === 'EADDRNOTAVAIL' || cause.code === 'ENOTFOUND';
  return new HelveError('invalid_config', describeListenFailure(cause, { host, port }), {
    hint: isHost
      ? 'Choose an address of this machine: HELVE_HOST=127.0.0.1 helve serve, or helve serve --host 127.0.0.1.'
      : 'Choose another port: HELVE_PORT=4871 helve serve, or helve serve --port 4871; 0 takes any free one.',
    cause,
  });
}

/** During closing, a connection that becomes idle after a response is closed instead of being kept alive. */
function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 25);
    const limit = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(limit);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** An address that a browser on this machine can open: the wildcard addresses cannot be opened. */
function getUrl(host: string, port: number): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
