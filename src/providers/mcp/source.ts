/** What an operator says of an MCP server, and the toolkit that it becomes. Nothing here has spoken to the server yet. */
import type { ToolkitAuth } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { Toolkit } from '../../domain/tool.js';
import { parseUrl } from '../../util/parse-url.js';
import { clientCredentialsScheme } from './client-credentials.js';

export interface McpServerSource {
  readonly slug: string;
  readonly title?: string;
  readonly category?: string;
  readonly transport:
    | {
        readonly kind: 'stdio';
        readonly command: string;
        readonly args?: readonly string[];
        /** All that the child gets. */
        readonly env?: Readonly<Record<string, string>>;
        readonly cwd?: string;
      }
    | { readonly kind: 'http'; readonly url: string };
  /**
   * Default `none`. A header per account is filled in from its fields: `{ header: 'authorization', value: 'Bearer {token}' }`.
   * With `client_credentials` Helve is a client of its own there, for nobody.
   * With `oauth` the requests go through the account's own client, tokens and their refresh included; where to sign in is
   * asked of the server (`mcp:<slug>` is the OAuth provider that comes of it).
   */
  readonly auth?: 'none' | { readonly header: string; readonly value: string } | 'oauth' | 'client_credentials';
  /** With `oauth`: places to sign in that stand in a private network. */
  readonly authorizationServers?: readonly string[];
}

export function titleOf(source: McpServerSource): string {
  return source.title ?? source.slug;
}

export function needsAccount(source: McpServerSource): boolean {
  return source.auth !== undefined && source.auth !== 'none';
}

export function describeToolkit(source: McpServerSource): Toolkit {
  const title = titleOf(source);
  const auth = authOf(source);
  return {
    slug: source.slug,
    title,
    // In the operator's words alone: what a server says of itself is not repeated to anybody as a fact.
    description: `The tools of the MCP server ${title}`,
    category: source.category ?? 'mcp',
    provider: 'mcp',
    needsConnection: auth !== undefined,
    ...(auth === undefined ? {} : { auth }),
    internal: false,
  };
}

/** Throws `invalid_config`, naming the server, for what could never work. */
export function checkSources(sources: readonly McpServerSource[]): void {
  const slugs = new Set<string>();
  for (const source of sources) {
    const refuse = (problem: string): HelveError =>
      new HelveError('invalid_config', `The MCP server ${source.slug}: ${problem}`, {
        details: { toolkit: source.slug },
      });
    if (!/^[a-z][a-z0-9-]{0,31}$/.test(source.slug)) throw refuse('a slug has lower-case letters, digits and dashes');
    if (slugs.has(source.slug)) throw refuse('there are two of this slug');
    slugs.add(source.slug);
    const { transport, auth } = source;
    if (transport.kind === 'stdio') {
      if (needsAccount(source)) throw refuse('a server over stdio takes its secrets from `env`, not from an account');
      continue;
    }
    const url = parseUrl(transport.url);
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw refuse('its url is not an http(s) address');
    if (url.username !== '' || url.password !== '') throw refuse('its url has a password in it: use `auth`');
    if (typeof auth === 'object') {
      if (!/^[A-Za-z0-9-]+$/.test(auth.header)) throw refuse('auth.header is not the name of a header');
      if (fieldsOf(auth.value).length === 0) throw refuse('auth.value names no field: write `Bearer {token}`');
    }
  }
}

function authOf({ slug, auth, transport, authorizationServers = [] }: McpServerSource): ToolkitAuth | undefined {
  if (auth === undefined || auth === 'none') return undefined;
  if (auth === 'oauth' || auth === 'client_credentials') {
    const server = transport.kind === 'http' ? transport.url : '';
    const discover = { server, named: [server, ...authorizationServers].map((url) => new URL(url).origin) };
    if (auth === 'client_credentials') return { schemes: [clientCredentialsScheme(server, discover)] };
    return { schemes: [{ id: 'oauth', kind: 'oauth2', title: 'Sign in', provider: `mcp:${slug}`, discover }] };
  }
  const fields = fieldsOf(auth.value).map((name) => ({ name, title: name, secret: true }));
  return {
    schemes: [
      {
        id: 'header',
        kind: 'api_key',
        title: 'Key',
        fields,
        placement: [{ in: 'header', name: auth.header, value: auth.value }],
        // Streams cannot go through the account's own client, so the header is put on here.
        exposed: true,
      },
    ],
  };
}

function fieldsOf(template: string): string[] {
  return [...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string))];
}

/** Throws `connection_inaccessible` for a field that the account has not got. */
export function fillTemplate(template: string, fields: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === undefined) throw new HelveError('connection_inaccessible', `The account has no ${name}`);
    return value;
  });
}
