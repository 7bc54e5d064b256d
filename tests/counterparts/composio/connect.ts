/** The client as the plane creates it, except for the egress checks: real retries and gates, plain fetch. */
import { createCallScrub, createGate, createServiceClient } from '../../../src/connections/index.js';
import { HelveError } from '../../../src/domain/errors.js';
import type { ServiceClient } from '../../../src/domain/service.js';
import {
  type ComposioClient,
  type ComposioClientOptions,
  composioService,
  createComposioClient,
} from '../../../src/providers/composio/index.js';

export interface ConnectOptions extends Partial<ComposioClientOptions> {
  readonly url: string;
  readonly apiKey?: string;
  /** The requested waits in milliseconds, which are skipped. */
  readonly waited?: number[];
}

export function connectClient({ url, apiKey = 'ak_test', waited = [], ...options }: ConnectOptions): ComposioClient {
  const service = (signal: AbortSignal) => plainService(url, apiKey, waited, signal);
  return createComposioClient({ service: service(new AbortController().signal), serviceFor: service, ...options });
}

function plainService(url: string, key: string, waited: number[], signal: AbortSignal): ServiceClient {
  let now = Date.now();
  return createServiceClient({
    definition: composioService,
    servers: composioService.servers({ base_url: url }, {}),
    signal,
    gate: createGate(),
    gateKey: 'composio',
    scrub: createCallScrub(),
    now: () => new Date(now),
    async fetch({ url: address, method, headers, body }) {
      const response = await fetch(address, {
        method,
        headers: { ...headers },
        signal,
        redirect: 'manual',
        ...(body === undefined ? {} : { body: body as string }),
      }).catch((cause: unknown) => {
        throw failed(cause);
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return {
        status: response.status,
        statusText: response.statusText,
        url: response.url,
        body: bytes,
        truncated: false,
        headers: Object.fromEntries(response.headers),
        text: () => new TextDecoder().decode(bytes),
      };
    },
    credentials: {
      get: async () => ({
        placements: [{ in: 'header', name: 'x-api-key', value: '{key}' }],
        values: { key },
        secrets: [key],
      }),
      async rejected(reason) {
        throw new HelveError('invalid_config', `Composio does not take the API key: ${reason}`);
      },
    },
    idempotencyKey: () => 'k',
    async sleep(milliseconds) {
      waited.push(milliseconds);
      now += milliseconds;
    },
  });
}

/** As the egress code reports it: the cause says whether anything was sent. */
function failed(cause: unknown): HelveError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return new HelveError('upstream_failed', 'The service cannot be reached', { cause: inner });
}
