/**
 * MCP servers as toolkits. A server is untrusted: its definitions are treated as data and pinned by the plane, and its list
 * is read again before each call, so that nothing runs under a definition that was not accepted.
 */
import type { BoundConnection } from '../../domain/connection.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { Provider, ProviderAnswer, ProviderCall } from '../../domain/provider.js';
import { defined } from '../../util/defined.js';
import { type AccountSessions, createAccountSessions } from './account-sessions.js';
import type { FetchLike } from './bounded-fetch.js';
import { callTool } from './call-tool.js';
import type { ListedTool, RefusedTool } from './describe-tool.js';
import type { Link } from './link.js';
import { checkDefinition, findListed, listTools } from './list-tools.js';
import { coalesced } from './notices.js';
import { toAnswer } from './results.js';
import type { ServerSession } from './server-session.js';
import { checkSources, describeToolkit, getTitle, type McpServerSource, needsAccount } from './source.js';
import { createToolList, type ToolList } from './tool-list.js';

export interface McpProviderOptions {
  readonly servers: readonly McpServerSource[];
  /** For the server at this address. Default: the global one. */
  readonly fetchFor?: (url: string) => FetchLike;
  /** Called when the tools of this toolkit have changed. */
  readonly onChange?: (toolkit: string) => void;
  /** For the operator: an unreachable server, a refused tool, the last output of a child process. */
  readonly reportError?: (toolkit: string, error: HelveError) => void;
  /** An account for listing the tools of a server that shows them only to accounts. */
  readonly accountFor?: (toolkit: string, workspaceId: string | undefined) => Promise<ListingAccount | undefined>;
  /**
   * Calls `listener` when the answer of `accountFor` may have changed for the workspace. Returns a function that ends this. Default: a
   * list is read again only if its server could not be asked, or announces a change.
   */
  readonly onAccountsChange?: (workspaceId: string, listener: () => void) => () => void;
  /** The first pause before a server that could not be listed is asked again, in milliseconds; each later one is twice as long. */
  readonly firstRetryMs?: number;
}

/** An account that a list is read with. */
export interface ListingAccount {
  readonly connection: BoundConnection;
  /** Removes every form of the credentials that were sent with it so far. */
  clean<T>(value: T): T;
}

export interface McpProvider extends Provider {
  onChange(listener: () => void): () => void;
  /** Tools of the last list that are not offered, by name, with the reasons. */
  refused(toolkit: string): readonly RefusedTool[];
}

interface Server {
  readonly source: McpServerSource;
  readonly sessions: AccountSessions;
  /** The lists by workspace, since each has its own account; a single one if the server needs no account. */
  readonly lists: ReadonlyMap<string, ToolList>;
  listFor(workspaceId: string | undefined): ToolList;
  /** Undefined until somebody asks for it. */
  findList(workspaceId: string): ToolList | undefined;
  /** The listed tools have changed. */
  changed(): void;
  close(): Promise<void>;
}

/** Minimum and maximum time between two reads of a list whose server announces changes. */
const noticeMs = 200;
const maxNoticeMs = 5_000;

/** Returns the provider. It contacts no server until one is listed or called. */
export function createMcpProvider(options: McpProviderOptions): McpProvider {
  checkSources(options.servers);
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  const announce = (slug: string): void => {
    if (closing.signal.aborted) return;
    options.onChange?.(slug);
    for (const listener of listeners) listener();
  };
  const servers = new Map(
    structuredClone(options.servers).map((source) => [
      source.slug,
      openServer(source, options, announce, closing.signal),
    ]),
  );

  return {
    kind: 'mcp',
    async toolkits() {
      return [...servers.values()].map(({ source }) => describeToolkit(source));
    },
    async tools(toolkit, workspaceId) {
      return closing.signal.aborted ? [] : ((await servers.get(toolkit)?.listFor(workspaceId).get()) ?? []);
    },
    async execute(call) {
      const server = servers.get(call.tool.id.toolkit);
      if (!server) throw new HelveError('tool_not_found', `No MCP server is configured as ${call.tool.id.toolkit}`);
      return execute(server, call);
    },
    refused: (toolkit) => [...(servers.get(toolkit)?.lists.values() ?? [])].flatMap(({ refused }) => refused),
    async unoffered(toolkit, workspaceId) {
      const list = servers.get(toolkit)?.findList(workspaceId);
      if (!list) return [];
      const { problem, refused } = list;
      return [...(problem === undefined ? [] : [{ name: '*', reason: problem }]), ...refused];
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closing.abort(new HelveError('shutting_down', 'Helve is stopping'));
      await Promise.all([...servers.values()].map((server) => server.close()));
    },
  };
}

