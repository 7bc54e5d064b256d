/**
 * What the name of a repository means is found out once, when the name is written: it is one that this workspace knows, or one that an account
 * of the caller reaches.
 */
import type { Connection } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import type { WebhookProvider } from '../../domain/task-source.js';
import { visibleConnections } from '../../grants/index.js';
import { didYouMean, nearest } from '../../util/nearest.js';
import { toolFor } from './orders.js';
import type { TaskParts } from './parts.js';
import { unknown } from './place-rules.js';
import { type RepoName, readRepoName, requireRepoName } from './repo-name.js';
import { pages } from './wake.js';

export interface WrittenRepo {
  /** As the service or this workspace writes it: GitHub takes no notice of case. */
  readonly repo: string;
  /** Present if the name was accepted although nothing here knows it: why it could not be checked. */
  readonly notice?: string;
}

interface Writing {
  /** Where the name is in the request. */
  readonly at: string;
  readonly repo: string;
}

/** Calls a tool that only reads. `missing`: the service has nothing of this name. Undefined: the service could not be asked. */
type Ask = (tool: string, input: JsonObject) => Promise<object | 'missing' | undefined>;

interface Service {
  /** The name as the service writes it. */
  find(ask: Ask, name: RepoName): Promise<string | 'missing' | undefined>;
  /** Names that the account reaches, for a suggestion. */
  list(ask: Ask, name: RepoName): Promise<readonly string[]>;
}

const listed = 100;

const github: Service = {
  async find(ask, { owner, name }) {
    const found = await ask('get_repository', { owner, repo: name });
    if (found === undefined || found === 'missing') return found;
    const { repository } = found as { readonly repository?: { readonly full_name: string } };
    return repository && `github:${repository.full_name}`;
  },
  async list(ask) {
    const found = await ask('list_repositories', { sort: 'pushed', per_page: listed });
    const { repositories = [] } = (typeof found === 'object' ? found : {}) as {
      readonly repositories?: readonly { readonly full_name: string }[];
    };
    return repositories.map(({ full_name }) => `github:${full_name}`);
  },
};

const linear: Service = {
  async find(ask, name) {
    const teams = await linear.list(ask, name);
    const own = `linear:${name.owner}/${name.name}`;
    if (teams.includes(own)) return own;
    // Of more teams than were read, nothing is known.
    return teams.length === 0 || teams.length === listed ? undefined : 'missing';
  },
  async list(ask, { owner }) {
    const found = await ask('list_teams', { limit: listed });
    const { teams = [] } = (typeof found === 'object' ? found : {}) as {
      readonly teams?: readonly { readonly key: string }[];
    };
    // The organisation of an account is not in the answer.
    return teams.map(({ key }) => `linear:${owner}/${key}`);
  },
};

const services: ReadonlyMap<string, Service> = new Map([
  ['github', github],
  ['linear', linear],
]);

/**
 * Throws `invalid_input` for a name that is not one, and for one that an account of the caller would reach if it existed, with the nearest
 * name.
 */
export async function resolveRepo(parts: TaskParts, principal: Principal, { at, repo }: Writing): Promise<WrittenRepo> {
  const name = requireRepoName(at, repo);
  const service = requireService(at, name);
  const { workspaceId } = principal;
  if (await parts.actors.read({ workspaceId, kind: 'repo', id: repo })) return { repo };
  const known = await knownRepos(parts, workspaceId, name);
  const same = known.find((one) => isSame(one, repo));
  if (same !== undefined) return { repo: same };
  const configuration = await parts.configurations.getFresh(workspaceId);
  const accounts = visibleConnections(configuration, principal).filter(({ toolkit }) => toolkit === name.service);
  const asked = { service, name, accounts };
  const { found, reached } = await askAccounts(parts, principal, asked);
  if (found !== undefined) return { repo: found };
  if (reached !== undefined) throw unknown(at, { what: 'repository', name: repo, known: [...known, ...reached] });
  const why =
    accounts.length === 0
      ? `no account of ${name.service} is connected`
      : `no account of ${name.service} could say whether there is such a repository`;
  const near = didYouMean(nearest(repo, known));
  return {
    repo,
    notice: `${repo} was accepted and not checked: nothing was delivered from it, and ${why}.${near && ` ${near}`}`,
  };
}

