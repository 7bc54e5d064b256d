/** The listing routes: pages with a base64 cursor of page and limit. */
import type { Answer, ComposioData, SeenRequest, ToolItem, ToolkitItem } from './shapes.js';

export function refused(status: number, message: string, code = status * 10): Answer {
  const error = {
    message,
    code,
    slug: 'Request_Refused',
    status,
    request_id: 'req_1',
    suggested_fix: 'Look at the request.',
  };
  return { status, body: { error } };
}

const maxPerPage = 1_000;
const fewPerPage = 20;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly pages: number;
  readonly page: number;
  readonly total: number;
}

/** A string describes what is wrong with the request. */
export function pageOf<Item>(items: readonly Item[], query: URLSearchParams): Page<Item> | string {
  const asked = query.get('limit');
  let limit = asked === null ? fewPerPage : Number(asked);
  let page = 1;
  const cursor = query.get('cursor');
  if (cursor !== null && cursor !== '') {
    const read = /^(\d+)-(\d+)$/.exec(Buffer.from(cursor, 'base64').toString('utf8'));
    if (!read) return 'Invalid cursor';
    page = Number(read[1]);
    limit = Number(read[2]);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > maxPerPage) return `limit must be from 1 to ${maxPerPage}`;
  const from = (page - 1) * limit;
  const last = from + limit >= items.length;
  return {
    items: items.slice(from, from + limit),
    next: last ? null : Buffer.from(`${page + 1}-${limit}`).toString('base64'),
    pages: Math.max(1, Math.ceil(items.length / limit)),
    page,
    total: items.length,
  };
}

/** Items are serialised once each, so that a benchmark does not measure this server. */
function paged<Item extends object>(
  items: readonly Item[],
  query: URLSearchParams,
  write: (item: Item) => string,
): Answer {
  const page = pageOf(items, query);
  if (typeof page === 'string') return refused(400, page);
  const rest = { next_cursor: page.next, total_pages: page.pages, current_page: page.page, total_items: page.total };
  return { status: 200, text: `{"items":[${page.items.map(write).join(',')}],${JSON.stringify(rest).slice(1)}` };
}

const written = new WeakMap<object, string>();
const writtenShort = new WeakMap<object, string>();

function writeOnce(item: object): string {
  const before = written.get(item);
  if (before !== undefined) return before;
  const text = JSON.stringify(item);
  written.set(item, text);
  return text;
}

function writeWithoutParameters(item: ToolItem): string {
  const before = writtenShort.get(item);
  if (before !== undefined) return before;
  const { input_parameters: _, output_parameters: __, ...rest } = item;
  const text = JSON.stringify(rest);
  writtenShort.set(item, text);
  return text;
}

const known = {
  toolkits: ['category', 'managed_by', 'sort_by', 'include_deprecated', 'search', 'limit', 'cursor'],
  tools: [
    'toolkit_slug',
    'tool_slugs',
    'auth_config_ids',
    'important',
    'tags',
    'scopes',
    'search',
    'include_deprecated',
    'toolkit_versions',
    'limit',
    'cursor',
  ],
  triggers: ['toolkit_slugs', 'toolkit_versions', 'limit', 'cursor'],
};

/** Composio may ignore unknown parameters, but a client that sends them is wrong. */
export function unknownQuery(query: URLSearchParams, names: readonly string[]): Answer | undefined {
  const strange = [...query.keys()].find((name) => !names.includes(name));
  return strange === undefined ? undefined : refused(400, `Unknown query parameter ${strange}`);
}

export function listToolkits({ query }: SeenRequest, { toolkits }: ComposioData): Answer {
  return unknownQuery(query, known.toolkits) ?? paged(toolkits, query, writeOnce);
}

export function listTools({ query }: SeenRequest, { tools }: ComposioData, parameters: 'bulk' | 'per-app'): Answer {
  const wrong = unknownQuery(query, known.tools);
  if (wrong) return wrong;
  const slugs = query.get('tool_slugs')?.split(',');
  const toolkit = query.get('toolkit_slug');
  const chosen = slugs
    ? tools.filter(({ slug }) => slugs.includes(slug))
    : tools.filter((tool) => toolkit === null || tool.toolkit.slug === toolkit);
  const short = parameters === 'per-app' && toolkit === null && !slugs;
  return paged(chosen, query, short ? writeWithoutParameters : writeOnce);
}

export function listTriggerTypes({ query }: SeenRequest, { triggers }: ComposioData): Answer {
  const slugs = query.getAll('toolkit_slugs');
  const chosen = slugs.length === 0 ? triggers : triggers.filter(({ toolkit }) => slugs.includes(toolkit.slug));
  return unknownQuery(query, known.triggers) ?? paged(chosen, query, writeOnce);
}

export function oneTool(slug: string, { tools }: ComposioData): Answer {
  const tool = tools.find((one) => one.slug === slug);
  return tool ? { status: 200, body: tool } : refused(404, `Tool ${slug} not found`, 2301);
}

const fields: Record<string, { creation: string[]; initiation: string[] }> = {
  OAUTH2: { creation: ['client_id', 'client_secret'], initiation: [] },
  OAUTH1: { creation: ['consumer_key', 'consumer_secret'], initiation: [] },
  API_KEY: { creation: [], initiation: ['generic_api_key'] },
  BEARER_TOKEN: { creation: [], initiation: ['token'] },
  BASIC: { creation: [], initiation: ['username', 'password'] },
};

export function fieldsOf(scheme: string): { creation: string[]; initiation: string[] } {
  return fields[scheme] ?? { creation: [], initiation: [] };
}

export function oneToolkit(slug: string, { toolkits }: ComposioData): Answer {
  const toolkit = toolkits.find((one) => one.slug === slug);
  return toolkit ? { status: 200, body: wholeAnswer(toolkit) } : refused(404, `Toolkit ${slug} not found`, 4000);
}

function wholeAnswer({ auth_schemes, no_auth, meta, ...rest }: ToolkitItem): object {
  const field = (name: string) => ({ name, displayName: name, description: '', type: 'string', required: true });
  return {
    ...rest,
    enabled: true,
    auth_config_details: auth_schemes.map((mode) => {
      const { creation, initiation } = fieldsOf(mode);
      return {
        mode,
        name: `${rest.slug}_${mode.toLowerCase()}`,
        fields: {
          auth_config_creation: { required: creation.map(field), optional: [] },
          connected_account_initiation: { required: initiation.map(field), optional: [] },
        },
      };
    }),
    meta: {
      ...meta,
      categories: meta.categories.map(({ id, name }) => ({ slug: id, name })),
      available_versions: [meta.version],
    },
    deprecated: { toolkitId: rest.deprecated.toolkitId, rawProxyInfoByAuthSchemes: [] },
  };
}
