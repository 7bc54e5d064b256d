/**
 * Where requests go: the servers of a document, its path items and operations, with variables that the connection or
 * the operator fills in. An operator's base URL replaces all of them, and then requests go nowhere else.
 */
import type { CredentialField } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { ServerAddress } from '../../domain/service.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { sha256 } from '../../util/hash.js';
import { parseUrl } from '../../util/parse-url.js';
import { cleanText } from './clean-text.js';

interface ServerVariable {
  readonly name: string;
  readonly usual?: string;
  readonly values?: readonly string[];
  readonly description?: string;
  /** Whether it is the whole beginning of the address, `{endpoint}/v1`. */
  readonly isAddress: boolean;
}

interface ServerTemplate {
  readonly url: string;
  readonly variables: readonly ServerVariable[];
}

export interface ServerOptions {
  /** The document's own address. */
  readonly documentUrl?: string | undefined;
  /** The operator's values. */
  readonly baseUrl?: string | undefined;
}

export interface Servers {
  /** The name of the first usable server of a list. Throws `invalid_config` if there is none. */
  nameOf(list: unknown): string;
  /** The usable servers by name. A server with a missing or wrong value does not affect the others. */
  addresses(settings: JsonObject, connection: JsonObject): Record<string, ServerAddress>;
  /** Throws `invalid_config` with the reason if the server of this name is not among the addresses. */
  check(name: string, settings: JsonObject, connection: JsonObject): void;
  /** Variables that a person may fill in. */
  fields(): CredentialField[];
  /** What the document says about where requests go: origins, and whole addresses that have variables. */
  destinations(): JsonValue[];
}

const maxServers = 100;

/** Returns the servers of a document. */
export function createServers(documentServers: unknown, options: ServerOptions): Servers {
  const byName = new Map<string, ServerTemplate>();
  const usual = Array.isArray(documentServers) && documentServers.length > 0 ? documentServers : [{ url: '/' }];
  const first = options.baseUrl === undefined ? undefined : { url: checkedUrl(options.baseUrl), variables: [] };

  return {
    nameOf(list) {
      if (first) {
        byName.set('default', first);
        return 'default';
      }
      const own = Array.isArray(list) && list.length > 0;
      const template = firstUsable(own ? list : usual, options.documentUrl);
      const isUsual = !own || template.url === usableUrl(usual, options.documentUrl);
      const name = isUsual ? 'default' : `server_${sha256(template.url).slice(0, 8)}`;
      if (byName.size >= maxServers && !byName.has(name))
        throw new HelveError('invalid_config', `there are more than ${maxServers} servers`);
      byName.set(name, template);
      return name;
    },
    addresses(settings, connection) {
      const named = settings.base_url;
      return Object.fromEntries(
        [...byName].flatMap(([name, template]): [string, ServerAddress][] => {
          if (typeof named === 'string') return [[name, { url: checkedUrl(named), named: true }]];
          try {
            return [[name, { url: filled(template, connection) }]];
          } catch (error) {
            if (error instanceof HelveError) return [];
            throw error;
          }
        }),
      );
    },
    check(name, settings, connection) {
      const template = byName.get(name);
      if (template && typeof settings.base_url !== 'string') filled(template, connection);
    },
    fields() {
      const variables = new Map<string, ServerVariable>();
      for (const template of byName.values()) for (const each of template.variables) variables.set(each.name, each);
      return [...variables.values()].map(getField);
    },
    destinations() {
      if (first) return [];
      return [...byName.values()].map(({ url, variables }): JsonValue => {
        if (variables.length === 0) return new URL(url).origin;
        const described = variables.map(({ name, usual, values }) => defined({ name, usual, values }));
        return { url, variables: described };
      });
    },
  };
}

function usableUrl(list: readonly unknown[], documentUrl: string | undefined): string | undefined {
  try {
    return firstUsable(list, documentUrl).url;
  } catch {
    return undefined;
  }
}

/** The same server with encryption comes before the one without: the account's credentials are sent there. */
function firstUsable(list: readonly unknown[], documentUrl: string | undefined): ServerTemplate {
  let first: ServerTemplate | undefined;
  let refused: HelveError | undefined;
  for (const raw of list.slice(0, maxServers)) {
    try {
      const template = readServer(raw, documentUrl);
      first ??= template;
      if (template.url === first.url.replace(/^http:/i, 'https:')) return template;
    } catch (error) {
      if (!(error instanceof HelveError)) throw error;
      refused ??= error;
    }
  }
  if (first) return first;
  throw refused ?? new HelveError('invalid_config', 'its list of servers is empty');
}

const hint = 'Set base_url of this toolkit in helve.yaml.';

