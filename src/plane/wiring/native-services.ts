/** The access of native tools, bound to the workspace and caller of each call. */

import type { CallerFacts, HttpClient, KeyValueStore, ResultReader } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import { nameCaller } from '../../domain/principal.js';
import type { EgressLimits } from '../../domain/tool.js';
import type { NativeServices } from '../../providers/native/index.js';
import { defined } from '../../util/defined.js';
import type { Egress, EgressPolicy } from '../../walls/egress/index.js';
import { commonDomains, resolvePolicy } from '../../walls/egress/index.js';
import type { NativeServiceParts } from './native-parts.js';
import { createReach, type Reach } from './reach.js';

const maxEgresses = 100;

export interface PlaneServices extends NativeServices, Pick<Reach, 'checks' | 'close'> {
  /** The egress under these limits, shared by all tools with equal limits. */
  readonly egress: (limits: EgressLimits) => Promise<Egress>;
  /** The same, but never closed to make room for others: for hosts in the configuration whose responses are read for hours. */
  readonly lastingEgress: (limits: EgressLimits) => Promise<Egress>;
}

export function createNativeServices(parts: NativeServiceParts): PlaneServices {
  // An invalid policy is refused now, not when a tool first uses it.
  resolvePolicy(parts.egress);
  // One connection pool for each distinct set of limits, so that keep-alive never crosses two policies.
  const egresses = new Map<string, Promise<Egress>>();
  const lasting = new Map<string, Promise<Egress>>();

  async function egressOf(pool: Map<string, Promise<Egress>>, limits: EgressLimits): Promise<Egress> {
    const key = JSON.stringify(limits);
    const known = pool.get(key);
    if (known) return known;
    if (pool === egresses && pool.size >= maxEgresses) closeOldest(pool);
    const created = openEgress(parts.egress, limits);
    pool.set(key, created);
    created.catch(() => pool.delete(key));
    return created;
  }
  const egressFor = (limits: EgressLimits): Promise<Egress> => egressOf(egresses, limits);

  const reach = createReach(parts, (limits) => narrow(parts.egress, limits));
  return {
    ...reach,
    workers: parts.workers,
    programs: ({ workspaceId: tenant }, signal) => ({
      run: (request) => parts.sandbox.run({ ...request, tenant, signal }),
    }),
    egress: egressFor,
    lastingEgress: (limits) => egressOf(lasting, limits),
    http(limits, signal): HttpClient {
      return { fetch: async (request) => (await egressFor(limits)).fetch({ ...request, signal }) };
    },
    keyValues: (caller) => boundKeyValues(parts, caller),
    results: (caller) => boundResults(parts, caller),
    async close() {
      await reach.close();
      await Promise.all([...egresses.values(), ...lasting.values()].map(async (egress) => (await egress).close()));
    },
  };
}

function boundKeyValues({ storage, now }: NativeServiceParts, caller: CallerFacts): KeyValueStore {
  const table = storage.workspace(caller.workspaceId).keyValues;
  const at = (aheadMs = 0): string => new Date(now().getTime() + aheadMs).toISOString();
  return {
    get: (namespace, key) => table.get(namespace, key, at()),
    set: (namespace, key, value, ttlSeconds) =>
      table.set(namespace, key, value, ttlSeconds === undefined ? undefined : at(ttlSeconds * 1_000)),
    delete: (namespace, key) => table.delete(namespace, key, at()),
  };
}

function boundResults(parts: NativeServiceParts, caller: CallerFacts): ResultReader {
  return {
    async read(handle) {
      const stored = await parts.storage.workspace(caller.workspaceId).results.find(handle);
      // What an agent got for one person is not for another. The handle of somebody else looks like one that never existed.
      if (!stored || (stored.caller !== nameCaller(caller) && stored.caller !== caller.id)) {
        throw new HelveError('not_found', 'There is no such result', {
          hint: 'Use the handle exactly as it was given.',
        });
      }
      if (stored.expiresAt <= parts.now().toISOString()) {
        throw new HelveError('expired', 'The result has expired', { hint: 'Make the original call again.' });
      }
      const { effect, reason } = await parts.decideKept(caller, stored);
      if (effect === 'deny')
        throw new HelveError(
          'not_granted',
          `The call of ${stored.tool} that gave this result is no longer allowed: ${reason}`,
        );
      return stored.value;
    },
  };
}

/** The code of the wall is loaded on the first request. */
async function openEgress(operator: EgressPolicy, limits: EgressLimits): Promise<Egress> {
  const { createEgress } = await import('../../walls/egress/index.js');
  return createEgress(narrow(operator, limits));
}

/** Combines the tool's limits with the operator's: a request must satisfy both. */
function narrow(operator: EgressPolicy, limits: EgressLimits): EgressPolicy {
  const { allowedDomains, blockedDomains = [], operatorHosts, ...bounds } = limits;
  const allowed =
    operator.allowedDomains && allowedDomains
      ? commonDomains(operator.allowedDomains, allowedDomains)
      : (allowedDomains ?? operator.allowedDomains);
  return {
    ...operator,
    ...bounds,
    ...lower('timeoutMs', operator, bounds),
    ...lower('maxBytes', operator, bounds),
    ...lower('maxRedirects', operator, bounds),
    ...defined({ allowedDomains: allowed }),
    blockedDomains: [...(operator.blockedDomains ?? []), ...blockedDomains],
    ...defined({ openHosts: operatorHosts }),
    truncate: true,
  };
}

type Bound = 'timeoutMs' | 'maxBytes' | 'maxRedirects';

function lower(bound: Bound, operator: EgressPolicy, limits: EgressLimits): Partial<Record<Bound, number>> {
  const [outer, inner] = [operator[bound], limits[bound]];
  return outer === undefined || inner === undefined ? {} : { [bound]: Math.min(outer, inner) };
}

function closeOldest(egresses: Map<string, Promise<Egress>>): void {
  for (const [key, egress] of egresses) {
    egresses.delete(key);
    void egress.then((open) => open.close());
    return;
  }
}
