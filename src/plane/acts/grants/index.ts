/** Grants: everything that could be granted to an agent, and what is granted. */

import type { Connection } from '../../../domain/connection.js';
import { metaToolkit } from '../../../domain/discovery.js';
import { HelveError } from '../../../domain/errors.js';
import type { DoubtfulLimit, GivenGrant, Grant, GrantInput, GrantSet } from '../../../domain/grant.js';
import type { JsonObject } from '../../../domain/json.js';
import type { CatalogueEntry, Plane } from '../../../domain/plane.js';
import type { Principal } from '../../../domain/principal.js';
import type { Tool, Toolkit } from '../../../domain/tool.js';
import type { Catalogue, NamedTool } from '../../../flows/calling/index.js';
import { describeSummary } from '../../../flows/finding/index.js';
import type { PlaneParts } from '../../../flows/parts.js';
import {
  draft,
  freshCatalogue,
  knownToolkit,
  requireVersion,
  toolkitFacts,
  toolkitsInUse,
} from '../../../flows/workspaces/index.js';
import { findDoubtfulLimits, getGrants, seesAccount, visibleConnections } from '../../../grants/index.js';
import { defined } from '../../../util/defined.js';
import { createLookup } from '../../../util/lookup.js';
import { createSlices } from '../../../util/slices.js';
import { actingOn } from '../approval-views.js';
import { refuseFileManaged } from '../file-managed.js';
import { changeGrantSet } from './change.js';
import { previewGrants } from './preview.js';
import { getVersion, replaceGrants } from './replace.js';
import { withdrawFrom } from './withdraw.js';

export { replaceGrants } from './replace.js';
export { createWordFinder } from './select.js';

const maxSummary = 200;
const turnMs = 5;
const summaries = new WeakMap<Tool, string>();

const getTarget = (toolkit: string, connectionId = ''): string => `${toolkit}\n${connectionId}`;
const accountsByToolkit = createLookup(({ toolkit }: Connection) => toolkit);
const grantsByTarget = createLookup(({ toolkit, connectionId }: Grant) => getTarget(toolkit, connectionId));
const entriesByTarget = createLookup(({ tool, connectionId }: NamedTool) => getTarget(tool.id.toolkit, connectionId));

export function grantActs(
  parts: PlaneParts,
): Pick<
  Plane,
  'grantCatalogue' | 'replaceGrants' | 'changeGrants' | 'previewGrants' | 'withdrawConnection' | 'enableTools'
> {
  const { storage, registry } = parts;

  return {
    async grantCatalogue(principal, name, { isShort = false } = {}) {
      return readGrantCatalogue(parts, principal, { name, isShort });
    },
    async replaceGrants(principal, name, grants, ifMatch) {
      const agent = await parts.directory(principal.workspaceId).agent(name);
      refuseFileManaged(agent);
      const given = { grants: grants.map(fillGiven), ...defined({ ifMatch }) };
      const { grants: written, version } = await replaceGrants(parts, principal, agent, given);
      return { ...(await showGrants(parts, principal, written)), version };
    },
    async changeGrants(principal, name, changes, ifMatch) {
      for (let attempt = 1; ; attempt++) {
        const { agent, entries, grants, version } = await readGrantCatalogue(parts, principal, { name });
        refuseFileManaged(agent);
        requireVersion(ifMatch, version, () =>
          grants.map(({ toolkit, tools }) => `${toolkit} is granted with ${tools.join(', ')}`),
        );
        const changed = changeGrantSet(grants.map(asInput), entries, changes);
        try {
          const given = { grants: changed.grants, ifMatch: [version] };
          const { grants: written, version: now } = await replaceGrants(parts, principal, agent, given);
          const { added, removed } = changed;
          return { ...(await showGrants(parts, principal, written)), version: now, added, removed };
        } catch (error) {
          // Another caller changed them in between: the selection is resolved again, on the present grants.
          if (attempt >= maxAttempts || !(error instanceof HelveError) || error.code !== 'precondition_failed')
            throw error;
        }
      }
    },
    withdrawConnection: withdrawFrom(parts),
    async previewGrants(principal, name, change) {
      const { agent, entries, grants } = await readGrantCatalogue(parts, principal, { name });
      refuseFileManaged(agent);
      const next =
        'grants' in change ? change.grants.map(fillGiven) : changeGrantSet(grants.map(asInput), entries, change).grants;
      return previewGrants(parts, { principal, agent }, next);
    },
    async enableTools(principal, toolkit, setting) {
      const tools = (await registry.tools(toolkit, principal.workspaceId)).map(({ tool }) => tool.id.name);
      await knownToolkit(registry, toolkit);
      const unknown = setting.enabledTools?.find((tool) => !tools.includes(tool));
      if (unknown !== undefined) {
        throw new HelveError('invalid_input', `enabledTools: ${toolkit} has no tool ${JSON.stringify(unknown)}`, {
          hint: `It has ${tools.join(', ')}.`,
        });
      }
      const stored = { toolkit, ...setting };
      const row = draft('toolkit.changed', principal, parts.now(), { ...stored } as JsonObject);
      await storage.workspace(principal.workspaceId).change([row], (tables) => tables.putToolkitSetting(stored));
      return stored;
    },
  };
}

const maxAttempts = 5;

