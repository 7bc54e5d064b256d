/** Binds a connection to one call: nothing is read and no request is sent until the tool uses it. */
import { setTimeout } from 'node:timers/promises';
import { createCallScrub, createServiceClient, listSecrets, type ServiceClientParts } from '../../connections/index.js';
import type { BoundConnection, Connection } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { ServiceClient, ServiceDefinition, ServiceRequest } from '../../domain/service.js';
import type { TraceContext } from '../../domain/trace-context.js';
import { defined } from '../../util/defined.js';
import type { CallConnection, PipelineParts } from '../calling/index.js';
import { type AccountParts, findScheme, inaccessible, requireAuth } from './account-parts.js';
import { type AccountCredentials, accountCredentials, type CredentialQuestion, plainSettings } from './credentials.js';
import { serviceFetch } from './reach.js';

/** Creates the function that binds a connection to a call. */
export function createBinder(parts: AccountParts): PipelineParts['bindConnection'] {
  return ({ connectionId, configuration, ...call }) => {
    const facts = configuration.connections.find(({ id }) => id === connectionId);
    if (!facts) throw inaccessible('it no longer exists');
    return bind(parts, { workspaceId: configuration.workspaceId, facts, ...call });
  };
}

export interface Binding {
  readonly workspaceId: string;
  readonly facts: Connection;
  /** Names the intended effect: the same when the call is repeated because its answer was lost. */
  readonly effectKey: string;
  readonly signal: () => AbortSignal;
  /** The trace of the call, which its requests belong to. */
  readonly trace?: TraceContext | undefined;
  /** Called instead of marking the account when it turns out that it can no longer be used. */
  readonly onBroken?: CredentialQuestion['onBroken'];
}

export function bind(parts: AccountParts, binding: Binding): CallConnection {
  const { workspaceId, facts, effectKey, signal, trace, onBroken } = binding;
  // The secrets of this call: its answer must not contain them.
  const scrub = createCallScrub();
  let keys = 0;
  // Only requests that carry a key count: when the call is made again, it may read more or less than the first time.
  const idempotencyKey = (): string => {
    keys += 1;
    return `helve-${effectKey}-${keys}`;
  };
  let sent = 0;
  const onSend = (): void => {
    sent += 1;
  };
  let acted = false;
  const onEffect = (): void => {
    acted = true;
  };
  let credentials: Promise<AccountCredentials> | undefined;

  function ofAccount(): Promise<AccountCredentials> {
    credentials ??= (async () => {
      const { toolkit, auth } = await requireAuth(parts.registry, facts.toolkit);
      const { service: definition, settings = {} } = toolkit;
      const service = definition === undefined ? {} : { service: { definition, settings } };
      const scheme = findScheme(auth, facts.toolkit, facts.scheme);
      return accountCredentials(parts, {
        workspaceId,
        connection: facts,
        scheme,
        ...service,
        ...defined({ onBroken }),
      });
    })();
    return credentials;
  }

  const connection: BoundConnection = {
    facts,
    service: (definition, settings) =>
      deferredService(parts, definition, settings, {
        facts,
        idempotencyKey,
        signal,
        trace,
        ofAccount,
        scrub,
        onSend,
        onEffect,
      }),
    async fields() {
      const { auth } = await requireAuth(parts.registry, facts.toolkit);
      if (!findScheme(auth, facts.toolkit, facts.scheme).exposed)
        throw new HelveError('forbidden', `Tools of ${facts.toolkit} cannot read the credentials of the account`);
      const content = await (await ofAccount()).content();
      scrub.see(listSecrets(content));
      return { ...plainSettings(facts), ...content.fields };
    },
  };
  return { connection, clean: scrub.value, requests: () => sent, hasActed: () => acted };
}

interface ServiceBinding
  extends Pick<Binding, 'facts' | 'signal' | 'trace'>,
    Pick<ServiceClientParts, 'idempotencyKey' | 'scrub'> {
  readonly ofAccount: () => Promise<AccountCredentials>;
  readonly onSend: () => void;
  readonly onEffect: () => void;
}

function deferredService(
  parts: AccountParts,
  definition: ServiceDefinition,
  settings: JsonObject,
  { facts, idempotencyKey, signal, trace, ofAccount, scrub, onSend, onEffect }: ServiceBinding,
): ServiceClient {
  const servers = definition.servers(settings, facts.settings);
  const fetch = serviceFetch(parts, definition, Object.values(servers), signal);
  const client = createServiceClient({
    definition,
    servers,
    idempotencyKey,
    scrub,
    onEffect,
    gate: parts.gate,
    gateKey: facts.id,
    now: parts.now,
    fetch: (request) => {
      onSend();
      return fetch(trace === undefined ? request : { ...request, headers: { ...request.headers, ...trace } });
    },
    credentials: {
      get: async (refused) => (await ofAccount()).get(refused),
      rejected: async (reason) => (await ofAccount()).rejected(`the service refuses its credentials: ${reason}`),
    },
    get signal() {
      return signal();
    },
    sleep: (milliseconds, stop) => setTimeout(milliseconds, undefined, { signal: stop }),
  });
  return {
    request: (request: ServiceRequest) => client.request(request),
    json: <T>(request: ServiceRequest) => client.json<T>(request),
  };
}

/**
 * Returns an account with which a server may be asked for its tools: any account of this workspace that is not private now.
 */
export async function anyAccount(
  parts: AccountParts,
  toolkit: string,
  workspaceId: string | undefined,
): Promise<CallConnection | undefined> {
  if (workspaceId === undefined) return undefined;
  const { connections } = await parts.configurations.getFresh(workspaceId);
  const facts = connections.find(
    (one) => one.toolkit === toolkit && one.status === 'active' && one.visibility === 'workspace',
  );
  if (!facts) return undefined;
  const signal = new AbortController().signal;
  return bind(parts, { workspaceId, facts, effectKey: facts.id, signal: () => signal });
}
