/** What a change of an agent's grants would do. Nothing is stored. */
import type { Connection } from '../../../domain/connection.js';
import type { EffectiveTools, GrantPreview, PreviewedTool } from '../../../domain/explain.js';
import type { Grant, GrantInput } from '../../../domain/grant.js';
import { type Agent, agentPrincipal, type Principal } from '../../../domain/principal.js';
import { decideCall, type NamedTool } from '../../../flows/calling/index.js';
import type { PlaneParts } from '../../../flows/parts.js';
import { freshCatalogue } from '../../../flows/workspaces/index.js';
import { canonicalJson } from '../../../util/canonical.js';
import { defined } from '../../../util/defined.js';
import { readEffective } from '../effective.js';
import { getVersion, planGrants } from './replace.js';

export async function previewGrants(
  parts: PlaneParts,
  { principal, agent }: { readonly principal: Principal; readonly agent: Agent },
  given: readonly GrantInput[],
): Promise<GrantPreview> {
  const { workspaceId } = principal;
  const { configuration, catalogue } = await freshCatalogue(parts, workspaceId);
  const plan = await planGrants(parts, { principal, agent, configuration }, { grants: given });
  const { mine, grants, kept, connections } = plan;
  const asStored = (grant: GrantInput, at: number): Grant => ({ ...grant, id: `preview-${at}`, agentId: agent.id });
  const others = configuration.grants.filter(({ agentId }) => agentId !== agent.id);
  const next = { ...configuration, grants: [...others, ...[...grants, ...kept].map(asStored)] };
  const acting = agentPrincipal(agent, workspaceId);
  const view = { asker: principal, agent: acting, catalogue, directTools: parts.directTools };

  const [before, after] = [mine, grants].map((of) => listTools(of, catalogue.entries)) as [Listed, Listed];
  const shared = [...after].filter(([key]) => before.has(key));
  const added = [...after].filter(([key]) => !before.has(key)).map(([, one]) => one);
  const destructive = added.flatMap(({ shown, entry }) => {
    if (entry?.tool.risk !== 'destructive') return [];
    const { tool, connectionId } = entry;
    const { decision, approval } = decideCall({ configuration: next, principal: acting, tool, connectionId });
    return [{ ...shown, approval, rule: decision.rule }];
  });
  const fresh = grants.filter((grant) => !mine.some(({ connectionId }) => connectionId === grant.connectionId));
  return {
    agent: agent.slug,
    version: getVersion(mine),
    added: added.map(({ shown }) => shown),
    removed: [...before].filter(([key]) => !after.has(key)).map(([, { shown }]) => shown),
    changed: shared.flatMap(([key, { shown, terms }]) => (before.get(key)?.terms === terms ? [] : [shown])),
    destructive,
    before: summarise(readEffective({ ...view, configuration })),
    after: summarise(readEffective({ ...view, configuration: next })),
    privateAccounts: await listPrivate(parts, principal, getAccounts(fresh, connections)),
  };
}

interface GrantedTool {
  readonly shown: PreviewedTool;
  /** Undefined for a tool that is no longer there. */
  readonly entry: NamedTool | undefined;
  /** Its limits and its configuration, as text. */
  readonly terms: string;
}

type Listed = ReadonlyMap<string, GrantedTool>;

/** By toolkit, account and tool. */
function listTools(grants: readonly GrantInput[], entries: readonly NamedTool[]): Listed {
  const named = new Map(
    entries.map((entry) => [getKey(entry.tool.id.toolkit, entry.connectionId, entry.tool.id.name), entry]),
  );
  const all = grants.flatMap(({ toolkit, connectionId, tools, limits, config }) =>
    tools.map((tool): [string, GrantedTool] => {
      const key = getKey(toolkit, connectionId, tool);
      const entry = named.get(key);
      const facts = { name: entry?.name ?? `${toolkit}.${tool}`, toolkit };
      const shown = { ...facts, ...defined({ connection: entry?.slug, risk: entry?.tool.risk }) };
      return [key, { shown, entry, terms: canonicalJson([limits[tool] ?? null, config[tool] ?? null]) }];
    }),
  );
  return new Map(all);
}

const getKey = (toolkit: string, connectionId: string | undefined, tool: string): string =>
  [toolkit, connectionId ?? '', tool].join('\n');

function summarise({ tools, tokens, mode }: EffectiveTools): GrantPreview['before'] {
  return { tools: tools.length, tokens, mode };
}

function getAccounts(grants: readonly GrantInput[], connections: readonly Connection[]): readonly Connection[] {
  const ids = new Set(grants.map(({ connectionId }) => connectionId));
  return connections.filter(({ id }) => ids.has(id));
}

async function listPrivate(
  { storage }: Pick<PlaneParts, 'storage'>,
  { id: asker, workspaceId }: Principal,
  accounts: readonly Connection[],
): Promise<GrantPreview['privateAccounts']> {
  const secluded = accounts.filter(({ visibility }) => visibility === 'private');
  if (secluded.length === 0) return [];
  const users = await storage.workspace(workspaceId).listUsers();
  return secluded.map(({ slug, name, ownerId }) => ({
    connection: slug,
    name,
    own: ownerId === asker,
    ...defined({ owner: users.find(({ id }) => id === ownerId)?.name }),
  }));
}
