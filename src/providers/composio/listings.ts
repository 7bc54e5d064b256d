/** Toolkits, tools and trigger types, a page at a time. */
import type { UnusableRow } from '../../domain/catalogue.js';
import { HelveError } from '../../domain/errors.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { type Fields, type Place, readFields, readList, within } from './answer-fields.js';
import { type ApiRequest, type Requests, routeName } from './requests.js';
import {
  categoryFields,
  detailsFields,
  type ListedTool,
  type ListedToolkit,
  type ListedTriggerType,
  metaFields,
  namedFields,
  type Page,
  pageFields,
  refFields,
  type SignInWay,
  type ToolkitDetails,
  type ToolkitRef,
  toolFields,
  toolkitFields,
  triggerTypeFields,
  type WayFields,
  wayFields,
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
  /** Whether Composio has a toolkit and lists it: it omits deprecated ones. */
  hasToolkit(slug: string): Promise<boolean>;
  /** Throws `not_found`. */
  getToolkit(slug: string): Promise<ToolkitDetails>;
  /** Throws `not_found`. */
  getTool(slug: string): Promise<ListedTool>;
}

/** The maximum page size that Composio allows. */
const perPage = 1_000;

/** Returns the listing methods over `requests`. */
export function createListingCalls(requests: Requests): ListingCalls {
  return {
    listToolkits: (cursor) =>
      readPage(requests, { route: '/toolkits', query: { limit: perPage, cursor } }, cursor, readToolkit),
    listTools: ({ cursor, toolkit } = {}) =>
      readPage(
        requests,
        { route: '/tools', query: { limit: perPage, cursor, toolkit_slug: toolkit, toolkit_versions: 'latest' } },
        cursor,
        readTool,
      ),
    listTriggerTypes({ cursor, toolkit } = {}) {
      const query = { limit: perPage, cursor, toolkit_slugs: toolkit, toolkit_versions: 'latest' };
      return readPage(requests, { route: '/triggers_types', query }, cursor, readTriggerType);
    },
    async hasToolkit(slug) {
      const answer = await requests.json({ route: '/toolkits/{}', parts: [slug], accept: [404, 410] });
      const { status } = isPlainObject(answer) ? answer : {};
      return answer !== undefined && !(typeof status === 'string' && status.toLowerCase() === 'deprecated');
    },
    async getToolkit(slug) {
      const route = '/toolkits/{}';
      return readDetails(await requests.json({ route, parts: [slug] }), { route: `GET ${route}`, path: '' });
    },
    async getTool(slug) {
      const route = '/tools/{}';
      const query = { toolkit_versions: 'latest' };
      return readTool(await requests.json({ route, parts: [slug], query }), { route: `GET ${route}`, path: '' });
    },
  };
}

type ReadRow<Row> = (value: unknown, place: Place) => Row;

/** `cursor`: that of this request. A response that leads back to it would never end. */
export async function readPage<Row>(
  requests: Requests,
  request: ApiRequest,
  cursor: string | undefined,
  read: ReadRow<Row>,
): Promise<Page<Row>> {
  const place = { route: routeName(request), path: '' };
  const page = readFields<{ items: unknown[]; next_cursor?: string | null; total_items?: unknown }>(
    await requests.json(request),
    pageFields,
    place,
  );
  const { rows, leftOut } = readRows(page.items, within(place, 'items'), read);
  const { next_cursor: next } = page;
  const total = readTotal(page.total_items);
  if (next !== undefined && next !== null && next === cursor) {
    throw new HelveError('upstream_failed', `Composio's answer to ${place.route} leads back to the same page`, {
      details: { route: place.route, field: 'next_cursor' },
    });
  }
  return {
    rows,
    leftOut,
    ...(next === undefined || next === null || next === '' ? {} : { next }),
    ...defined({ total }),
  };
}

