/**
 * Selects tools by their properties: by toolkit, account, group, capability and risk, or by patterns of their names. A
 * selection is resolved once, at the time of the change, to tools that exist then: it does not grant what a service
 * adds later.
 */
import { HelveError } from '../../../domain/errors.js';
import type { GrantChoice } from '../../../domain/grant.js';
import { createNameIndex, type NameIndex } from '../../../domain/naming/index.js';
import type { CatalogueEntry, CatalogueTool } from '../../../domain/plane.js';
import { defined } from '../../../util/defined.js';
import { listNames, suggestName } from '../../../util/nearest.js';

/** One tool with one account, by its names. */
interface NamedWithAccount {
  readonly toolkit: string;
  readonly connectionId?: string;
  /** The account's slug. */
  readonly slug?: string;
  readonly tool: Pick<CatalogueTool, 'modelName' | 'name'>;
}

/** One tool with one account, as it could be granted to an agent. */
export interface GrantableTool extends NamedWithAccount {
  readonly tool: CatalogueTool;
}

/** Returns all tools of a grant catalogue, each with its account. */
export function listGrantable(entries: readonly CatalogueEntry[]): readonly GrantableTool[] {
  return entries.flatMap(({ toolkit, connectionId, slug, tools }) =>
    tools.map((tool) => ({
      toolkit: toolkit.slug,
      ...defined({ connectionId, slug }),
      tool,
    })),
  );
}

/**
 * Returns the tools that one selection matches; every condition that is set must hold. `place`: the name of the
 * selection in errors. Throws `invalid_input` for a name that matches nothing, for conditions that no tool meets, and
 * for an empty selection.
 */
export function chooseTools(
  all: readonly GrantableTool[],
  choice: GrantChoice,
  place: string,
): readonly GrantableTool[] {
  const { toolkit, account, group, capability, risk, tools } = choice;
  if ([toolkit, account, group, capability, risk, tools].every((condition) => condition === undefined))
    throw bad(`${place}: names no tool`, 'Say which: by tools, toolkit, account, group, capability or risk.');
  const named = tools === undefined ? all : chooseByName(all, tools, `${place}/tools`);
  const chosen = named.filter(
    (one) =>
      (toolkit === undefined || one.toolkit === toolkit) &&
      (account === undefined || one.slug === account || one.connectionId === account) &&
      (group === undefined || one.tool.group?.toLowerCase() === group.toLowerCase()) &&
      (capability === undefined || one.tool.capabilities.includes(capability)) &&
      (risk === undefined || one.tool.risk === risk),
  );
  if (chosen.length > 0) return chosen;
  throw bad(`${place}: no tool meets all of its conditions`, explainNothing(all, choice));
}

function chooseByName(
  all: readonly GrantableTool[],
  words: readonly string[],
  place: string,
): readonly GrantableTool[] {
  const find = createWordFinder(all);
  const chosen = words.flatMap((word, at) => {
    const found = find(word);
    if (found.length > 0) return found;
    throw nothingNamed(all, word, `${place}/${at}`);
  });
  return [...new Set(chosen)];
}

/**
 * Returns a function that finds the tools of one word: a model-facing name, any other written form, all tools of a toolkit or of an
 * account, or a pattern. It returns an empty list for a word that means none of these tools.
 */
export function createWordFinder<Named extends NamedWithAccount>(
  all: readonly Named[],
): (word: string) => readonly Named[] {
  let index: NameIndex | undefined;
  // Reading the names of thousands of tools takes long, and most words need none of it.
  const getIndex = (): NameIndex => {
    index ??= createNameIndex(all.map(({ toolkit, tool }) => ({ toolkit, name: tool.name })));
    return index;
  };
  return (word) => (word.includes('*') ? all.filter(matchesPattern(word)) : findNamed(all, word, getIndex));
}

