/**
 * Composio's apps as toolkits, from the catalogue: listing sends no requests. A tool's schema is loaded with its
 * toolkit; a call goes to Composio with the reference to the account there.
 */
import type { CatalogueApp, CatalogueReader } from '../../domain/catalogue.js';
import { HelveError } from '../../domain/errors.js';
import type { HostedAccounts, Provider, ProviderAnswer, ProviderCall } from '../../domain/provider.js';
import type { Tool, ToolId, Toolkit } from '../../domain/tool.js';
import { untilAborted } from '../../util/until-aborted.js';
import type { ComposioClient } from './client.js';
import { type AdmitSchema, type DescribedAction, describeAction, type RefusedAction } from './describe-action.js';
import { explainRefusal, toFailure } from './failures.js';
import { createHostedAccounts, getReference } from './hosted-accounts.js';

export interface ComposioProviderOptions {
  readonly client: ComposioClient;
  readonly catalogue: CatalogueReader;
  /** Composio's `user_id` of a workspace. */
  readonly entityOf: (workspaceId: string) => string;
  /** Throws for a schema that must not be used; that tool is then omitted. */
  readonly admit?: AdmitSchema;
}

export interface ComposioProvider extends Provider {
  readonly accounts: HostedAccounts;
  onChange(listener: () => void): () => void;
  /** Actions that are not offered, with the reasons. */
  refused(toolkit: string): Promise<readonly RefusedAction[]>;
  /** Composio's own slug of a tool; undefined if the tool does not exist. */
  slugOf(id: ToolId): Promise<string | undefined>;
}

interface Loaded {
  readonly app: CatalogueApp;
  readonly tools: readonly Tool[];
  readonly actions: ReadonlyMap<string, DescribedAction>;
  readonly refused: readonly RefusedAction[];
}

/** Returns the provider of Composio's apps. */
export function createComposioProvider(options: ComposioProviderOptions): ComposioProvider {
  const { client, catalogue, entityOf, admit } = options;
  const loading = new Map<string, Promise<Loaded | undefined>>();
  const unsubscribe = catalogue.onChange(() => loading.clear());

  function load(slug: string): Promise<Loaded | undefined> {
    const before = loading.get(slug);
    if (before) return before;
    const promise = loadApp(catalogue, slug, admit);
    loading.set(slug, promise);
    const forget = (): void => {
      if (loading.get(slug) === promise) loading.delete(slug);
    };
    // Unknown names are not remembered, because there is no limit to them.
    promise.then((loaded) => loaded ?? forget(), forget);
    return promise;
  }

  return {
    kind: 'composio',
    accounts: createHostedAccounts(client, entityOf),
    async toolkits() {
      return [...(await catalogue.apps('composio')).values()].map(getToolkit);
    },
    tools: async (toolkit) => (await load(toolkit))?.tools ?? [],
    refused: async (toolkit) => (await load(toolkit))?.refused ?? [],
    unoffered: async (toolkit) =>
      ((await load(toolkit))?.refused ?? []).map(({ slug, reason }) => ({ name: slug, reason })),
    slugOf: async ({ toolkit, name }) => (await load(toolkit))?.actions.get(name)?.slug,
    async execute(call) {
      const { toolkit, name } = call.tool.id;
      const loaded = await load(toolkit);
      const action = loaded?.actions.get(name);
      if (!loaded || !action) throw new HelveError('tool_not_found', `Composio has no tool ${toolkit}.${name}`);
      return untilAborted(call.signal, 'The call was cancelled', () =>
        execute(client, entityOf, loaded.app, action, call),
      );
    },
    onChange: (listener) => catalogue.onChange(listener),
    async close() {
      unsubscribe();
      loading.clear();
    },
  };
}

async function loadApp(
  catalogue: CatalogueReader,
  slug: string,
  admit: AdmitSchema | undefined,
): Promise<Loaded | undefined> {
  const app = (await catalogue.apps('composio')).get(slug);
  if (!app) return undefined;
  const actions = new Map<string, DescribedAction>();
  const refused: RefusedAction[] = [];
  for (const action of await catalogue.actions('composio', slug)) {
    const described = describeAction(slug, action, admit);
    if ('refused' in described) refused.push(described.refused);
    else if (actions.has(described.tool.id.name))
      refused.push({ slug: action.slug, reason: 'another action has the same name' });
    else actions.set(described.tool.id.name, described);
  }
  return { app, actions, refused, tools: [...actions.values()].map(({ tool }) => tool) };
}

/** Apps with own toolkits in Helve, and apps that belong to Composio itself. */
const internal: ReadonlySet<string> = new Set(['rag', 'memory', 'nl2sql', 'codegraph', 'composio']);

function getToolkit({ slug, name, description, categories, noAuth }: CatalogueApp): Toolkit {
  const title = name.trim() === '' ? slug : name.trim();
  return {
    slug,
    title,
    description,
    category: categories[0]?.trim().toLowerCase() || 'other',
    provider: 'composio',
    needsConnection: !noAuth,
    internal: internal.has(slug),
    onDemand: true,
    ...(noAuth
      ? {}
      : {
          auth: {
            schemes: [{ id: 'composio', kind: 'hosted', title: `${title}, hosted by Composio`, hostedBy: 'composio' }],
          },
        }),
  };
}

async function execute(
  client: ComposioClient,
  entityOf: (workspaceId: string) => string,
  app: CatalogueApp,
  { slug, repeatable }: DescribedAction,
  { input, connection, caller, signal }: ProviderCall,
): Promise<ProviderAnswer> {
  const reference = connection && getReference(connection.facts.settings);
  if (!app.noAuth && !reference)
    throw new HelveError('connection_inaccessible', `${app.name} needs an account at Composio`, {
      hint: connection
        ? `The connection ${connection.facts.slug} was made in another way: connect ${app.name} through Composio.`
        : 'Connect an account first; a person can do that.',
    });
  const userId = reference?.userId ?? entityOf(caller.workspaceId);
  const connectedAccountId = reference?.connectedAccountId;
  const executed = await client
    .execute({ tool: slug, userId, connectedAccountId, input, repeatable, signal })
    .catch((thrown: unknown) => {
      throw explainRefusal(slug, thrown);
    });
  if (executed.failure !== undefined) throw toFailure(slug, executed, repeatable);
  return { output: executed.data };
}