/** Prepares one server; nothing is connected yet. */
function openServer(
  source: McpServerSource,
  options: McpProviderOptions,
  announce: (slug: string) => void,
  signal: AbortSignal,
): Server {
  const { slug } = source;
  const report = (error: HelveError): void => {
    if (!signal.aborted) options.reportError?.(slug, error);
  };
  // An announcement need not mean a change: the registry is notified only of a difference.
  const look = async (): Promise<void> => {
    if (signal.aborted) return;
    const renewed = await Promise.all([...lists.values()].map((list) => list.renew()));
    if (renewed.some(Boolean)) announce(slug);
  };
  const changed = coalesced(look, noticeMs, maxNoticeMs);
  const { transport } = source;
  const ownFetch = transport.kind === 'http' ? options.fetchFor?.(transport.url) : undefined;
  const sessions = createAccountSessions(source, ownFetch ?? fetch, {
    onListChanged: () => changed(),
    onOver: report,
    onEnd: (stderr) => {
      if (stderr.trim() === '') return;
      report(
        new HelveError('upstream_failed', `The MCP server ${getTitle(source)} has ended`, { details: { stderr } }),
      );
    },
  });
  const lists = new Map<string, ToolList>();
  /** The account with which each list was read last, by its id. */
  const readWith = new Map<string | undefined, string | undefined>();
  const ends: (() => void)[] = [];
  const findAccount = async (workspaceId: string | undefined) =>
    needsAccount(source) ? options.accountFor?.(slug, workspaceId) : undefined;
  async function lookForAccount(workspaceId: string): Promise<void> {
    const account = await findAccount(workspaceId);
    if (readWith.has(workspaceId) && account?.connection.facts.id !== readWith.get(workspaceId)) changed();
  }
  const openList = (workspaceId: string | undefined): ToolList =>
    createToolList({
      toolkit: slug,
      read: async () => {
        const account = await findAccount(workspaceId);
        readWith.set(workspaceId, account?.connection.facts.id);
        return readList(source, sessions.of(account?.connection), { account, signal });
      },
      report,
      onRecovered: () => announce(slug),
      ...defined({ firstRetryMs: options.firstRetryMs }),
    });
  const whoseList = (workspaceId: string | undefined) => (needsAccount(source) ? workspaceId : undefined);
  const findList = (workspaceId: string) => lists.get(whoseList(workspaceId) ?? '');
  function listFor(workspaceId: string | undefined): ToolList {
    const whose = whoseList(workspaceId);
    const known = lists.get(whose ?? '');
    if (known) return known;
    const list = openList(whose);
    lists.set(whose ?? '', list);
    // If the store cannot be read now, other code reports it; the next change is checked again.
    const look = (workspaceId: string) => () => void lookForAccount(workspaceId).catch(() => undefined);
    if (whose !== undefined && options.onAccountsChange) ends.push(options.onAccountsChange(whose, look(whose)));
    return list;
  }
  async function close(): Promise<void> {
    for (const end of ends) end();
    for (const list of lists.values()) list.close();
    await sessions.close();
  }
  return { source, sessions, lists, listFor, findList, changed, close };
}

async function execute({ source, sessions, changed }: Server, call: ProviderCall): Promise<ProviderAnswer> {
  const server = getTitle(source);
  const account = needsAccount(source) ? call.connection : undefined;
  if (needsAccount(source) && !account) {
    throw new HelveError('connection_inaccessible', `${server} needs an account, and none is connected`, {
      hint: 'Connect an account first; a person can do that.',
    });
  }
  try {
    const list = (link: Link) => listTools(link, server, call.signal);
    const agreed = (link: Link) => agreedTool(link, call, { server, list });
    const result = await sessions.of(account).use(call.signal, agreed, (link, tool) => callTool(link, tool, call));
    return toAnswer(result, call.tool);
  } catch (error) {
    if (error instanceof HelveError && isChange(error)) changed();
    throw error;
  }
}

interface Listing {
  readonly account: ListingAccount | undefined;
  readonly signal: AbortSignal;
}

/**
 * The server's list of tools. Everybody who may use one of the tools sees it, or the reason why it could not be read, so it is refused
 * if it repeats the account's credentials.
 */
async function readList(
  source: McpServerSource,
  session: Pick<ServerSession, 'use'>,
  { account, signal }: Listing,
): Promise<readonly unknown[]> {
  const server = getTitle(source);
  const read = (link: Link) => listTools(link, server, signal);
  const list = await session
    .use(signal, read, async (_, listed) => listed)
    .catch((thrown: unknown) => {
      throw cleaned(toHelveError(thrown, 'upstream_failed'), account);
    });
  if (!account || JSON.stringify(account.clean(list)) === JSON.stringify(list)) return list;
  throw new HelveError('upstream_failed', `The MCP server ${server} repeats a credential in its list of tools`, {
    hint: 'Nothing of the list is shown. The operator must check the server, and should replace the credential.',
  });
}

function cleaned(error: HelveError, account: ListingAccount | undefined): HelveError {
  if (!account) return error;
  const { code, message, hint, details } = account.clean(error.toJSON());
  return new HelveError(code, message, { ...defined({ hint, details }) });
}

interface Agreeing {
  readonly server: string;
  readonly list: (link: Link) => Promise<readonly unknown[]>;
}

/** The server's current tool, if it is the accepted one. If the list changed meanwhile, it is read again. */
async function agreedTool(link: Link, call: ProviderCall, { server, list }: Agreeing): Promise<ListedTool> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const { changes } = link;
    const listed = findListed(await list(link), call.tool.id.name, server);
    checkDefinition(listed, call.tool.definition?.hash, server);
    if (changes === link.changes) return listed;
  }
  throw new HelveError('conflict', `The MCP server ${server} keeps changing its list of tools`, {
    hint: 'Nothing was called. Try again later.',
  });
}

function isChange({ code, details }: HelveError): boolean {
  return code === 'tool_not_found' || (code === 'conflict' && details !== undefined);
}
