/** Where a process listens for Restate. */
import { createServer, type ServerHttp2Session } from 'node:http2';
import { HelveError } from '../../domain/errors.js';
import { describeListenFailure } from '../../util/listen-failure.js';
import { createServices, type ServicesOptions } from './services.js';

export interface RestateAddresses {
  /** Where the nodes of Restate accept calls: `http://127.0.0.1:8080`. */
  readonly ingress: readonly string[];
  /** Where they are administered: `http://127.0.0.1:9070`. */
  readonly admin: readonly string[];
  /** Where this process listens for Restate. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Where Restate reaches the processes of this installation, if not where this one listens: a load balancer. */
  readonly address?: string;
  /** The public keys of this Restate. If they are given, calls from anybody else are refused. */
  readonly identityKeys?: readonly string[];
  /** Tells installations apart that use the same Restate. Default `helve`. */
  readonly name?: string;
}

/** A server of Restate that Helve starts. */
export interface OwnRestate {
  /** Where it keeps its data; absolute. */
  readonly folder: string;
  readonly name?: string;
}

/** What an endpoint must know of Restate. */
export type Listening = Pick<RestateAddresses, 'listen' | 'identityKeys' | 'name'>;

const defaultName = 'helve';
export const nameOf = ({ name = defaultName }: { readonly name?: string }): string => name;

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
  { listening, ...options }: Omit<ServicesOptions, 'sdk' | 'name'> & { readonly listening: Listening },
) {
  const { listen, identityKeys } = listening;
  const handle = sdk.createEndpointHandler({
    services: createServices({ sdk, name: nameOf(listening), ...options }),
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
    /** Returns the port. Throws `invalid_config` if it cannot be opened. */
    listen: (): Promise<number> =>
      new Promise((resolve, reject) => {
        server.once('error', (cause) =>
          reject(
            new HelveError('invalid_config', `tasks.restate.listen: ${describeListenFailure(cause, listen)}`, {
              hint: 'Set another port or host there in helve.yaml. Port 0 takes any free one.',
              cause,
            }),
          ),
        );
        server.listen(listen.port, listen.host, () => {
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : listen.port);
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
