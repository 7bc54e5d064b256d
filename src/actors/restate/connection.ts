/** How this process and Restate find each other: nodes that the operator runs, or one server that Helve starts. */
import { sharedLeaseOwner } from '../../domain/actor-storage.js';
import type { Listening, OwnRestate, RestateAddresses } from './endpoint.js';
import { nameOf } from './endpoint.js';
import { createIngress, type Ingress, type RestateNodes } from './ingress.js';
import { createRestateServer, type RestateServer } from './server.js';
import { objectNames } from './services.js';

export interface RestateConnection {
  readonly ingress: Ingress;
  /** Resolves when Restate can be asked, if that can be known. Throws `invalid_config`. */
  start(): Promise<void>;
  /** The rest is known after the start. */
  readonly listening: () => Listening;
  /** Processes hold the lease of the actors together if it is the same Restate that gives turns to them. */
  readonly leaseOwner: () => string;
  /** Tells Restate where this process listens, if it does not know. Throws `upstream_failed`. */
  announce(port: number): Promise<void>;
  close(): Promise<void>;
}

export function createConnection(
  restate: RestateAddresses | OwnRestate,
  report: (error: unknown) => void,
): RestateConnection {
  return 'folder' in restate ? toOwnServer(restate, report) : toNodes(restate);
}

function toNodes(restate: RestateAddresses): RestateConnection {
  const { listen, address } = restate;
  const [ingressNodes, adminNodes] = [restate.ingress, restate.admin].map((urls) => urls.map((url) => ({ url })));
  const nodes: RestateNodes = { ingress: ingressNodes ?? [], admin: adminNodes ?? [] };
  const ingress = createIngress({ nodes: () => nodes, services: Object.values(objectNames(nameOf(restate))) });
  let isTold = false;
  return {
    ingress,
    start: () => Promise.resolve(),
    listening: () => restate,
    leaseOwner: () => sharedLeaseOwner,
    async announce(port) {
      if (isTold) return;
      await ingress.register(address ?? `http://${listen.host}:${port}`);
      isTold = true;
    },
    close: ingress.close,
  };
}

const loopback = '127.0.0.1';

function toOwnServer(restate: OwnRestate, report: (error: unknown) => void): RestateConnection {
  let server: RestateServer | undefined;
  const nothing: RestateNodes = { ingress: [], admin: [] };
  const ingress = createIngress({
    nodes: () => server?.nodes() ?? nothing,
    services: Object.values(objectNames(nameOf(restate))),
  });
  const identity = (): string => server?.identity ?? '';
  let told: number | undefined;
  return {
    ingress,
    async start() {
      server = createRestateServer({ folder: restate.folder, report });
      await server.start();
    },
    // Any port: Restate is told after each start.
    listening: () => ({ ...restate, listen: { host: loopback, port: 0 }, identityKeys: [identity()] }),
    leaseOwner: () => `${sharedLeaseOwner}:${identity()}`,
    async announce(port) {
      // The process that started the server is the one that it calls.
      const starts = server?.starts();
      if (starts === undefined || starts === told) return;
      await ingress.moveTo(`http://${loopback}:${port}`);
      told = starts;
    },
    async close() {
      await ingress.close();
      await server?.close();
    },
  };
}
