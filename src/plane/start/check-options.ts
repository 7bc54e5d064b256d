/**
 * The options of `createHelve`, checked for programs without types: a mistyped `dataDir` would else open a store in memory,
 * and everything in it would be lost.
 */
import { HelveError } from '../../domain/errors.js';
import type { ToolkitDefinition } from '../../domain/tool.js';
import { suggestName } from '../../util/nearest.js';
import { parseUrl } from '../../util/parse-url.js';
import type { HelveOptions } from '../options.js';

type Kind = 'text' | 'number' | 'infinity' | 'list' | 'object' | 'function';

const kinds = {
  dataDir: ['text'],
  database: ['text'],
  databasePoolSize: ['number'],
  storage: ['object'],
  configFile: ['text'],
  config: ['text'],
  tools: ['list'],
  toolkits: ['list'],
  providers: ['list'],
  nativeToolkits: ['list'],
  limits: ['object'],
  egress: ['object'],
  publicUrl: ['text', 'function'],
  // Infinity: no result is kept behind a handle.
  resultMaxChars: ['number', 'infinity'],
  resultLifetimeMs: ['number'],
  approvalLifetimeMs: ['number'],
  heartbeatMs: ['number'],
  models: ['object'],
  processes: ['object'],
  drivers: ['object'],
  vaultKeys: ['text'],
  processSettings: ['list'],
  tracerProvider: ['object'],
  now: ['function'],
  log: ['object'],
  reportError: ['function'],
} as const satisfies Record<keyof HelveOptions, readonly Kind[]>;

/** Throws `invalid_config` for an option that does not exist, with the one that was meant, and for a value of another type. */
export function checkOptions(options: unknown): asserts options is HelveOptions {
  if (kindOf(options) !== 'object') throw wrong(`The options are ${nameKind(options)}`, 'Give an object, or nothing.');
  for (const [name, value] of Object.entries(options as object)) {
    const allowed: readonly Kind[] | undefined = Object.hasOwn(kinds, name)
      ? kinds[name as keyof HelveOptions]
      : undefined;
    if (allowed === undefined) throw unknown(name);
    if (value !== undefined && !allowed.some((kind) => kind === kindOf(value)))
      throw wrong(`${name} is ${nameKind(value)}`, `Give ${allowed.map((kind) => articles[kind]).join(' or ')}.`);
  }
  const { publicUrl, toolkits = [] } = options as HelveOptions;
  const odd = toolkits.findIndex((toolkit) => !isToolkit(toolkit));
  if (odd >= 0)
    throw wrong(
      `toolkits[${odd}] is no toolkit`,
      'Make it with defineToolkit: it has the texts slug, title, description and category, and the function load.',
    );
  if (typeof publicUrl === 'string' && !/^https?:$/.test(parseUrl(publicUrl)?.protocol ?? ''))
    throw wrong('publicUrl is no http: or https: address', 'Give one such as https://tools.example.com.');
}

function isToolkit(toolkit: Partial<ToolkitDefinition> | null | undefined): boolean {
  const { slug, title, description, category, load } = toolkit ?? {};
  return [slug, title, description, category].every((one) => typeof one === 'string') && typeof load === 'function';
}

const articles: Readonly<Record<Kind, string>> = {
  text: 'a text',
  number: 'a number',
  infinity: 'Infinity',
  list: 'a list',
  object: 'an object',
  function: 'a function',
};

function kindOf(value: unknown): Kind | undefined {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  if (value === Number.POSITIVE_INFINITY) return 'infinity';
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : undefined;
  if (typeof value === 'function') return 'function';
  return typeof value === 'object' && value !== null ? 'object' : undefined;
}

/** Without the value, which may be a secret. */
function nameKind(value: unknown): string {
  const kind = kindOf(value);
  if (kind !== undefined) return articles[kind];
  return value === null || typeof value === 'number' ? String(value) : `of the type ${typeof value}`;
}

function unknown(name: string): HelveError {
  const names = Object.keys(kinds);
  return wrong(
    `There is no option ${JSON.stringify(name.slice(0, 100))}`,
    suggestName(name, names, `The options are ${names.join(', ')}.`),
  );
}

function wrong(message: string, hint: string): HelveError {
  return new HelveError('invalid_config', `createHelve: ${message}`, { hint });
}