function findNamed<Named extends NamedWithAccount>(
  all: readonly Named[],
  word: string,
  getIndex: () => NameIndex,
): readonly Named[] {
  const exact = all.filter(({ tool }) => tool.modelName === word);
  if (exact.length > 0) return exact;
  const id = word.includes('__') ? undefined : getIndex().parse(word);
  if (id !== undefined) return all.filter(({ toolkit, tool }) => toolkit === id.toolkit && tool.name === id.name);
  const named = all.filter(({ tool }) => tool.name === word);
  if (named.length > 0) return named;
  return all.filter(({ toolkit, slug, connectionId }) => [toolkit, slug, connectionId].includes(word));
}

/** `*` matches any characters, in the model-facing name or in `toolkit.name`. */
function matchesPattern(pattern: string): (one: NamedWithAccount) => boolean {
  const parts = pattern.split('*');
  return ({ toolkit, tool }) => [tool.modelName, `${toolkit}.${tool.name}`].some((name) => fitsParts(name, parts));
}

/** Whether the parts occur in the text in order, the first at its start and the last at its end. */
function fitsParts(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}

function nothingNamed(all: readonly GrantableTool[], word: string, place: string): HelveError {
  if (word.includes('*'))
    return bad(`${place}: the pattern ${quote(word)} matches no tool`, 'helve grants <agent> --all lists them.');
  const names = all.flatMap(({ toolkit, slug = '', tool }) => [tool.modelName, toolkit, slug]).filter(Boolean);
  return bad(
    `${place}: there is no tool, toolkit or account ${quote(word)}`,
    suggestName(word, [...new Set(names)], otherNames(all, word)),
  );
}

function otherNames(all: readonly GrantableTool[], word: string): string {
  const accounts = [...new Set(all.flatMap(({ slug }) => slug ?? []))];
  const [account = '', tool] = word.split('__');
  if (tool === undefined || accounts.includes(account)) {
    const tools = all.filter(({ slug }) => tool === undefined || slug === account);
    return `There are ${listNames([...new Set(tools.map((one) => one.tool.modelName))])}.`;
  }
  const others = accounts.length === 0 ? '' : ` There are the accounts ${listNames(accounts)}.`;
  return `No account is named ${account}: connect it first.${others}`;
}

/** Tells about the first condition that none of the tools meets. */
function explainNothing(all: readonly GrantableTool[], { toolkit, account, group, capability }: GrantChoice): string {
  const within = all.filter((one) => toolkit === undefined || one.toolkit === toolkit);
  const toolkits = all.map((one) => one.toolkit);
  const accounts = within.map(({ slug, connectionId }) => ({ slug, connectionId }));
  const isAccount = accounts.some(({ slug, connectionId }) => slug === account || connectionId === account);
  const groups = within.map(({ tool }) => tool.group);
  const isGroup = groups.some((one) => one?.toLowerCase() === group?.toLowerCase());
  const capabilities = within.flatMap(({ tool }) => tool.capabilities);
  if (toolkit !== undefined && within.length === 0) return suggest('toolkits', toolkit, toolkits);
  if (account !== undefined && !isAccount)
    return suggest(
      'accounts',
      account,
      accounts.map(({ slug }) => slug),
    );
  if (group !== undefined && !isGroup) return suggest('groups', group, groups);
  if (capability !== undefined && !capabilities.includes(capability))
    return suggest('capabilities', capability, capabilities);
  return 'Omit one of the conditions.';
}

function suggest(what: string, word: string, values: readonly (string | undefined)[]): string {
  const known = [...new Set(values.flatMap((value) => value ?? []))].sort();
  return suggestName(
    word,
    known,
    known.length === 0 ? `There are no ${what}.` : `There are the ${what} ${listNames(known)}.`,
  );
}

const quote = (word: string): string => JSON.stringify(word.slice(0, 100));

function bad(message: string, hint: string): HelveError {
  return new HelveError('invalid_input', message, { hint });
}
