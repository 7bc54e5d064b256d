/**
 * The text of a schema, and what TypeScript has no type for, as a doc comment: the description, then `@keyword value`
 * for default, format, bounds, pattern and examples. Nothing in it can end the comment or address the compiler
 * (`@ts-expect-error` in a block comment would).
 */
import { isPlainObject } from '../../util/canonical.js';
import { listSubschemas } from '../subschemas.js';

type Schema = Readonly<Record<string, unknown>>;

const bounds = [
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
];
const flags = ['uniqueItems', 'readOnly', 'writeOnly'];
/** Keywords whose schemas cannot be part of the type: only their texts are used. */
const spoken = ['contains', 'if', 'not', 'propertyNames', 'unevaluatedItems'];
const maxExamples = 3;
const exampleLength = 160;
const defaultLength = 2_000;

/** What a function takes, with one example; or what it answers, without what only the author of a value needs. */
export type DocsRole = 'input' | 'answer';

/**
 * Returns the comment text. `name`: the name of the commented item; a title that only repeats it is omitted. Without a
 * `role` everything is written. Undefined if there is nothing to say.
 */
export function writeDocs(schema: Schema, name: string, role?: DocsRole): string | undefined {
  const description = toText(schema.description);
  const said = description ?? '';
  const parts = [
    getFlag(schema, 'deprecated'),
    getTitle(schema, name, description),
    description,
    ...(role === 'answer' ? [tag('format', toText(schema.format))] : describeValue(schema, said)),
    ...flags.map((keyword) => getFlag(schema, keyword)),
    role === 'answer' ? undefined : tag('example', getExamples(schema, said, role === 'input' ? 1 : maxExamples)),
    ...spoken.flatMap((keyword) => descriptionsIn(schema[keyword]).map((words) => tag(keyword, words))),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}

function describeValue(schema: Schema, said: string) {
  const isInteger = [schema.type].flat().includes('integer');
  // Any whole number that a program can compute with: as good as no bound.
  const isBound = (keyword: string): boolean => !(isInteger && Math.abs(Number(schema[keyword])) === 2 ** 53 - 1);
  return [
    isInteger ? '@int' : undefined,
    getDefault(schema, said),
    tag('format', toText(schema.format)),
    ...bounds.filter(isBound).map((keyword) => getBound(schema, keyword)),
  ];
}

function getTitle(schema: Schema, name: string, description: string | undefined): string | undefined {
  const title = toText(schema.title);
  if (title === undefined || !saysMore(title, `${name} ${description ?? ''}`)) return undefined;
  return description === undefined ? title : `${title.trimEnd()}:`;
}

function getDefault({ default: value }: Schema, said: string): string | undefined {
  return value === undefined || saysDefault(said, value) ? undefined : tag('default', compact(value, defaultLength));
}

function getBound(schema: Schema, keyword: string): string | undefined {
  const value = schema[keyword];
  const isShown = typeof value === 'number' || typeof value === 'string' || value === true;
  return isShown ? tag(keyword, String(value)) : undefined;
}

const getFlag = (schema: Schema, keyword: string) => (schema[keyword] === true ? `@${keyword}` : undefined);

/** Returns the text as a comment, with nothing in it that could end the comment. */
export function comment(text: string): string {
  return `/** ${escapeComment(text)} */`;
}

export function escapeComment(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replaceAll('*/', '*\\/')
    .replace(/@(?=ts-)/g, '\\@')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]/g,
      (unit, at: number, whole: string) =>
        isPaired(whole, at) ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

function isPaired(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 0xd800 && code <= 0xdbff) return isLow(text.charCodeAt(at + 1));
  return isLow(code) && at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const tag = (keyword: string, value: string | undefined) => (value === undefined ? undefined : `@${keyword} ${value}`);

function compact(value: unknown, most: number): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? '';
  } catch {
    // Nested too deeply, or not JSON: there is nothing useful to show.
    return '…';
  }
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** The first few examples, except those that the description already contains. */
function getExamples({ example, examples }: Schema, said: string, max: number): string | undefined {
  const all = Array.isArray(examples) ? examples : examples === undefined ? [] : [examples];
  const given = [...(example === undefined ? [] : [example]), ...all].slice(0, max);
  const shown = given.filter((value) => typeof value !== 'string' || value.length < 4 || !said.includes(value));
  const texts = [...new Set(shown.map((value) => compact(value, exampleLength)))];
  return texts.length === 0 ? undefined : texts.join(', ');
}

/** Whether the text contains `Default: \`30\`` or the like. */
function saysDefault(text: string, value: unknown): boolean {
  const plain = typeof value === 'string' ? value : compact(value, 60);
  const found = /\bdefaults?(?: value)?(?: to| is|:)? [`'"]*([^`'"\s,;)]+)/i.exec(text);
  return plain !== '' && found?.[1]?.replace(/\.$/, '') === plain;
}

/** Words of titles that add no information. */
const emptyWords = /^(?:request|response|wrapper|schema|model|params|parameters|input|output|body|data)$/;

/** Whether the title has a word that the text does not have. */
function saysMore(title: string, text: string): boolean {
  const known = new Set(splitWords(text));
  const joined = splitWords(text).join('');
  return splitWords(title).some((word) => !known.has(word) && !emptyWords.test(word) && !joined.includes(word));
}

function splitWords(text: string): string[] {
  const spaced = text.slice(0, 5_000).replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2');
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function descriptionsIn(schema: unknown): string[] {
  if (!isPlainObject(schema)) return [];
  const found: string[] = [];
  const stack: unknown[] = [schema];
  for (let steps = 0; steps < 200 && stack.length > 0; steps += 1) {
    const next = stack.pop();
    if (!isPlainObject(next)) continue;
    const description = toText(next.description);
    if (description !== undefined) found.push(description);
    stack.push(...listSubschemas(next).reverse());
  }
  return found;
}
