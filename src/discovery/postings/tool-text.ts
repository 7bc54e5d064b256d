/** The text of a tool by field: name, description, parameters. */
import { splitName, splitProse, squash } from '../text/split-words.js';
import { stem } from '../text/stem.js';
import { qualifiers, stopWords } from '../text/vocabulary-data.js';
import type { DiscoveredTool } from '../tool.js';
import type { Vocabulary } from './vocabulary.js';

export interface ToolText {
  /** All stems of the name, in order, without those of the toolkit. */
  readonly name: readonly string[];
  /** How many of them precede a qualifier (`by id`), and whether the last of those is a plural. */
  readonly head: number;
  readonly isPlural: boolean;
  /** Terms, without stop words. */
  readonly description: readonly number[];
  readonly parameters: readonly number[];
}

const maxDescription = 2_000;
const maxParameters = 100;

/** The name without a repeated toolkit: `GITHUB_CREATE_ISSUE` in `github` is `CREATE_ISSUE`. */
export function ownName(tool: Pick<DiscoveredTool, 'toolkit' | 'name'>): string {
  const toolkit = squash(tool.toolkit);
  let at = 0;
  for (let end = 1; end < tool.name.length; end++) {
    if (!/[_\-.:/ ]/.test(tool.name[end] ?? '')) continue;
    const start = squash(tool.name.slice(0, end));
    if (start === toolkit) at = end + 1;
    if (start.length > toolkit.length) break;
  }
  return at === 0 ? tool.name : tool.name.slice(at).replace(/^[_\-.:/ ]+/, '') || tool.name;
}

/** The words of a tool's name without those that are a squashed name (`delete_linked_in_post` without `linkedin`), unless they are all. */
export function withoutName(words: string[], toolkit: string): string[] {
  for (let from = 0; from < words.length; from++) {
    let joined = '';
    for (let to = from; to < words.length && joined.length < toolkit.length; to++) {
      joined += words[to] ?? '';
      if (joined !== toolkit || to - from + 1 === words.length) continue;
      return withoutName([...words.slice(0, from), ...words.slice(to + 1)], toolkit);
    }
  }
  return words;
}

function parameterMap(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { properties } = parameters;
  const isSchema = properties !== null && typeof properties === 'object' && typeof parameters.type !== 'object';
  return isSchema ? (properties as Record<string, unknown>) : parameters.type === 'object' ? {} : parameters;
}

/** The words of a tool's own name, without those that only repeat its toolkit. */
export function nameWords(tool: Pick<DiscoveredTool, 'toolkit' | 'name'>): string[] {
  return withoutName(splitName(ownName(tool)), squash(tool.toolkit));
}

/** The words of a toolkit's display name, each once. */
export function titleStems({ toolkit, toolkitName }: Pick<DiscoveredTool, 'toolkit' | 'toolkitName'>): string[] {
  const words = splitProse(toolkitName || toolkit).filter((word) => !stopWords.has(word));
  return [...new Set(words.map(stem))];
}

/** Everything that is read of a tool, unprocessed: its name, its description and the names of its parameters. */
export function listTexts(tool: DiscoveredTool): readonly [string, string, ...string[]] {
  const { name, description = '', searchWords = '', parameters = {} } = tool;
  const names = Object.keys(parameterMap(parameters)).slice(0, maxParameters);
  return [name, `${description.slice(0, maxDescription)} ${searchWords.slice(0, maxDescription)}`, ...names];
}

export function readToolText(toolkit: string, texts: ReturnType<typeof listTexts>, vocabulary: Vocabulary): ToolText {
  const [toolName, prose, ...keys] = texts;
  const parameters: number[] = [];
  for (const key of keys) for (const term of vocabulary.readName(key)) parameters.push(term);
  const description: number[] = [];
  for (const word of splitProse(prose)) {
    const term = vocabulary.read(word);
    if (term >= 0) description.push(term);
  }
  const words = nameWords({ toolkit, name: toolName });
  const cut = words.findIndex((word, at) => at > 0 && qualifiers.has(word));
  const head = cut < 0 ? words.length : cut;
  const last = words[head - 1] ?? '';
  return {
    name: words.map(stem),
    head,
    isPlural: /[^s]s$/.test(last) && !/(?:us|is)$/.test(last) && !(cut > 0 && words.at(-1) === 'id'),
    description,
    parameters,
  };
}
