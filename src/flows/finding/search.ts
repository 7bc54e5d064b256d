/** One search for one principal: by names in the text, by meaning, or else the available tools. */
import { checkAgainst, readIntent, type SearchResult, squash } from '../../discovery/index.js';
import type { FoundTool, NearestToolkit, ToolFindings, ToolSearch } from '../../domain/discovery.js';
import type { Principal } from '../../domain/principal.js';
import { defined } from '../../util/defined.js';
import { toolSignature } from '../../util/tool-signature.js';
import { shownApproval } from '../calling/index.js';
import { toolKey } from './documents.js';
import type { Library } from './library.js';
import { nearestToolkits } from './nearest-toolkits.js';
import { upTo } from './patience.js';
import type { Reach, ReachedTool } from './reach.js';
import type { RecentUse } from './recent-use.js';
import { describeSummary } from './summary.js';

const defaultLimit = 10;
const maxLimit = 50;
/** Maximum characters of a text: a longer one adds nothing about the task. */
const maxCharacters = 4_000;
/** For an index that also contains others' tools: enough that the available ones are among them. */
const maxLooked = 200;
/** More than requested, since some do not do what was asked. */
const spare = 20;
/** The first read of the catalogue takes a while; a caller does not wait longer than this. */
const patienceMs = 15_000;
/** So many hits are looked at for the name of an app that the caller has no tools of. */
const maxSpeaking = 10;

export interface SearchedTool {
  readonly entry: ReachedTool;
  readonly found: FoundTool;
}

export interface Findings extends Omit<ToolFindings, 'hits'> {
  readonly hits: readonly SearchedTool[];
}

export interface SearchQuestion extends ToolSearch {
  readonly principal: Principal;
  readonly reach: Reach;
  readonly recent: RecentUse;
}

export async function searchReach(asked: SearchQuestion, library: Library): Promise<Findings> {
  const question = { ...asked, query: asked.query.slice(0, maxCharacters) };

  const limit = Math.max(1, Math.min(maxLimit, Math.floor(question.limit ?? defaultLimit)));
  const written = writtenNames(question).slice(0, limit);
  if (written.length > 0)
    return {
      hits: written.map((entry, at) => toHit(entry, written.length - at, ['exact name'], question)),
      tier: 'exact',
      answer: 'these',
      abstained: false,
      unmatched: [],
    };
  const first = await look(question, limit);
  const isSettled = first.answer === 'these' && (first.tier === 'exact' || first.unmatched.length === 0);
  const outside = isSettled ? undefined : await listOutside(question, library);
  const missing = await missingApps(question, first, outside, library);
  const found: Looked = missing.length === 0 ? first : { ...first, hits: [], answer: 'nothing' };
  const { hits, tier, answer, unmatched, readAs } = found;
  const nearest =
    outside === undefined && missing.length === 0
      ? []
      : await nearestToolkits(
          question,
          { onlyNamed: answer !== 'nothing', missing, outside: outside ?? missing },
          library,
        );
  const hint = describeHint(found, { nearest, missing }, question);
  return {
    hits,
    tier,
    answer,
    abstained: answer === 'nothing',
    unmatched,
    ...(readAs.length === 0 ? {} : { readAs }),
    ...(nearest.length === 0 ? {} : { nearest }),
    ...defined({ hint }),
  };
}

function recentKeys({ catalogue }: SearchQuestion['reach'], { tools }: RecentUse): readonly string[] {
  return tools.flatMap((name) => catalogue.match(name).slice(0, 1)).map(({ tool }) => toolKey(tool.id));
}

type Looked = Pick<Findings, 'hits' | 'tier' | 'answer' | 'unmatched'> & Pick<SearchResult, 'readAs'>;

async function look(question: SearchQuestion, limit: number): Promise<Looked> {
  const { query, reach, recent } = question;
  const asked = question.toolkits?.filter((slug) => reach.toolkits.has(slug));
  if (reach.entries.length === 0 || asked?.length === 0)
    return { hits: [], tier: 'fallback', answer: 'nothing', unmatched: [], readAs: [] };
  const { index, toolkits, holdsMore } = await reach.searchable();
  const within = asked ?? toolkits;
  const result = index.search(query, {
    limit: holdsMore ? maxLooked : limit + spare,
    ...defined({ toolkits: within }),
    // Of apps out of reach, only those are spoken of that `missingApps` knows to be open to everybody.
    known: [],
    // Every available tool can be called, with an account or without: neither ranks higher for that.
    context: { granted: reach.toolkits.keys(), recent: recentKeys(reach, recent) },
  });
  const { tier, unmatched, readAs } = result;
  const reached = result.hits.filter(({ id }) => reach.byKey.has(id));
  const doesIt = thoseThatDo(query);
  const fits = (key: string) => (reach.byKey.get(key) ?? []).slice(0, 1).every(doesIt);
  const isNamed = reached.some(({ why = [] }) => why.some(isNaming));
  const fitting = reached.filter(({ id, why = [] }) =>
    tier === 'exact' && isNamed ? why.some(isNaming) : tier !== 'semantic' || fits(id),
  );
  const answer = fitting.length === 0 ? 'nothing' : result.answer;
  const best = (fitting.length > 0 ? fitting : reached).flatMap(({ id, score, why = [] }) =>
    byUse(reach.byKey.get(id) ?? [], question).map((entry) => toHit(entry, score, why, question)),
  );
  return { hits: best.slice(0, limit), tier, answer, unmatched, readAs };
}

/**
 * Apps that the text names and the caller has no tools of: nothing is offered in their place, unless one of the best
 * hits speaks of the app itself. `outside` undefined: only what the index has read already is known.
 */