interface Scope {
  readonly provider: WebhookProvider;
  readonly scope: string;
  /** Id of the account of the source: it alone is asked. */
  readonly account: string;
}

/**
 * The repository or team that a source names, as its service writes it. Throws `invalid_input` for one that the account of the source would
 * reach if it existed. An owner or an organisation is not looked for.
 */
export async function resolveScope(
  parts: TaskParts,
  principal: Principal,
  { provider, scope, account }: Scope,
): Promise<{ readonly scope: string; readonly notice?: string }> {
  const repo = provider === 'github' ? `github:${scope}` : `linear:-/${scope}`;
  const name = readRepoName(repo);
  const service = services.get(provider);
  if (!name || !service || (provider === 'linear' && scope !== scope.toUpperCase())) return { scope };
  const { found, reached } = await askAccounts(parts, principal, { service, name, accounts: [{ id: account }] });
  const toScope = (one: string): string => one.slice(one.indexOf(provider === 'github' ? ':' : '/') + 1);
  if (found !== undefined) return { scope: toScope(found) };
  const what = provider === 'github' ? 'repository' : 'team';
  if (reached !== undefined) throw unknown('scope', { what, name: scope, known: reached.map(toScope) });
  return {
    scope,
    notice: `${scope} was accepted and not checked: the account could not say whether there is such a ${what}.`,
  };
}

function requireService(at: string, { service, owner, name }: RepoName): Service {
  const found = services.get(service);
  if (found) return found;
  const near = nearest(service, [...services.keys()]);
  throw new HelveError(
    'invalid_input',
    `${at}: ${JSON.stringify(service.slice(0, 100))} is not a service that delivers issues`,
    {
      hint: didYouMean(near && `${near}:${owner}/${name}`, `There are: ${[...services.keys()].join(' and ')}.`),
    },
  );
}

const isSame = (one: string, other: string): boolean =>
  one === other || (one.startsWith('github:') && one.toLowerCase() === other.toLowerCase());

/** Those that were delivered or set here, and those that sources name. */
async function knownRepos(
  { actors, storage }: TaskParts,
  workspaceId: string,
  { owner }: RepoName,
): Promise<readonly string[]> {
  const known: string[] = [];
  for await (const { actor } of pages((after) => actors.list({ workspaceId, kind: 'repo', ...after })))
    known.push(actor.id);
  for (const { provider, scope } of await storage.workspace(workspaceId).taskSources.list())
    if (provider === 'github' && scope.includes('/')) known.push(`github:${scope}`);
    // The source of a team does not say of which organisation.
    else if (provider === 'linear' && scope === scope.toUpperCase()) known.push(`linear:${owner}/${scope}`);
  return known;
}

interface Asked {
  readonly service: Service;
  readonly name: RepoName;
  readonly accounts: readonly Pick<Connection, 'id'>[];
}

/** `reached`: what the accounts reach, if all of them say that there is no such repository. */
async function askAccounts(
  parts: TaskParts,
  principal: Principal,
  { service, name, accounts }: Asked,
): Promise<{ readonly found?: string; readonly reached?: readonly string[] }> {
  const reached: string[] = [];
  let isMissing = accounts.length > 0;
  for (const { id } of accounts) {
    const ask = askWith(parts, principal, { toolkit: name.service, account: id });
    const found = await service.find(ask, name);
    if (found !== undefined && found !== 'missing') return { found };
    if (found === undefined) isMissing = false;
    else reached.push(...(await service.list(ask, name)));
  }
  return isMissing ? { reached } : {};
}

const askMs = 10_000;

/** As the caller, only with tools that need no approval. */
const askWith =
  (
    parts: TaskParts,
    principal: Principal,
    { toolkit, account }: { readonly toolkit: string; readonly account: string },
  ): Ask =>
  async (name, input) => {
    const tool = await toolFor(parts, principal, { toolkit, name, account, input, isUnasked: true });
    if (tool === undefined) return undefined;
    const result = await parts.pipeline.run({ principal, tool, input, signal: AbortSignal.timeout(askMs) });
    if (result.ok) return result.output as object;
    return result.error.code === 'not_found' ? 'missing' : undefined;
  };
