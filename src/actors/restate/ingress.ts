/**
 * Asks Restate, over HTTP, to give an actor its turn or to do a piece of work, and tells it where this process is. Any node of
 * Restate takes what is asked; one that is away is passed over.
 */
import type { Agent } from 'undici';
import { HelveError } from '../../domain/errors.js';

/** Where a node of Restate listens. */
export interface RestateNode {
  /** `http://127.0.0.1:8080`. */
  readonly url: string;
  /** A Unix socket that is connected to instead. */
  readonly socketPath?: string;
}

export interface RestateNodes {
  /** Where Restate accepts calls; empty while it is away. */
  readonly ingress: readonly RestateNode[];
  /** Where Restate is administered. */
  readonly admin: readonly RestateNode[];
}

export interface Asked {
  readonly service: string;
  readonly key: string;
  readonly method: string;
  readonly body: unknown;
  readonly delayMs?: number;
  /** Asked again with the same one, nothing more happens. */
  readonly idempotencyKey?: string;
}

export interface IngressOptions {
  readonly nodes: () => RestateNodes;
  /** The names of the services of this installation. */
  readonly services: readonly string[];
}

/** A node that does not answer is left for another. */
const timeoutMs = 5_000;

export function createIngress({ nodes, services }: IngressOptions) {
  const sender = createSender();
  const ingress = createTurnsOfNodes(sender.send, () => nodes().ingress);
  const admin = createTurnsOfNodes(sender.send, () => nodes().admin);

  async function deployments(): Promise<readonly Deployment[]> {
    const { deployments: all } = JSON.parse(await admin({ method: 'GET', path: 'deployments' })) as Deployments;
    return all.filter((one) => one.services.some(({ name }) => services.includes(name)));
  }
  const post = (uri: string) => admin({ method: 'POST', path: 'deployments', body: { uri, force: true } });

  return {
    /** Resolves when Restate has stored it. Throws `upstream_failed`. */
    async ask({ service, key, method, body, delayMs = 0, idempotencyKey }: Asked): Promise<void> {
      const path = `${service}/${encodeURIComponent(key)}/${method}/send`;
      await ingress({
        method: 'POST',
        path: delayMs > 0 ? `${path}?delay=${delayMs}ms` : path,
        body,
        headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      });
    },
    /** Tells Restate under which address the processes of this installation are reached. Throws `upstream_failed`. */
    async register(address: string): Promise<void> {
      await post(address);
    },
    /**
     * Tells Restate that the process which it called is now found here. What that one began, and did not end, is continued
     * here too; a new registration would leave it to the old address. Throws `upstream_failed`.
     */
    async moveTo(address: string): Promise<void> {
      const known = await deployments();
      for (const { id } of known)
        await admin({ method: 'PATCH', path: `deployments/${id}`, body: { uri: address, overwrite: true } });
      if (known.length === 0) await post(address);
    },
    /** Where Restate looks for the processes of this installation. Throws `upstream_failed`. */
    registered: async (): Promise<readonly string[]> => (await deployments()).map(({ uri }) => uri),
    close: sender.close,
  };
}

export type Ingress = ReturnType<typeof createIngress>;

interface Deployment {
  readonly id: string;
  readonly uri: string;
  readonly services: readonly { readonly name: string }[];
}

interface Deployments {
  readonly deployments: readonly Deployment[];
}

interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Send = (node: RestateNode, sent: Sent) => Promise<string>;

/** Begins with the node that answered last. What a node did although its answer was lost may be done twice. */
function createTurnsOfNodes(send: Send, list: () => readonly RestateNode[]) {
  let first = 0;
  return async (sent: Sent): Promise<string> => {
    const nodes = list();
    let failure: unknown = new HelveError('upstream_failed', 'Restate is not running');
    for (let count = 0; count < nodes.length; count++) {
      const at = (first + count) % nodes.length;
      const node = nodes[at];
      if (!node) continue;
      try {
        const answer = await send(node, sent);
        first = at;
        return answer;
      } catch (thrown) {
        failure = thrown;
      }
    }
    throw failure;
  };
}

/** Sends requests, and keeps the connections. */
export function createSender() {
  const agents = new Map<string | undefined, Agent>();

  function agentOf({ socketPath }: RestateNode, { Agent }: typeof import('undici')): Agent {
    const known = agents.get(socketPath);
    if (known) return known;
    const made = new Agent({ connect: { timeout: timeoutMs, ...(socketPath === undefined ? {} : { socketPath }) } });
    agents.set(socketPath, made);
    return made;
  }

  return {
    /** Resolves with the text of the answer. Throws `upstream_failed`. */
    async send(node: RestateNode, { method, path, body, headers = {} }: Sent): Promise<string> {
      const url = new URL(path, node.url.endsWith('/') ? node.url : `${node.url}/`);
      const where = node.socketPath ?? url.origin;
      // Loaded here, because hardly any installation has a Restate of its own.
      const undici = await import('undici');
      let status: number;
      let text: string;
      try {
        const answer = await undici.request(url, {
          dispatcher: agentOf(node, undici),
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(timeoutMs),
        });
        status = answer.statusCode;
        text = await answer.body.text();
      } catch (thrown) {
        throw new HelveError('upstream_failed', `Restate at ${where} cannot be reached`, { cause: thrown });
      }
      if (status >= 200 && status < 300) return text;
      throw new HelveError('upstream_failed', `Restate at ${where} answered ${status}: ${text}`);
    },
    async close(): Promise<void> {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}