async function missingApps(
  { query, reach, toolkits }: SearchQuestion,
  { hits, tier }: Looked,
  outside: readonly string[] | undefined,
  library: Library,
): Promise<readonly string[]> {
  if (tier === 'exact' || toolkits !== undefined) return [];
  const open = new Set(outside ?? openToolkits(reach, library));
  const index = await library.index;
  const named = index.named(query, (slug) => open.has(slug) || reach.toolkits.has(slug));
  if (named.some((slug) => reach.toolkits.has(slug))) return [];
  const texts = hits
    .slice(0, maxSpeaking)
    .map(({ entry: { tool } }) => `${tool.id.name} ${tool.title} ${tool.description}`);
  const isSpokenOf = (slug: string) => {
    const names = [slug, library.open.get(slug)?.title ?? slug].map((name) => squash(name));
    return texts.some((text) => names.some((name) => squash(text).includes(name)));
  };
  return named.filter((slug) => !isSpokenOf(slug));
}

/** Toolkits out of reach that everyone may know of, after the catalogue has been read. */
async function listOutside({ reach, toolkits }: SearchQuestion, library: Library): Promise<readonly string[]> {
  await upTo(patienceMs, library.ensureAll());
  return openToolkits(reach, library).filter((slug) => toolkits?.includes(slug) ?? true);
}

function openToolkits({ configuration, toolkits }: Reach, { open }: Library): readonly string[] {
  const off = new Set(configuration.toolkits.flatMap((one) => (one.enabled ? [] : [one.toolkit])));
  return [...open.keys()].filter((slug) => !toolkits.has(slug) && !off.has(slug));
}

/** Reasons of the index that mean: the text names the tool. */
const namings = new Set(['exact name', 'end of the name', 'name but for one letter']);
const isNaming = (reason: string): boolean => namings.has(reason);

/** Returns a test for tools that do what a text asks for; a vague text accepts any. */
export function thoseThatDo(text: string): (entry: ReachedTool) => boolean {
  const intent = readIntent(text);
  return ({ tool: { id, description } }) =>
    checkAgainst(intent, { toolkit: id.toolkit, name: id.name, description }).fits;
}

/** Model-facing names, including accounts, which no index knows; or a text that is only a name. */
function writtenNames({ query, reach, toolkits }: SearchQuestion): ReachedTool[] {
  const alone = /^\s*[\w.-]{1,200}\s*$/.test(query) ? reach.catalogue.match(query.trim()).map(({ name }) => name) : [];
  const names = [...alone, ...(query.match(/[a-zA-Z][a-zA-Z0-9_-]*__[a-zA-Z0-9_-]+/g) ?? [])];
  return [...new Set(names)].flatMap((name) => {
    const entry = reach.byName.get(name);
    return entry && (toolkits === undefined || toolkits.includes(entry.tool.id.toolkit)) ? [entry] : [];
  });
}

/** Of several accounts, the last used one comes first, then the last connected one. */
function byUse(entries: readonly ReachedTool[], { reach, recent }: SearchQuestion): readonly ReachedTool[] {
  if (entries.length < 2) return entries;
  const place = ({ connectionId }: ReachedTool): number => {
    const at = connectionId === undefined ? -1 : recent.connections.indexOf(connectionId);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  };
  const since = ({ connectionId }: ReachedTool): string => {
    const connection = reach.connections.get(connectionId ?? '');
    return connection?.connectedAt ?? connection?.createdAt ?? '';
  };
  return [...entries].sort((a, b) => {
    const [left, right] = [place(a), place(b)];
    if (left !== right) return left < right ? -1 : 1;
    return since(a) > since(b) ? -1 : since(a) < since(b) ? 1 : 0;
  });
}

export function toHit(
  entry: ReachedTool,
  score: number,
  why: readonly string[],
  { explain = false }: Pick<ToolSearch, 'explain'>,
): SearchedTool {
  const { name, tool, slug, connectionId } = entry;
  const found: FoundTool = {
    name,
    toolkit: tool.id.toolkit,
    ...(connectionId === undefined || slug === undefined ? {} : { connection: slug }),
    title: tool.title,
    signature: toolSignature(tool),
    summary: describeSummary(tool),
    risk: tool.risk,
    score,
    ...shownApproval(entry.approval),
    ...(explain ? { why } : {}),
  };
  return { entry, found };
}

/** For a model: what to do if not everything was found. */
function describeHint(
  { answer, unmatched, readAs }: Looked,
  { nearest, missing }: { readonly nearest: readonly NearestToolkit[]; readonly missing: readonly string[] },
  { reach }: SearchQuestion,
): string | undefined {
  const names = (connected: boolean) => nearest.filter((one) => one.connected === connected).map(({ name }) => name);
  const [granted, absent] = [names(true), names(false)];
  const said = [
    ...(absent.length === 0
      ? []
      : [`${absent.join(', ')}: not connected. Ask the person to connect an account, and to grant it.`]),
    ...(granted.length === 0 ? [] : [`${granted.join(', ')}: not granted to you. Ask the operator for it.`]),
    ...readAs.map(({ written, read }) => `Read ${JSON.stringify(written)} as ${JSON.stringify(read)}.`),
  ];
  const words = unmatched.map((word) => JSON.stringify(word)).join(', ');
  if (answer === 'these') return said.length === 0 ? undefined : said.join(' ');
  if (answer === 'perhaps')
    return [`Perhaps one of these fits${words === '' ? '' : `; not understood: ${words}`}.`, ...said].join(' ');
  if (reach.entries.length === 0) return ['You have no tools: ask the operator to grant some.', ...said].join(' ');
  if (missing.length > 0) return ['You have no tools of the app that is named.', ...said].join(' ');
  return [`Nothing that you have fits${words === '' ? '' : `; none knows ${words}`}.`, ...said].join(' ');
}
