/** Toolkits, tools and trigger types, a page at a time. */
import { type Page, readPage } from './pages.js';
import type { Requests } from './requests.js';
import {
  type ListedTool,
  type ListedToolkit,
  type ListedTriggerType,
  listedTool,
  listedToolkit,
  listedTriggerType,
  type ToolkitDetails,
  toolkitDetails,
  toolkitStatus,
  toolSlugs,
} from './shapes.js';

export interface ListQuery {
  readonly cursor?: string;
  /** Slug of one toolkit; default: all. */
  readonly toolkit?: string;
}

export interface ListingCalls {
  listToolkits(cursor?: string): Promise<Page<ListedToolkit>>;
  listTools(query?: ListQuery): Promise<Page<ListedTool>>;
  listTriggerTypes(query?: ListQuery): Promise<Page<ListedTriggerType>>;
  /** The slug of every tool. */
  toolSlugs(): Promise<readonly string[]>;
  /** Whether Composio has a toolkit and lists it: it omits deprecated ones. */
  hasToolkit(slug: string): Promise<boolean>;
  /** Throws `not_found`. */
  getToolkit(slug: string): Promise<ToolkitDetails>;
}

/** The maximum page size that Composio allows. */
const limit = 1_000;
const toolkit = '/toolkits/{}';
const latest = { toolkit_versions: 'latest' };

/** Returns the listing methods over `requests`. */
export function createListingCalls(requests: Requests): ListingCalls {
  return {
    listToolkits: (cursor) => readPage(requests, { route: '/toolkits', query: { limit, cursor } }, listedToolkit),
    listTools({ cursor, toolkit: slug } = {}) {
      const query = { limit, cursor, toolkit_slug: slug, ...latest };
      return readPage(requests, { route: '/tools', query }, listedTool);
    },
    listTriggerTypes({ cursor, toolkit: slugs } = {}) {
      const query = { limit, cursor, toolkit_slugs: slugs, ...latest };
      return readPage(requests, { route: '/triggers_types', query }, listedTriggerType);
    },
    toolSlugs: () => requests.read({ route: '/tools/enum' }, toolSlugs),
    async hasToolkit(slug) {
      const answer = await requests.json({ route: toolkit, parts: [slug], accept: [404, 410] });
      return answer !== undefined && toolkitStatus.parse(answer).status?.toLowerCase() !== 'deprecated';
    },
    getToolkit: (slug) => requests.read({ route: toolkit, parts: [slug] }, toolkitDetails),
  };
}
