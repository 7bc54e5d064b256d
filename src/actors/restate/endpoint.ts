/** Where a process listens for Restate. */
import { createServer, type ServerHttp2Session } from 'node:http2';
import { HelveError } from '../../domain/errors.js';
import { createServices, type ServicesOptions } from './services.js';

export interface RestateAddresses {
  /** Where Restate accepts calls: `http://127.0.0.1:8080`. */
  readonly ingress: string;
  /** Where Restate is administered: `http://127.0.0.1:9070`. */
  readonly admin: string;
  /** Where this process listens for Restate. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Where Restate reaches the processes of this installation, if not where this one listens: a load balancer. */
  readonly address?: string;
  /** The public keys of this Restate. If they are given, calls from anybody else are refused. */
  readonly identityKeys?: readonly string[];
  /** Tells installations apart that use the same Restate. Default `helve`. */
  readonly name?: string;
}

export const defaultName = 'helve';

type Sdk = typeof import('@restatedev/restate-sdk/node');

/** Throws `invalid_config` if it is not installed. */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@restatedev/restate-sdk/node');
  } catch (thrown) {
    throw new HelveError('invalid_config', 'The package @restatedev/restate-sdk is not installed', {
      hint: 'Install it beside Helve: npm install @restatedev/restate-sdk',
      cause: thrown,
    });
  }
}

export type Endpoint = ReturnType<typeof createEndpoint>;

export function createEndpoint(
  sdk: Sdk,
  { restate, ...options }: Omit<ServicesOptions, 'sdk' | 'name'> & { readonly restate: RestateAddresses },
) {
  const { identityKeys, name = defaultName } = restate;
  const handle = sdk.createEndpointHandler({
    services: createServices({ sdk, name, ...options }),
    // What fails here is repeated, and seen in Restate.
    logger: () => undefined,
    ...(identityKeys ? { identityKeys: [...identityKeys] } : {}),
  });
  const server = createServer((request, response) => handle(request, response));
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  return {
    /** Returns the port. */
    listen: ({ host, port }: RestateAddresses['listen']): Promise<number> =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : port);
        });
      }),
    async close(): Promise<void> {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}
