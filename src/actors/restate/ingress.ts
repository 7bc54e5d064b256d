/** Asks Restate, over HTTP, to give an actor its turn or to do a piece of work, and tells it where this process is. */
import { HelveError } from '../../domain/errors.js';

export interface IngressOptions {
  /** Where Restate accepts calls: `http://127.0.0.1:8080`. */
  readonly ingress: string;
  /** Where Restate is administered: `http://127.0.0.1:9070`. */
  readonly admin: string;
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

const timeoutMs = 10_000;

export function createIngress({ ingress, admin }: IngressOptions) {
  return {
    /** Resolves when Restate has stored it. Throws `upstream_failed`. */
    async ask({ service, key, method, body, delayMs = 0, idempotencyKey }: Asked): Promise<void> {
      const path = `${service}/${encodeURIComponent(key)}/${method}/send`;
      const url = new URL(delayMs > 0 ? `${path}?delay=${delayMs}ms` : path, withSlash(ingress));
      await post(url, body, idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey });
    },
    /** Tells Restate under which address the processes of this installation are reached. Throws `upstream_failed`. */
    async register(address: string): Promise<void> {
      await post(new URL('deployments', withSlash(admin)), { uri: address, force: true }, {});
    },
  };
}

export type Ingress = ReturnType<typeof createIngress>;

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);

async function post(url: URL, body: unknown, headers: Readonly<Record<string, string>>): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (thrown) {
    throw new HelveError('upstream_failed', `Restate at ${url.origin} cannot be reached`, { cause: thrown });
  }
  const text = await answer.text();
  if (!answer.ok)
    throw new HelveError('upstream_failed', `Restate at ${url.origin} answered ${answer.status}: ${text}`);
}