const fillGiven = ({ limits = {}, config = {}, ...grant }: GivenGrant): GrantInput => ({ ...grant, limits, config });

function asInput({ toolkit, connectionId, tools, limits, config }: Grant): GrantInput {
  return { toolkit, ...defined({ connectionId }), tools, limits, config };
}

async function readGrantCatalogue(
  parts: PlaneParts,
  principal: Principal,
  { name, isShort = false }: { readonly name: string; readonly isShort?: boolean },
): ReturnType<Plane['grantCatalogue']> {
  const { registry } = parts;
  const agent = await parts.directory(principal.workspaceId).agent(name);
  const { configuration, catalogue } = await freshCatalogue(parts, principal.workspaceId);
  const connections = visibleConnections(configuration, principal);
  // The meta-tools are included in every grant and do nothing on their own.
  const toolkits = (await registry.toolkits())
    .filter(toolkitsInUse({ ...configuration, connections }))
    .filter(({ slug }) => slug !== metaToolkit);
  const grants = getGrants(configuration, agent.id).filter((grant) =>
    seesAccount(configuration, principal, grant.connectionId),
  );
  const view = { catalogue, grants, isShort };
  const entries: CatalogueEntry[] = [];
  const slices = createSlices(turnMs);
  for (const toolkit of toolkits) {
    const accounts = toolkit.needsConnection ? accountsByToolkit(connections, toolkit.slug) : [undefined];
    for (const account of accounts) entries.push(catalogueEntry(toolkit, account, view));
    await slices.rest();
  }
  return { agent, entries, ...(await showGrants(parts, principal, grants)), version: getVersion(grants) };
}

/** The grants with the accounts that act, and their limits that may be misspelt. */
async function showGrants(
  parts: PlaneParts,
  { workspaceId }: Principal,
  granted: readonly Grant[],
): Promise<Pick<GrantSet, 'grants' | 'doubtfulLimits'>> {
  const grants = granted.map(async (grant) => {
    const account = await actingOn(parts, workspaceId, grant.connectionId);
    return account === undefined ? grant : { ...grant, account };
  });
  return { grants: await Promise.all(grants), doubtfulLimits: await findDoubts(parts, workspaceId, granted) };
}

/** A limit that may have no effect, with the slug of its agent. */
export interface AgentsDoubtfulLimit extends DoubtfulLimit {
  readonly agent: string;
}

/** Of all agents' grants that the principal may see, the limits that may have no effect. */
export async function doubtfulLimitsOfAgents(
  parts: PlaneParts,
  principal: Principal,
): Promise<readonly AgentsDoubtfulLimit[]> {
  const { workspaceId } = principal;
  const configuration = await parts.configurations.getFresh(workspaceId);
  const ofAgents = configuration.agents.map(async ({ id, slug: agent }) => {
    const grants = getGrants(configuration, id).filter((one) =>
      seesAccount(configuration, principal, one.connectionId),
    );
    return (await findDoubts(parts, workspaceId, grants)).map((doubt) => ({ agent, ...doubt }));
  });
  return (await Promise.all(ofAgents)).flat();
}

async function findDoubts(
  { registry }: PlaneParts,
  workspaceId: string,
  grants: readonly Grant[],
): Promise<readonly DoubtfulLimit[]> {
  const limited = grants.filter(({ limits }) => Object.keys(limits).length > 0);
  const doubts = limited.map(async (grant) => {
    // Grants must be shown, and can be taken away, while their server is down or slow.
    const tools = await registry.toolsSoon(grant.toolkit, workspaceId).catch(() => []);
    return findDoubtfulLimits(
      grant,
      tools.map(({ tool }) => tool),
    );
  });
  return (await Promise.all(doubts)).flat();
}

interface EntryView {
  readonly catalogue: Catalogue;
  readonly grants: readonly Grant[];
  /** Whether of each description only the first sentence is wanted. */
  readonly isShort: boolean;
}

/** One toolkit, or one account of it, with the names of its tools. */
function catalogueEntry(
  toolkit: Toolkit,
  connection: Connection | undefined,
  { catalogue, grants, isShort }: EntryView,
): CatalogueEntry {
  const target = getTarget(toolkit.slug, connection?.id);
  const granted = new Set(grantsByTarget(grants, target).flatMap((grant) => grant.tools));
  const tools = entriesByTarget(catalogue.entries, target);
  return {
    toolkit: toolkitFacts(toolkit),
    ...(connection === undefined
      ? {}
      : { connectionId: connection.id, slug: connection.slug, connection: pick(connection) }),
    tools: tools.map(({ name: modelName, tool }) => ({
      modelName,
      name: tool.id.name,
      title: tool.title,
      description: isShort ? summarise(tool) : tool.description,
      risk: tool.risk,
      capabilities: tool.capabilities,
      ...defined({ group: tool.group }),
      granted: granted.has(tool.id.name) || (tool.intrinsic && grants.length > 0),
    })),
  };
}

/** Each tool once: it occurs with each of its accounts, of which there can be very many. */
function summarise(tool: Tool): string {
  const summary = summaries.get(tool) ?? describeSummary(tool, maxSummary);
  summaries.set(tool, summary);
  return summary;
}

function pick({ name, status, visibility, account }: Connection) {
  return { name, status, visibility, ...defined({ account }) };
}
