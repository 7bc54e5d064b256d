/**
 * Helve itself, for its own tools: the same acts as at every other door, with the rights that the person has now. The record
 * names the agent, and the person it acts for.
 */
import { HelveError } from '../../domain/errors.js';
import type { CatalogueEntry, Plane } from '../../domain/plane.js';
import type { GrantProposal, Platform } from '../../domain/platform.js';
import { type Principal, requirePermission } from '../../domain/principal.js';
import type { Storage } from '../../domain/storage.js';
import { findPresentRights } from '../../flows/tasks/index.js';
import { canonicalJson } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { sha256 } from '../../util/hash.js';
import { suggestName } from '../../util/nearest.js';

export interface PlatformParts {
  readonly storage: Storage;
  readonly now: () => Date;
  /** They check the permissions of the principal. */
  readonly acts: Pick<
    Plane,
    'listAgents' | 'createAgent' | 'grantCatalogue' | 'changeGrants' | 'connections' | 'connectionSchemes'
  >;
  /** The page where a person connects an account of the app; undefined while this server does not know its address. */
  readonly connectUrl: (app: string) => string | undefined;
}

const maxAgents = 100;

/** Returns Helve as the caller may change it. */
export function createPlatform(parts: PlatformParts, caller: Principal): Platform {
  const { acts } = parts;
  const person = () => findPerson(parts, caller);

  async function checkProposal({ agent, tools, version }: GrantProposal) {
    const who = await person();
    requirePermission(who, 'grants:write');
    const catalogue = await acts.grantCatalogue(who, agent, { isShort: true });
    if (getState(catalogue) !== version)
      throw new HelveError('precondition_failed', `The agent ${agent}, its grants or its accounts have changed`, {
        hint: 'Call list_grants again, and propose with the version that it returns.',
      });
    return { who, catalogue, choices: tools.map((name) => chooseExactly(catalogue.entries, name)) };
  }

  return {
    async requireRight(permission) {
      requirePermission(await person(), permission);
    },
    async findAgents(search) {
      return acts.listAgents(await person(), { limit: maxAgents, ...defined({ search }) });
    },
    async createAgent(input) {
      return acts.createAgent(await person(), input);
    },
    async findGrants(name) {
      const catalogue = await acts.grantCatalogue(await person(), name, { isShort: true });
      const tools = catalogue.entries.flatMap((entry) => entry.tools);
      return {
        agent: catalogue.agent,
        granted: tools.filter(({ granted }) => granted).map(({ modelName }) => modelName),
        grantable: tools.map(({ modelName, title }) => ({ name: modelName, title })),
        version: getState(catalogue),
      };
    },
    async checkProposal(proposal) {
      await checkProposal(proposal);
    },
    async addGrants(proposal) {
      const { who, catalogue, choices } = await checkProposal(proposal);
      // By its id: another agent may have got the name.
      const { added } = await acts.changeGrants(who, catalogue.agent.id, { add: choices }, [catalogue.version]);
      return added;
    },
    async listConnections() {
      const found = await acts.connections(await person());
      return found.map(({ slug, name, toolkit, status }) => ({ slug, name, app: toolkit, status }));
    },
    async linkToConnect(app) {
      const who = await person();
      requirePermission(who, 'connections:write');
      await acts.connectionSchemes(who, app);
      const url = parts.connectUrl(app);
      if (url !== undefined) return { app, url };
      throw new HelveError('invalid_config', 'This server does not know its own address', {
        hint: 'Ask the operator to set public_url in helve.yaml, or open the panel there.',
      });
    },
  };
}

/** The caller with the rights of its person. Throws `forbidden` for an agent that acts for nobody. */
async function findPerson({ storage, now }: PlatformParts, caller: Principal): Promise<Principal> {
  if (caller.kind !== 'agent') return caller;
  const { onBehalfOf, workspaceId } = caller;
  if (onBehalfOf === undefined)
    throw new HelveError('forbidden', `This needs the rights of a person, and ${caller.name} acts for nobody`, {
      hint: 'Ask a person to do it in the panel or with the helve command. You can once a person signs in to the program that calls you, or assigns you the task.',
    });
  const rights = await findPresentRights(storage.workspace(workspaceId), onBehalfOf, now());
  if (rights === undefined) throw new HelveError('forbidden', `${onBehalfOf.name} no longer has access`);
  const { kind, id, name } = caller;
  return { kind, id, name, workspaceId, onBehalfOf, ...rights };
}

type Catalogue = Awaited<ReturnType<Plane['grantCatalogue']>>;

/** Names the agent, its grants, and the account behind each name: what a proposal is made for. */
function getState({ agent, entries, version }: Catalogue): string {
  const accounts = entries.map(({ toolkit, slug = null, connectionId = null, connection }) => [
    toolkit.slug,
    slug,
    connectionId,
    connection?.account ?? null,
  ]);
  return sha256(canonicalJson([agent.id, version, accounts] as never)).slice(0, 32);
}

/** A pattern, or a word that means several tools, could mean others when the person has agreed. Throws `invalid_input`. */
function chooseExactly(entries: readonly CatalogueEntry[], name: string) {
  for (const { toolkit, connectionId, tools } of entries) {
    if (!tools.some(({ modelName }) => modelName === name)) continue;
    return { toolkit: toolkit.slug, tools: [name], ...defined({ account: connectionId }) };
  }
  const names = entries.flatMap(({ tools }) => tools.map(({ modelName }) => modelName));
  throw new HelveError(
    'invalid_input',
    `There is no tool ${JSON.stringify(name.slice(0, 100))} that could be granted`,
    {
      hint: `${suggestName(name, names, '')} Use whole names, as list_grants with search shows them.`.trim(),
    },
  );
}
