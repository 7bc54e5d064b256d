/** Agents that `helve.yaml` declares: created, granted and configured accordingly. A second start changes nothing. */
import type { DeclaredAgent } from '../../config/index.js';
import type { Connection } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { Grant, GrantInput } from '../../domain/grant.js';
import type { JsonObject } from '../../domain/json.js';
import { createNameIndex, slugify } from '../../domain/naming/index.js';
import type { Agent } from '../../domain/principal.js';
import type { Tool } from '../../domain/tool.js';
import type { Catalogue } from '../../flows/calling/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { findWritten, getOutsideToolkits, systemPrincipal } from '../../flows/workspaces/index.js';
import { schemaIssues } from '../../schema/index.js';
import { canonicalJson } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { nearest, orDidYouMean } from '../../util/nearest.js';
import { checkGrantedReach } from '../acts/grants/granted-reach.js';
import { createWordFinder, replaceGrants } from '../acts/grants/index.js';
import { placedIssue } from './issue-place.js';
import { type LateGrants, notThereYet } from './late-grants.js';

const maxNamed = 20;

/**
 * Throws `invalid_config`, with file, line and key, before anything is changed. Reads no document and no server: `late`
 * grants their tools once their toolkit has been read.
 */
export async function applyDeclaredAgents(
  parts: PlaneParts,
  workspaceId: string,
  declared: readonly DeclaredAgent[],
  late: LateGrants,
): Promise<void> {
  if (declared.length === 0) return;
  const own = await parts.ownCatalogue(workspaceId);
  const wanted = await Promise.all(
    declared.map(async (agent) => ({ agent, grants: await grantsFor(parts, workspaceId, agent, async () => own) })),
  );
  for (const { agent, grants } of wanted) {
    const stored = await storeAgent(parts, workspaceId, agent);
    await writeGrants(parts, workspaceId, stored, grants);
    if (grants.missing.length > 0) grantMissing(parts, workspaceId, { agent, stored, late, toolkits: grants.keeps });
  }
}

async function storeAgent(parts: PlaneParts, workspaceId: string, agent: DeclaredAgent): Promise<Agent> {
  const system = systemPrincipal(workspaceId);
  const known = await parts.storage.workspace(workspaceId).findAgent(agent.name);
  if (known?.managedBy === 'api') {
    throw new HelveError(
      'invalid_config',
      `${agent.at(['name'])}: an agent ${agent.name} was already created through the API`,
      {
        hint: 'Remove that agent, or choose another name.',
      },
    );
  }
  const name = agent.title === undefined ? {} : { name: agent.title };
  const stored =
    known ?? (await parts.directory(workspaceId).createAgent(system, { slug: agent.name, ...name }, 'file'));
  const { toolMode = 'auto', worker = 'helve' } = agent;
  const isAsDeclared = toolMode === (stored.toolMode ?? 'auto') && worker === (stored.worker ?? 'helve');
  if (!isAsDeclared || stored.managedBy !== 'file')
    await parts.directory(workspaceId).changeAgent(system, { ...stored, managedBy: 'file' }, { toolMode, worker });
  return stored;
}

async function writeGrants(
  parts: PlaneParts,
  workspaceId: string,
  stored: Agent,
  { grants, keeps: toolkits, missing }: WantedGrants,
): Promise<void> {
  const { grants: all, connections } = await parts.configurations.getFresh(workspaceId);
  const keeps = (grant: Grant): readonly string[] | undefined =>
    toolkits.has(grant.toolkit) ? findStillDeclared(grant, missing, connections) : undefined;
  const mine = all.filter((grant) => grant.agentId === stored.id);
  const present = mine.filter((grant) => keeps(grant) === undefined);
  const isNarrower = mine.some((grant) => (keeps(grant) ?? grant.tools).length < grant.tools.length);
  if (isNarrower || !sameGrants(present, grants))
    await replaceGrants(parts, systemPrincipal(workspaceId), stored, { grants, keeps });
}

/** Granted tools that could not be looked up but are still declared; tools that are no longer declared are removed. */
function findStillDeclared(
  { toolkit, connectionId, tools }: Grant,
  missing: WantedGrants['missing'],
  connections: readonly Connection[],
): readonly string[] {
  const index = createNameIndex(tools.map((name) => ({ toolkit, name })));
  const slugs = [slugify(toolkit), connections.find(({ id }) => id === connectionId)?.slug];
  const toolkitOfSlug = (slug: string): string | undefined => (slugs.includes(slug) ? toolkit : undefined);
  const meant = missing.map(({ name }) => index.parse(name, { toolkitOfSlug })?.name ?? name);
  return tools.filter((name) => meant.includes(name) || meant.includes(`${toolkit}.${name}`));
}

