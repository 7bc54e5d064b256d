/** What native tools reach, bound to the workspace and caller of each call. */

import type { NativeServices } from '../providers/native/index.js';
import type { CallerFacts, HttpClient, KeyValueStore, ResultReader } from '../spec/context.js';
import { HelveError } from '../spec/errors.js';
import type { WorkspaceConfiguration } from '../spec/grant.js';
import type { Storage, StoredResult } from '../spec/storage.js';
import type { EgressLimits } from '../spec/tool.js';
import { createEgress, type Egress, type EgressPolicy } from '../walls/egress/index.js';

export interface NativeServiceParts {
  readonly storage: Storage;
  readonly now: () => Date;
  /** The operator's policy: what no tool may widen. */
  readonly egress: EgressPolicy;
  readonly configuration: (workspaceId: string) => Promise<WorkspaceConfiguration>;
}

const mostEgresses = 100;

export function createNativeServices(parts: NativeServiceParts): NativeServices & { close(): Promise<void> } {
  // One connection pool for each distinct set of limits, so that keep-alive never crosses two policies.
  const egresses = new Map<string, Egress>();

  function egressFor(limits: EgressLimits): Egress {
    const key = JSON.stringify(limits);
    const known = egresses.get(key);
    if (known) return known;
    if (egresses.size >= mostEgresses) closeOldest(egresses);
    const created = createEgress(narrow(parts.egress, limits));
    egresses.set(key, created);
    return created;
  }

  return {
    http(limits, signal): HttpClient {
      return { fetch: (request) => egressFor(limits).fetch({ ...request, signal }) };
    },
    keyValues: (caller) => boundKeyValues(parts, caller),
    results: (caller) => boundResults(parts, caller),
    async close() {
      await Promise.all([...egresses.values()].map((egress) => egress.close()));
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
      // Somebody else's handle looks exactly like one that never was.
      if (!stored || stored.principalId !== caller.id) {
        throw new HelveError('not_found', 'There is no such result', {
          hint: 'Use the handle exactly as it was given.',
        });
      }
      if (stored.expiresAt <= parts.now().toISOString()) {
        throw new HelveError('expired', 'The result has expired', { hint: 'Make the original call again.' });
      }
      await requireStandingGrant(parts, stored, caller);
      return stored.value;
    },
  };
}

async function requireStandingGrant(
  parts: NativeServiceParts,
  stored: StoredResult,
  caller: CallerFacts,
): Promise<void> {
  if (caller.kind !== 'agent') return;
  const { grants } = await parts.configuration(caller.workspaceId);
  const stands = grants.some(
    (grant) =>
      grant.agentId === caller.id &&
      grant.toolkit === stored.toolkit &&
      grant.connectionId === stored.connectionId &&
      grant.tools.includes(stored.tool),
  );
  if (!stands)
    throw new HelveError('not_granted', `The grant for ${stored.tool}, which made this result, no longer stands`);
}

/** The tool's limits under the operator's: a list of both must satisfy both. */
function narrow(operator: EgressPolicy, limits: EgressLimits): EgressPolicy {
  return {
    ...operator,
    ...limits,
    blockedDomains: [...(operator.blockedDomains ?? []), ...(limits.blockedDomains ?? [])],
    truncate: true,
  };
}

function closeOldest(egresses: Map<string, Egress>): void {
  for (const [key, egress] of egresses) {
    egresses.delete(key);
    void egress.close();
    return;
  }
}
