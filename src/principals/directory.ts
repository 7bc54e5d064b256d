/** Agents and users in one workspace. Every change writes its audit row in the same commit. */
import { HelveError } from '../domain/errors.js';
import type { AgentSettings } from '../domain/plane.js';
import { type Agent, type PrincipalRef, taskDoorName } from '../domain/principal.js';
import type { WorkspaceStorage } from '../domain/storage.js';
import { newId } from '../util/hash.js';
import { suggestName } from '../util/nearest.js';
import { type CredentialActs, createCredentialActs, createRows } from './credentials.js';

export interface Directory extends CredentialActs {
  /** Throws `not_found`. */
  agent(idOrSlug: string): Promise<Agent>;
  createAgent(by: PrincipalRef, input: { slug: string } & AgentSettings, managedBy: Agent['managedBy']): Promise<Agent>;
  /** Throws `conflict` if the workspace is no longer at the `revision`. */
  changeAgent(by: PrincipalRef, agent: Agent, settings: AgentSettings & { readonly revision?: number }): Promise<Agent>;
  removeAgent(by: PrincipalRef, agent: string): Promise<void>;
}

const slugShape = /^[a-z][a-z0-9-]{0,47}$/;

/** Creates the directory of one workspace. */
export function createDirectory(workspace: WorkspaceStorage, now: () => Date): Directory {
  const row = createRows(now);
  const directory: Directory = {
    async agent(idOrSlug) {
      const found = await workspace.findAgent(idOrSlug);
      return found ?? noAgent(idOrSlug, await workspace.listAgents());
    },
    async createAgent(by, input, managedBy) {
      if (!slugShape.test(input.slug)) {
        throw new HelveError('invalid_input', `${JSON.stringify(input.slug.slice(0, 100))} is not an agent name`, {
          hint: 'Use lower-case letters, digits and -, starting with a letter, at most 48 characters.',
        });
      }
      if (input.slug === taskDoorName)
        throw new HelveError('invalid_input', `No agent can be named ${taskDoorName}`, {
          hint: `/mcp/${taskDoorName} is the MCP server of tasks.`,
        });
      const { slug } = input;
      const createdAt = now().toISOString();
      const agent = changedAgent({ id: newId(), slug, name: slug, createdAt, managedBy }, input);
      await workspace.change([row('agent.created', by, { agentId: agent.id, slug: agent.slug, managedBy })], (tables) =>
        tables.insertAgent(agent),
      );
      return agent;
    },
    async changeAgent(by, agent, settings) {
      const changed = changedAgent(agent, settings);
      const { id: agentId, slug, name, toolMode = 'auto', worker = 'helve', managedBy } = changed;
      const event = row('agent.changed', by, { agentId, slug, name, toolMode, worker, managedBy });
      await workspace.change([event], (tables) => tables.changeAgent(agentId, changed), settings.revision);
      return changed;
    },
    async removeAgent(by, name) {
      const agent = await directory.agent(name);
      await workspace.change([row('agent.removed', by, { agentId: agent.id, slug: agent.slug })], (tables) =>
        tables.deleteAgent(agent.id),
      );
    },
    ...createCredentialActs(workspace, now),
  };
  return directory;
}

/** Omits defaults. */
function changedAgent(agent: Agent, settings: AgentSettings): Agent {
  const { toolMode: formerMode, worker: formerWorker, ...rest } = agent;
  const { name = agent.name, toolMode = formerMode, worker = formerWorker } = settings;
  return {
    ...rest,
    name,
    ...(toolMode === undefined || toolMode === 'auto' ? {} : { toolMode }),
    ...(worker === undefined || worker === 'helve' ? {} : { worker }),
  };
}

function noAgent(idOrSlug: string, agents: readonly Agent[]): never {
  const names = agents.map(({ slug }) => slug);
  throw new HelveError('not_found', `There is no agent ${JSON.stringify(idOrSlug.slice(0, 100))}`, {
    hint: suggestName(idOrSlug, names, 'List the agents for their names.'),
  });
}
