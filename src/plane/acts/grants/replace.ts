/**
 * Replaces an agent's grants: checked as a whole, then written as a whole. The set covers the accounts that the writer
 * can see; grants on another person's private accounts stay unchanged. A change that the writer has not read is never
 * overwritten.
 */

import type { Connection } from '../../../domain/connection.js';
import type { Grant, GrantInput, GrantSet, WorkspaceConfiguration } from '../../../domain/grant.js';
import type { Agent, Principal } from '../../../domain/principal.js';
import type { PlaneParts } from '../../../flows/parts.js';
import { changedSince, draft, requireVersion, systemPrincipal } from '../../../flows/workspaces/index.js';
import { checkGrants, type GrantableTools, getGrants, seesAccount, visibleConnections } from '../../../grants/index.js';
import { schemaIssues } from '../../../schema/index.js';
import { accountFacts } from '../../../util/acting-account.js';
import { canonicalJson } from '../../../util/canonical.js';
import { defined } from '../../../util/defined.js';
import { sha256 } from '../../../util/hash.js';
import { checkGrantedReach } from './granted-reach.js';

interface Replacement {
  readonly grants: readonly GrantInput[];
  /** Versions that the writer has read; undefined: no check, the last writer wins. */
  readonly ifMatch?: readonly string[];
  /** Which tools of a present grant stay, without a check of its toolkit; undefined: the given set is complete. */
  readonly keeps?: (grant: Grant) => readonly string[] | undefined;
}

export function replaceGrants(
  parts: PlaneParts,
  principal: Principal,
  agent: Agent,
  { grants: given, ifMatch, keeps }: Replacement,
): Promise<Pick<GrantSet, 'version'> & { readonly grants: readonly Grant[] }> {
  const { workspaceId } = principal;
  return changedSince(parts, workspaceId, async (configuration) => {
    const replacement = { grants: given, ...defined({ ifMatch, keeps }) };
    const { grants, kept, connections } = await planGrants(parts, { principal, agent, configuration }, replacement);
    const row = draft('grants.replaced', principal, parts.now(), {
      agentId: agent.id,
      agent: agent.slug,
      grants: grants.map(({ toolkit, connectionId, tools }) => ({
        toolkit,
        ...defined({ connectionId }),
        ...accountFacts(connections.find(({ id }) => id === connectionId)),
        tools: [...tools],
      })),
    });
    const stored = await parts.storage
      .workspace(workspaceId)
      .change([row], (tables) => tables.replaceGrants(agent.id, [...grants, ...kept]), configuration.revision);
    const written = stored.slice(0, grants.length);
    return { grants: written, version: getVersion(written) };
  });
}

interface Writing {
  readonly principal: Principal;
  readonly agent: Pick<Agent, 'id'>;
  readonly configuration: WorkspaceConfiguration;
}

interface GrantPlan {
  /** The present grants that the set replaces. */
  readonly mine: readonly Grant[];
  /** What was given, with the ids of the accounts. */
  readonly grants: readonly GrantInput[];
  /** What stays besides. */
  readonly kept: readonly GrantInput[];
  /** Those that the writer can see. */
  readonly connections: readonly Connection[];
}

/** Checks the replacement, and returns what it would write. Throws as `replaceGrants` does. */
export async function planGrants(
  parts: PlaneParts,
  { principal, agent, configuration }: Writing,
  { grants: given, ifMatch, keeps }: Replacement,
): Promise<GrantPlan> {
  const { workspaceId } = principal;
  const present = getGrants(configuration, agent.id);
  // For an agent in helve.yaml, the declaration is the whole set, and Helve itself writes it.
  const isMine = (grant: Grant): boolean =>
    keeps?.(grant) === undefined &&
    (principal.id === systemPrincipal(workspaceId).id || seesAccount(configuration, principal, grant.connectionId));
  const mine = present.filter(isMine);
  const others = present.filter((grant) => !isMine(grant));
  requireVersion(ifMatch, getVersion(mine), () => differences(mine, given));
  const connections = listAccounts(configuration, principal);
  const grants = given.map((grant) => withConnectionId(grant, connections));
  await checkGrants(grants, grantableIn(parts, workspaceId, connections), schemaIssues, mine);
  await checkGrantedReach(parts.registry, grants);
  const kept = others.flatMap((grant) => narrowGrant(grant, keeps?.(grant) ?? grant.tools));
  return { mine, grants, kept, connections };
}

/**
 * Returns the grant with only these tools, or no grant if there are none. Limits and configuration of other tools are
 * removed.
 */
function narrowGrant({ id: _id, agentId: _agentId, ...grant }: Grant, tools: readonly string[]): readonly GrantInput[] {
  if (tools.length === 0) return [];
  if (tools.length === grant.tools.length) return [grant];
  const keep = <T>(facts: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(facts).filter(([tool]) => tools.includes(tool)));
  return [{ ...grant, tools, limits: keep(grant.limits), config: keep(grant.config) }];
}

function listAccounts(configuration: WorkspaceConfiguration, principal: Principal): readonly Connection[] {
  const isHelve = principal.id === systemPrincipal(principal.workspaceId).id;
  return isHelve ? configuration.connections : visibleConnections(configuration, principal);
}

function grantableIn(
  { registry }: PlaneParts,
  workspaceId: string,
  connections: readonly Connection[],
): GrantableTools {
  return async (slug) => {
    const toolkit = await registry.findToolkit(slug);
    if (!toolkit) return undefined;
    const tools = (await registry.tools(slug, workspaceId)).map(({ tool }) => tool);
    return {
      tools,
      connections: toolkit.needsConnection ? connections.filter((one) => one.toolkit === slug) : undefined,
    };
  };
}

/** The same for equal grants, regardless of who wrote them and when. */
export function getVersion(grants: readonly GrantInput[]): string {
  const facts = grants.map(({ toolkit, connectionId = null, tools, limits, config }) => [
    toolkit,
    connectionId,
    tools,
    limits,
    config,
  ]);
  return sha256(canonicalJson(facts)).slice(0, 32);
}

/** The present grants that differ from what was sent, by toolkit and account. */
function differences(present: readonly Grant[], given: readonly GrantInput[]): readonly string[] {
  const key = ({ toolkit, connectionId }: GrantInput): string =>
    connectionId === undefined ? toolkit : `${toolkit} (${connectionId})`;
  const sent = new Map(given.map((grant) => [key(grant), grant]));
  const found = present.flatMap((grant) => {
    const other = sent.get(key(grant));
    sent.delete(key(grant));
    if (other && getVersion([grant]) === getVersion([other])) return [];
    return [`${key(grant)} is granted with ${grant.tools.join(', ')}`];
  });
  return [...found, ...[...sent.keys()].map((target) => `${target} is not granted`)];
}

/** A connection may be named by its slug. */
function withConnectionId(grant: GrantInput, connections: readonly Connection[]): GrantInput {
  const { connectionId } = grant;
  const found =
    connections.find(({ id }) => id === connectionId) ?? connections.find(({ slug }) => slug === connectionId);
  return found === undefined ? grant : { ...grant, connectionId: found.id };
}