/** An invalid row is skipped without affecting the others. */
function readRows<Row>(items: readonly unknown[], place: Place, read: ReadRow<Row>) {
  const rows: Row[] = [];
  const leftOut: UnusableRow[] = [];
  for (const [index, item] of items.entries()) {
    const at = within(place, String(index));
    try {
      rows.push(read(item, at));
    } catch (thrown) {
      if (!(thrown instanceof HelveError) || thrown.code !== 'upstream_failed') throw thrown;
      const slug = isPlainObject(item) && isSlug(item.slug) ? item.slug : undefined;
      const named = slug === undefined ? { name: at.path } : { name: slug, slug };
      leftOut.push({ ...named, reason: thrown.message.slice(0, 300) });
    }
  }
  return { rows, leftOut };
}

/** A number, or a number written as text; undefined for anything else. */
function readTotal(value: unknown): number | undefined {
  const total = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : undefined;
}

/** The longest key that a store accepts; Composio's own have under 150 characters. */
const maxSlugLength = 500;
const isSlug = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxSlugLength;

/** The row, if its slug and its toolkit's slug can be stored. Throws `upstream_failed`. */
function checkSlugs<Row extends { readonly slug: string; readonly toolkit?: ToolkitRef | null | undefined }>(
  row: Row,
  { route, path }: Place,
): Row {
  if (isSlug(row.slug) && (!row.toolkit || isSlug(row.toolkit.slug))) return row;
  throw new HelveError(
    'upstream_failed',
    `Composio's answer to ${route} has a slug at ${path} that is empty or longer than ${maxSlugLength} characters`,
  );
}

function readToolkit(value: unknown, place: Place): ListedToolkit {
  const row = readFields<ListedToolkit>(value, toolkitFields, place);
  if (row.meta) {
    const at = within(place, 'meta');
    const { categories } = readFields<{ categories?: unknown }>(row.meta, metaFields, at);
    if (categories) readList(categories, categoryFields, within(at, 'categories'));
  }
  return checkSlugs<ListedToolkit & { readonly toolkit?: undefined }>(row, place);
}

function readTool(value: unknown, place: Place): ListedTool {
  const row = readFields<ListedTool>(value, toolFields, place);
  if (row.toolkit) readFields(row.toolkit, refFields, within(place, 'toolkit'));
  return checkSlugs(row, place);
}

function readTriggerType(value: unknown, place: Place): ListedTriggerType {
  const row = readFields<ListedTriggerType>(value, triggerTypeFields, place);
  if (row.toolkit) readFields(row.toolkit, refFields, within(place, 'toolkit'));
  return checkSlugs(row, place);
}

function readDetails(value: unknown, place: Place): ToolkitDetails {
  const {
    slug,
    composio_managed_auth_schemes: managed,
    auth_config_details: details,
  } = readFields<{
    slug: string;
    composio_managed_auth_schemes?: readonly string[] | null;
    auth_config_details?: readonly unknown[] | null;
  }>(value, detailsFields, place);
  const list = within(place, 'auth_config_details');
  return {
    slug,
    managed: (managed ?? []).map((scheme) => scheme.toUpperCase()),
    ways: (details ?? []).map((way, index) => readWay(way, within(list, String(index)))),
  };
}

function readWay(value: unknown, place: Place): SignInWay {
  const { mode, fields } = readFields<{ mode: string; fields?: Readonly<Record<string, unknown>> | null }>(
    value,
    wayFields,
    place,
  );
  const at = within(place, 'fields');
  return {
    // Its API description writes them in either case.
    scheme: mode.toUpperCase(),
    creation: readWayFields(fields?.auth_config_creation, within(at, 'auth_config_creation')),
    initiation: readWayFields(fields?.connected_account_initiation, within(at, 'connected_account_initiation')),
  };
}

const listed: Fields = [
  ['required', 'list'],
  ['optional', 'list'],
];

function readWayFields(value: unknown, place: Place): WayFields {
  if (!isPlainObject(value)) return { required: [], optional: [] };
  const { required, optional } = readFields<{ required?: unknown; optional?: unknown }>(value, listed, place);
  return {
    required: namesOf(required ?? [], within(place, 'required')),
    optional: namesOf(optional ?? [], within(place, 'optional')),
  };
}

function namesOf(value: unknown, place: Place): string[] {
  return readList<{ name: string }>(value, namedFields, place).map(({ name }) => name);
}