function readServer(raw: unknown, documentUrl: string | undefined): ServerTemplate {
  const given = isPlainObject(raw) && typeof raw.url === 'string' ? raw.url.trim() : '/';
  const written = given.startsWith('//') ? `https:${given}` : given;
  const declared = objectOrEmpty(objectOrEmpty(raw).variables);
  const variables = [...written.matchAll(/\{([^{}]*)\}/g)].map(([, name = ''], index) =>
    readVariable(
      name,
      Object.hasOwn(declared, name) ? declared[name] : undefined,
      index === 0 && written.startsWith('{'),
    ),
  );
  // A scheme alone is not an address: `{protocol}://host`.
  const scheme = /^\{([^{}]*)\}:\/\//.exec(written)?.[1];
  const known = variables.map((each) => (each.name === scheme ? schemeVariable(each) : each));
  const absolute = /^https?:\/\//i.test(written) || written.startsWith('{');
  const url = absolute ? written : relative(written, documentUrl);
  checkedUrl(
    substituted({ url, variables: known }, (each) => each.usual || (each.isAddress ? 'https://host.invalid' : '1')),
  );
  return { url, variables: known };
}

function relative(written: string, documentUrl: string | undefined): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(written) && !/^[^/]*:\d/.test(written))
    throw new HelveError('invalid_config', `its server ${quoted(written)} is not http or https`, { hint });
  if (documentUrl === undefined)
    throw new HelveError(
      'invalid_config',
      `its server ${quoted(written)} is relative, and where the document comes from is not known`,
      {
        hint,
      },
    );
  // Braces would be encoded.
  const marked = written.replaceAll('{', '~(').replaceAll('}', ')~');
  return new URL(marked, documentUrl).href.replaceAll('~(', '{').replaceAll(')~', '}');
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 200));

function readVariable(name: string, raw: unknown, isAddress: boolean): ServerVariable {
  const { default: usual, enum: values, description } = objectOrEmpty(raw);
  const texts = (Array.isArray(values) ? values : []).map(String);
  const isGiven = usual !== undefined && usual !== null && usual !== '';
  return {
    name,
    isAddress,
    ...defined({
      usual: isGiven ? String(usual) : undefined,
      values: texts.length > 0 ? texts : undefined,
      description: cleanText(description, 200),
    }),
  };
}

function schemeVariable(variable: ServerVariable): ServerVariable {
  const values = (variable.values ?? ['https', 'http']).filter((value) => value === 'https' || value === 'http');
  const usual = variable.usual === 'http' && !values.includes('https') ? 'http' : 'https';
  return { ...variable, isAddress: false, values, usual };
}

function substituted({ url, variables }: ServerTemplate, value: (variable: ServerVariable) => string): string {
  return url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = variables.find((each) => each.name === name);
    return variable ? value(variable) : whole;
  });
}

function missing({ variables }: ServerTemplate, connection: JsonObject): string | undefined {
  return variables.find((each) => givenOrUsual(each, connection) === undefined)?.name;
}

function givenOrUsual(variable: ServerVariable, connection: JsonObject): string | undefined {
  const field = fieldName(variable.name);
  const given = Object.hasOwn(connection, field) ? connection[field] : undefined;
  if (given === undefined || given === '') return variable.usual;
  const text = String(given);
  if (new RegExp(`^(?:${toPattern(variable)})$`).test(text)) return text;
  throw new HelveError('invalid_config', `${field}: ${quoted(text)} cannot be a part of the server's address`);
}

function filled(template: ServerTemplate, connection: JsonObject): string {
  const lacking = missing(template, connection);
  if (lacking !== undefined)
    throw new HelveError('invalid_config', `The server ${quoted(template.url)} needs a value for ${lacking}`, { hint });
  return checkedUrl(substituted(template, (each) => givenOrUsual(each, connection) ?? ''));
}

/** Without a slash at the end. */
function checkedUrl(text: string): string {
  const url = parseUrl(text);
  const plain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!url || !plain || url.hostname === '')
    throw new HelveError('invalid_config', `its server ${quoted(text)} is not an http or https address`, { hint });
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

const fieldName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '') || 'server';

function toPattern({ values, isAddress }: ServerVariable): string {
  if (values) return values.map((value) => value.replace(/[^A-Za-z0-9]/g, (sign) => `\\${sign}`)).join('|');
  return isAddress ? 'https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:/[A-Za-z0-9._~/-]*)?' : '[A-Za-z0-9][A-Za-z0-9._~-]*';
}

function getField(variable: ServerVariable): CredentialField {
  const { usual, values, description } = variable;
  const said = [description, values && `One of ${values.slice(0, 20).join(', ')}`, usual && `Usually ${usual}`]
    .filter((text) => text !== undefined && text !== '')
    .join('. ');
  return {
    name: fieldName(variable.name),
    title: variable.name,
    secret: false,
    pattern: toPattern(variable),
    ...defined({ description: cleanText(said, 300), optional: usual === undefined ? undefined : true }),
  };
}
