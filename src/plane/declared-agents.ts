/** Agents that `helve.yaml` declares: made, granted and configured as it says. A second start changes nothing. */
import type { DeclaredAgent } from '../config/index.js';
import type { Catalogue } from '../execution/index.js';
import { schemaIssues } from '../schema/checks.js';
import { HelveError } from '../spec/errors.js';
import type { Grant, GrantInput } from '../spec/grant.js';
import type { JsonObject } from '../spec/json.js';
import type { Tool } from '../spec/tool.js';
import { canonicalJson } from '../util/canonical.js';
import { nearest } from '../util/nearest.js';
import { checkGrantedReach } from './granted-reach.js';
import { replaceGrants } from './grants/index.js';
import { placedIssue } from './issue-place.js';
import type { PlaneParts } from './parts.js';
import { systemPrincipal } from './system-principal.js';

/** Throws `invalid_config` with file, line and key, before anything is changed. */
export async function applyDeclaredAgents(
  parts: PlaneParts,
  workspaceId: string,
  declared: readonly DeclaredAgent[],
): Promise<void> {
  const system = systemPrincipal(workspaceId);
  const { entries } = await parts.catalogue(workspaceId);
  const find = async (name: string) => (await parts.catalogue(workspaceId)).find(name);
  const names = entries.map((entry) => entry.name);
  const wanted = await Promise.all(
    declared.map(async (agent) => ({ agent, grants: await grantsFor(parts, agent, find, names) })),
  );

  for (const { agent, grants } of wanted) {
    const known = await parts.storage.workspace(workspaceId).findAgent(agent.name);
    if (known?.managedBy === 'api') {
      throw new HelveError(
        'invalid_config',
        `${agent.at(['name'])}: an agent ${agent.name} was made through the API already`,
        {
          hint: 'Remove that one, or choose another name.',
        },
      );
    }
    const name = agent.title === undefined ? {} : { name: agent.title };
    const stored =
      known ?? (await parts.directory(workspaceId).createAgent(system, { slug: agent.name, ...name }, 'file'));
    const { toolMode = 'auto' } = agent;
    if (toolMode !== (stored.toolMode ?? 'auto') || stored.managedBy !== 'file')
      await parts.directory(workspaceId).changeAgent(system, { ...stored, managedBy: 'file' }, { toolMode });
    parts.configurations.forget(workspaceId);
    const { grants: all } = await parts.configurations.get(workspaceId);
    const present = all.filter((grant) => grant.agentId === stored.id);
    if (sameGrants(present, grants)) continue;
    await replaceGrants(parts, system, stored, { grants });
  }
}

async function grantsFor(
  { registry }: PlaneParts,
  agent: DeclaredAgent,
  find: (name: string) => Promise<Named | undefined>,
  names: readonly string[],
): Promise<GrantInput[]> {
  const byTarget = new Map<string, DeclaredGrant>();
  for (const [index, name] of agent.tools.entries()) {
    const found = await find(name);
    if (!found) throw unknownTool(agent.at(['tools', index]), name, names);
    const { tool, connectionId } = found;
    const account = connectionId === undefined ? {} : { connectionId };
    const grant = byTarget.get(targetOf(found)) ?? { toolkit: tool.id.toolkit, ...account, tools: [], config: {} };
    if (!grant.tools.includes(tool.id.name)) grant.tools.push(tool.id.name);
    byTarget.set(targetOf(found), grant);
  }
  for (const [name, config] of Object.entries(agent.toolConfig)) {
    const found = await find(name);
    if (!found) throw unknownTool(agent.at(['tool_config', name]), name, names);
    const { tool } = found;
    const grant = byTarget.get(targetOf(found));
    if (!grant?.tools.includes(tool.id.name)) {
      throw new HelveError(
        'invalid_config',
        `${agent.at(['tool_config', name])}: ${name} is not among the agent's tools`,
      );
    }
    grant.config[tool.id.name] = checkedConfig(agent, name, tool, config);
    await checkReach(registry, agent, name, { toolkit: tool.id.toolkit, config: { [tool.id.name]: config } });
  }
  return [...byTarget.values()].map((grant) => ({ ...grant, limits: {} }));
}

type Named = Pick<Catalogue['entries'][number], 'tool' | 'connectionId'>;

interface DeclaredGrant {
  readonly toolkit: string;
  readonly connectionId?: string;
  readonly tools: string[];
  readonly config: Record<string, JsonObject>;
}

function targetOf({ tool, connectionId = '' }: Named): string {
  return `${tool.id.toolkit}\n${connectionId}`;
}

function checkedConfig(agent: DeclaredAgent, name: string, tool: Tool, config: JsonObject): JsonObject {
  if (!tool.configSchema)
    throw new HelveError('invalid_config', `${agent.at(['tool_config', name])}: ${name} takes no tool_config`);
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

function unknownTool(place: string, name: string, names: readonly string[]): HelveError {
  const suggestion = nearest(name, names);
  return new HelveError(
    'invalid_config',
    `${place}: there is no tool ${JSON.stringify(name)}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
  );
}

function sameGrants(present: readonly Grant[], wanted: readonly GrantInput[]): boolean {
  const plain = (grants: readonly GrantInput[]): string =>
    canonicalJson(
      grants
        .map(({ toolkit, connectionId = '', tools, limits, config }) => ({
          ...{ toolkit, connectionId, limits, config },
          tools: [...tools].sort(),
        }))
        .sort((a, b) => (`${a.toolkit}\n${a.connectionId}` < `${b.toolkit}\n${b.connectionId}` ? -1 : 1)),
    );
  return plain(present) === plain(wanted);
}
