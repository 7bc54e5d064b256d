/** One search for one principal: by names in the text, by meaning, or else the available tools. */
import {
  checkAgainst,
  readIntent,
  type SearchOptions,
  type SearchResult,
  usualWording,
  wordedAct,
} from '../../discovery/index.js';
import type { FoundTool, ToolFindings, ToolSearch } from '../../domain/discovery.js';
import type { Principal } from '../../domain/principal.js';
import { defined } from '../../util/defined.js';
import { toolSignature } from '../../util/tool-signature.js';
import { shownApproval } from '../calling/index.js';
import { toolKey } from './documents.js';
import type { Library } from './library.js';
import { lookOutside, type Outside } from './outside.js';
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
/** Maximum characters of an act in a hint. */
const maxTold = 60;

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
  const { missing, unknown, nearest, isOffered } = await lookOutside(question, { ...first, isSettled }, library);
  const found: Looked = isOffered ? first : { ...first, hits: [], answer: 'nothing' };
  const { hits, tier, answer, unmatched, readAs, acts } = found;
  const hint = describeHint(found, { nearest, missing, unknown }, question);
  return {
    hits,
    tier,
    answer,
    abstained: answer === 'nothing',
    unmatched,
    ...(acts.length === 0 ? {} : { acts }),
    ...(readAs.length === 0 ? {} : { readAs }),
    ...(nearest.length === 0 ? {} : { nearest }),
    ...defined({ hint }),
  };
}

function recentKeys({ catalogue }: SearchQuestion['reach'], { tools }: RecentUse): readonly string[] {
  return tools.flatMap((name) => catalogue.match(name).slice(0, 1)).map(({ tool }) => toolKey(tool.id));
}

type Looked = Pick<Findings, 'hits' | 'tier' | 'answer' | 'unmatched'> & Pick<SearchResult, 'readAs' | 'acts'>;

async function look(question: SearchQuestion, limit: number): Promise<Looked> {
  const { query, reach, recent } = question;
  const asked = question.toolkits?.filter((slug) => reach.toolkits.has(slug));
  if (reach.entries.length === 0 || asked?.length === 0)
    return { hits: [], tier: 'fallback', answer: 'nothing', unmatched: [], readAs: [], acts: [] };
  const { index, toolkits, holdsMore, findLikeness } = await reach.searchable();
  const within = asked ?? toolkits;
  const options: SearchOptions = {
    limit: holdsMore ? maxLooked : limit + spare,
    ...defined({ toolkits: within }),
    // `lookOutside` says which apps are missing: it knows which of them everybody may hear of.
    known: [],
    // Every available tool can be called, with an account or without: neither ranks higher for that.
    context: { granted: [...reach.toolkits.keys()], recent: recentKeys(reach, recent) },
  };
  const plain = index.search(query, options);
  // A text that names tools needs nothing else, and stays here.
  const likeness =
    plain.tier === 'exact' || plain.missing.length > 0
      ? undefined
      : await findLikeness?.({
          workspaceId: question.principal.workspaceId,
          texts: index.textsOf(query, options),
          within: asked,
        });
  const result = likeness === undefined ? plain : index.search(query, { ...options, likeness });
  const { tier, unmatched, readAs, acts } = result;
  const reached = result.hits.filter(({ id }) => reach.byKey.has(id));
  const doesIt = thoseThatDo(query);
  const fits = (key: string) => (reach.byKey.get(key) ?? []).slice(0, 1).every(doesIt);
  const isNamed = reached.some(({ why = [] }) => why.some(isNaming));
  const fitting = reached.filter(({ id, why = [] }) =>
    tier === 'exact' && isNamed ? why.some(isNaming) : tier !== 'semantic' || why.some(isAskedFor) || fits(id),
  );
  const answer = fitting.length === 0 ? 'nothing' : result.answer;
  const best = (fitting.length > 0 ? fitting : reached).flatMap(({ id, score, why = [], act }) =>
    byUse(reach.byKey.get(id) ?? [], question).map((entry) =>
      toHit(entry, score, why, { ...question, ...defined({ act }) }),
    ),
  );
  return { hits: best.slice(0, limit), tier, answer, unmatched, readAs, acts };
}

/** Reasons of the index that mean: the text names the tool. */
const namings = new Set(['exact name', 'end of the name', 'name but for one letter']);
const isNaming = (reason: string): boolean => namings.has(reason);
/** Reasons that mean: the wording asks for what the tool does, whichever verb the text has. */
const isAskedFor = (reason: string): boolean => reason === usualWording || reason === wordedAct;

/** Returns a test for tools that do what a text asks for; a vague text accepts any. */
export function thoseThatDo(text: string): (entry: ReachedTool) => boolean {
  const intent = readIntent(text);
  return ({ tool: { id, description, capabilities } }) =>
    checkAgainst(intent, { ...id, description, capabilities }).fits;
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
  { explain = false, act }: Pick<ToolSearch, 'explain'> & Pick<FoundTool, 'act'>,
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
    ...(act === undefined ? {} : { act }),
    score,
    ...shownApproval(entry.approval),
    ...(explain ? { why } : {}),
  };
  return { entry, found };
}

/** For a model: what to do if not everything was found. */
function describeHint(
  { hits, answer, unmatched, readAs, acts }: Looked,
  { nearest, missing, unknown }: Pick<Outside, 'nearest' | 'missing' | 'unknown'>,
  { reach }: SearchQuestion,
): string | undefined {
  const names = (connected: boolean) => nearest.filter((one) => one.connected === connected).map(({ name }) => name);
  const [granted, absent] = [names(true), names(false)];
  const said = [
    ...describeActs(acts, hits),
    ...(absent.length === 0
      ? []
      : [`${absent.join(', ')}: not connected. Ask the person to connect an account, and to grant it.`]),
    ...(unknown.length === 0 ? [] : [`${unknown.join(', ')}: not set up here. The operator can add it.`]),
    ...(granted.length === 0 ? [] : [`${granted.join(', ')}: not granted to you. Ask the operator for it.`]),
    ...readAs.map(({ written, read }) => `Read ${JSON.stringify(written)} as ${JSON.stringify(read)}.`),
  ];
  const words = unmatched.map((word) => JSON.stringify(word)).join(', ');
  if (answer === 'these') return said.length === 0 ? undefined : said.join(' ');
  if (answer === 'perhaps')
    return [`Perhaps one of these fits${words === '' ? '' : `; not understood: ${words}`}.`, ...said].join(' ');
  if (reach.entries.length === 0) return ['You have no tools: ask the operator to grant some.', ...said].join(' ');
  if (missing.length + unknown.length > 0) return ['You have no tools of the app that is named.', ...said].join(' ');
  return [`Nothing that you have fits${words === '' ? '' : `; none knows ${words}`}.`, ...said].join(' ');
}

/** Which tool serves which act, in one sentence. */
function describeActs(acts: Looked['acts'], hits: Looked['hits']): readonly string[] {
  if (acts.length === 0) return [];
  const told = acts.map(({ text, answer }, at) => {
    const best = answer === 'nothing' ? undefined : hits.find(({ found }) => found.act === at + 1)?.found.name;
    return `${JSON.stringify(text.slice(0, maxTold))}: ${best ?? 'nothing'}`;
  });
  return [`${acts.length} acts: ${told.join('; ')}.`];
}