interface LateAgent {
  readonly agent: DeclaredAgent;
  readonly stored: Agent;
  readonly late: LateGrants;
  /** Toolkits that could not be read at the start. */
  readonly toolkits: ReadonlySet<string>;
}

/** Retries whenever a toolkit has been read, until every tool that the agent declares is granted. */
function grantMissing(parts: PlaneParts, workspaceId: string, { agent, stored, late, toolkits }: LateAgent): void {
  const told = new Set<string>();
  late.whenRead(toolkits, async () => {
    const grants = await grantsFor(parts, workspaceId, agent, (name) => parts.catalogue(workspaceId, name));
    await writeGrants(parts, workspaceId, stored, grants);
    for (const { place, name, toolkit } of grants.missing) {
      if (told.has(name)) continue;
      told.add(name);
      const meant = findMeant(await parts.catalogue(workspaceId, name), name);
      late.report(meant.length > 0 ? notOneTool(place, name, meant) : notThereYet(place, name, toolkit));
    }
    return grants.missing.length === 0;
  });
}

interface WantedGrants {
  readonly grants: readonly GrantInput[];
  /**
   * External toolkits that lack a declared tool, or were not read: their grants stay, as far as they are still
   * declared.
   */
  readonly keeps: ReadonlySet<string>;
  readonly missing: readonly MissingTool[];
}

interface MissingTool {
  readonly place: string;
  readonly name: string;
  readonly toolkit: string;
}

async function grantsFor(
  { registry, configurations }: PlaneParts,
  workspaceId: string,
  agent: DeclaredAgent,
  catalogueFor: (name: string) => Promise<Catalogue>,
): Promise<WantedGrants> {
  const { connections } = await configurations.get(workspaceId);
  const byTarget = new Map<string, DeclaredGrant>();
  const missing: MissingTool[] = [];
  const keeps = new Set<string>();
  for (const [index, name] of agent.tools.entries()) {
    const catalogue = await catalogueFor(name);
    const found = catalogue.find(name);
    if (!found) {
      const place = agent.at(['tools', index]);
      const possible = await getOutsideToolkits(name, registry, connections);
      const [toolkit] = possible;
      if (!toolkit) throw await unknownTool(registry, catalogue, { place, name });
      for (const { slug } of possible) keeps.add(slug);
      missing.push({ place, name, toolkit: toolkit.slug });
      continue;
    }
    const { tool, connectionId } = found;
    const account = connectionId === undefined ? {} : { connectionId };
    const grant = byTarget.get(getTarget(found)) ?? { toolkit: tool.id.toolkit, ...account, tools: [], config: {} };
    if (!grant.tools.includes(tool.id.name)) grant.tools.push(tool.id.name);
    byTarget.set(getTarget(found), grant);
  }
  for (const [name, config] of Object.entries(agent.toolConfig)) {
    const catalogue = await catalogueFor(name);
    const found = catalogue.find(name);
    // Settings are for native tools: those of documents and servers take none.
    if (!found && (await getOutsideToolkits(name, registry, connections)).length > 0)
      throw takesNoConfig(agent.at(['tool_config', name]), name);
    if (!found) throw await unknownTool(registry, catalogue, { place: agent.at(['tool_config', name]), name });
    const { tool } = found;
    const grant = byTarget.get(getTarget(found));
    if (!grant?.tools.includes(tool.id.name)) {
      throw new HelveError(
        'invalid_config',
        `${agent.at(['tool_config', name])}: ${name} is not among the agent's tools`,
      );
    }
    grant.config[tool.id.name] = checkedConfig(agent, name, tool, config);
    await checkReach(registry, agent, name, { toolkit: tool.id.toolkit, config: { [tool.id.name]: config } });
  }
  // A toolkit with some of the tools has been read: the missing tools are reported, and these are granted.
  for (const { toolkit } of byTarget.values()) keeps.delete(toolkit);
  return { grants: [...byTarget.values()].map((grant) => ({ ...grant, limits: {} })), keeps, missing };
}

