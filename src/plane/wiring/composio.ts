/**
 * Composio, if the operator has a key for it: its catalogue, its tools at lower priority than ours, the accounts that
 * it stores, the events that it sends. Its code is loaded only then.
 */
import { setTimeout } from 'node:timers/promises';
import { type ComposioSettings, composioEnvironment, defaultComposioPrefix } from '../../config/index.js';
import {
  type CallScrub,
  createCallScrub,
  createGate,
  createPlainScrub,
  createServiceClient,
} from '../../connections/index.js';
import type { CatalogueReader, CatalogueSource } from '../../domain/catalogue.js';
import { HelveError } from '../../domain/errors.js';
import type { Provider } from '../../domain/provider.js';
import type { ServiceClient, ServiceDefinition } from '../../domain/service.js';
import { type AccountParts, markBroken, serviceFetch } from '../../flows/connecting/index.js';
import type { EventSender } from '../../flows/marketplace/index.js';
import { admitSchema } from '../../schema/index.js';
import { defined } from '../../util/defined.js';
import { newId } from '../../util/hash.js';

export interface Composio {
  readonly provider: Provider;
  readonly source: CatalogueSource;
  readonly sender: EventSender;
}

interface ComposioParts extends Pick<AccountParts, 'egress' | 'now' | 'storage' | 'configurations'> {
  readonly reader: CatalogueReader;
}

/** Undefined without a key. Throws `invalid_config`. */
export async function connectComposio(settings: ComposioSettings, parts: ComposioParts): Promise<Composio | undefined> {
  const environment = composioEnvironment();
  const key = settings.api_key ?? environment.apiKey;
  if (key === undefined) return undefined;
  const baseUrl = settings.base_url ?? environment.baseUrl;
  const secret = settings.webhook_secret ?? environment.webhookSecret;
  const composio = await import('../../providers/composio/index.js');
  const definition = composio.composioService;
  const address = baseUrl === undefined ? {} : { base_url: baseUrl };
  const serviceFor = keyedService(parts, definition, address, key);
  const { reader } = parts;
  const knownApps = async () => new Set((await reader.apps('composio')).keys());
  /** During a synchronisation, what it has written is not published yet. */
  const storedApps = async () =>
    new Set(
      (await parts.storage.catalogue.apps()).flatMap(({ source, slug }) => (source === 'composio' ? [slug] : [])),
    );
  const client = composio.createComposioClient({
    service: serviceFor(new AbortController().signal, createPlainScrub()),
    serviceFor: (signal) => serviceFor(signal, createCallScrub()),
    now: () => parts.now().getTime(),
    ...defined({ apiVersion: settings.api_version }),
  });
  const provider = composio.createComposioProvider({
    client,
    catalogue: reader,
    admit: (schema) => void admitSchema(schema),
    entityOf: (workspaceId) => `${settings.user_id_prefix ?? defaultComposioPrefix}${workspaceId}`,
  });
  return {
    provider: marksBroken(provider, parts),
    source: composio.createComposioSource(client, { knownApps: storedApps }),
    sender: {
      subscribe: ({ trigger, reference, config }) =>
        client.subscribe({ trigger, connectedAccountId: String(reference.connectedAccountId ?? ''), config }),
      unsubscribe: (id) => client.unsubscribe(id),
      async read(body, headers) {
        if (secret === undefined)
          throw new HelveError('invalid_config', 'The secret with which Composio signs its events is not configured', {
            hint: 'Set COMPOSIO_WEBHOOK_SECRET, or composio.webhook_secret in helve.yaml.',
          });
        return composio.readTriggerEvent(body, headers, secret, { now: parts.now(), knownApps });
      },
    },
  };
}

/** The API with the operator's key, which is sent only to that address. */
function keyedService(
  parts: ComposioParts,
  definition: ServiceDefinition,
  settings: { readonly base_url?: string },
  key: string,
): (signal: AbortSignal, scrub: CallScrub) => ServiceClient {
  const servers = definition.servers(settings, {});
  const gate = createGate();
  return (signal, scrub) =>
    createServiceClient({
      definition,
      servers,
      gate,
      gateKey: 'composio',
      scrub,
      now: parts.now,
      signal,
      fetch: serviceFetch(parts, definition, Object.values(servers), () => signal),
      credentials: {
        get: async () => ({
          placements: [{ in: 'header', name: 'x-api-key', value: '{key}' }],
          values: { key },
          secrets: [key],
        }),
        async rejected(reason) {
          throw new HelveError('invalid_config', `Composio does not accept the API key: ${reason}`, {
            hint: 'Check COMPOSIO_API_KEY.',
          });
        },
      },
      idempotencyKey: () => `helve-${newId()}`,
      sleep: (milliseconds, stop) => setTimeout(milliseconds, undefined, { signal: stop }),
    });
}

/** Marks an account that Composio can no longer use, so that no call tries it again. */
function marksBroken(provider: Provider, parts: ComposioParts): Provider {
  return {
    ...provider,
    async execute(call) {
      try {
        return await provider.execute(call);
      } catch (thrown) {
        const { reason, account } = thrown instanceof HelveError ? (thrown.details ?? {}) : {};
        // Only for errors about the account itself: a call may be refused for other reasons.
        if (!(thrown instanceof HelveError) || account === undefined || !call.connection) throw thrown;
        const status = account === 'expired' ? 'expired' : 'error';
        return markBroken(
          parts,
          call.caller.workspaceId,
          call.connection.facts,
          status,
          String(reason ?? thrown.message),
        );
      }
    },
  };
}