function takesNoConfig(place: string, name: string): HelveError {
  return new HelveError('invalid_config', `${place}: ${name} takes no tool_config`);
}

type Named = Pick<Catalogue['entries'][number], 'tool' | 'connectionId'>;

interface DeclaredGrant {
  readonly toolkit: string;
  readonly connectionId?: string;
  readonly tools: string[];
  readonly config: Record<string, JsonObject>;
}

function getTarget({ tool, connectionId = '' }: Named): string {
  return `${tool.id.toolkit}\n${connectionId}`;
}

function checkedConfig(agent: DeclaredAgent, name: string, tool: Tool, config: JsonObject): JsonObject {
  if (!tool.configSchema) throw takesNoConfig(agent.at(['tool_config', name]), name);
  const [issue] = schemaIssues(tool.configSchema, config);
  if (!issue) return config;
  throw new HelveError('invalid_config', placedIssue(issue, ['tool_config', name], agent.at));
}

async function checkReach(
  registry: PlaneParts['registry'],
  agent: DeclaredAgent,
  name: string,
  grant: Pick<GrantInput, 'toolkit' | 'config'>,
): Promise<void> {
  await checkGrantedReach(registry, [grant]).catch((error: unknown) => {
    if (!(error instanceof HelveError)) throw error;
    const { code, message, hint } = error;
    throw new HelveError(code, `${agent.at(['tool_config', name])}: ${message}`, hint === undefined ? {} : { hint });
  });
}

/** The tools that are meant by a name of none: a toolkit, an account, a pattern, or a form that several share. */
function findMeant(catalogue: Catalogue, name: string): readonly string[] {
  const matches = catalogue.match(name).map((entry) => entry.name);
  if (matches.length > 0) return matches;
  const find = createWordFinder(
    catalogue.entries.map(({ name: modelName, slug, connectionId, tool: { id } }) => ({
      toolkit: id.toolkit,
      tool: { modelName, name: id.name },
      ...defined({ slug, connectionId }),
    })),
  );
  return find(name).map(({ tool }) => tool.modelName);
}

function notOneTool(place: string, name: string, meant: readonly string[]): HelveError {
  if (meant.length === 1) return noSuchTool(place, name, meant[0]);
  const more = meant.length > maxNamed ? ` and ${meant.length - maxNamed} more` : '';
  return new HelveError(
    'invalid_config',
    `${place}: ${quote(name)} does not name one tool; it can mean ${meant.length}. List each tool that the agent may use`,
    { hint: `Choose from ${meant.slice(0, maxNamed).join(', ')}${more}.` },
  );
}

async function unknownTool(
  registry: PlaneParts['registry'],
  catalogue: Catalogue,
  { place, name }: Pick<MissingTool, 'place' | 'name'>,
): Promise<HelveError> {
  const meant = findMeant(catalogue, name);
  if (meant.length > 1) return notOneTool(place, name, meant);
  const toolkit = findWritten(await registry.toolkits(), name.split(/__|\./)[0] ?? '');
  if (toolkit?.needsConnection && !catalogue.entries.some(({ tool }) => tool.id.toolkit === toolkit.slug))
    return new HelveError(
      'invalid_config',
      `${place}: ${toolkit.slug} has no account yet, so it has no tool ${quote(name)}`,
      {
        hint: `Remove the name, connect an account (helve connect ${toolkit.slug}), and then add its tools by the names that helve tools shows.`,
      },
    );
  const names = catalogue.entries.map((entry) => entry.name);
  return noSuchTool(place, name, meant[0] ?? nearest(name, names));
}

function noSuchTool(place: string, name: string, suggestion: string | undefined): HelveError {
  return new HelveError('invalid_config', `${place}: there is no tool ${quote(name)}${orDidYouMean(suggestion)}`);
}

const quote = (name: string): string => JSON.stringify(name.slice(0, 100));

function sameGrants(present: readonly Grant[], wanted: readonly GrantInput[]): boolean {
  const plain = (grants: readonly GrantInput[]): string =>
    canonicalJson(
      grants
        .map(({ toolkit, connectionId = '', tools, limits, config }) => ({
          toolkit,
          connectionId,
          limits,
          config,
          tools: [...tools].sort(),
        }))
        .sort((a, b) => (`${a.toolkit}\n${a.connectionId}` < `${b.toolkit}\n${b.connectionId}` ? -1 : 1)),
    );
  return plain(present) === plain(wanted);
}
