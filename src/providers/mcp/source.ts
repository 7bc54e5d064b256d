/** An operator's configuration of an MCP server, and the toolkit made from it. Nothing here contacts the server. */
import type { ToolkitAuth } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { Toolkit } from '../../domain/tool.js';
import { defined } from '../../util/defined.js';
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
        /** The complete environment of the child process. */
        readonly env?: Readonly<Record<string, string>>;
        readonly cwd?: string;
      }
    | { readonly kind: 'http'; readonly url: string };
  /**
   * Default `none`. A header per account is filled in from its fields: `{ header: 'authorization', value: 'Bearer {token}' }`.
   * With `client_credentials` Helve signs in as a client of its own, not for a person.
   * With `oauth` the requests go through the account's own client, including tokens and their refresh. The server says
   * where to sign in (the resulting OAuth provider is `mcp:<slug>`).
   */
  readonly auth?: 'none' | { readonly header: string; readonly value: string } | 'oauth' | 'client_credentials';
  /** With `oauth`: authorization servers in a private network. */
  readonly authorizationServers?: readonly string[];
}

/** Returns the display name: the configured title, otherwise the slug. */
export function getTitle(source: McpServerSource): string {
  return source.title ?? source.slug;
}

/** Whether calls need a connected account. */
export function needsAccount(source: McpServerSource): boolean {
  return source.auth !== undefined && source.auth !== 'none';
}

/** Returns the toolkit of a server, without contacting it. */
export function describeToolkit(source: McpServerSource): Toolkit {
  const title = getTitle(source);
  const auth = getAuth(source);
  return {
    slug: source.slug,
    title,
    // Only the operator's own words: a server's claims are not repeated as facts.
    description: `The tools of the MCP server ${title}`,
    category: source.category ?? 'mcp',
    provider: 'mcp',
    needsConnection: auth !== undefined,
    ...defined({ auth }),
    internal: false,
  };
}

/** Throws `invalid_config`, naming the server, for settings that can never work. */
export function checkSources(sources: readonly McpServerSource[]): void {
  const slugs = new Set<string>();
  for (const source of sources) {
    const refuse = (problem: string): HelveError =>
      new HelveError('invalid_config', `The MCP server ${source.slug}: ${problem}`, {
        details: { toolkit: source.slug },
      });
    if (!/^[a-z][a-z0-9-]{0,31}$/.test(source.slug)) throw refuse('a slug has lower-case letters, digits and dashes');
    if (slugs.has(source.slug)) throw refuse('there are two servers with this slug');
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
      if (getFields(auth.value).length === 0) throw refuse('auth.value names no field: write `Bearer {token}`');
    }
  }
}

function getAuth({ slug, auth, transport, authorizationServers = [] }: McpServerSource): ToolkitAuth | undefined {
  if (auth === undefined || auth === 'none') return undefined;
  if (auth === 'oauth' || auth === 'client_credentials') {
    const server = transport.kind === 'http' ? transport.url : '';
    const discover = { server, named: [server, ...authorizationServers].map((url) => new URL(url).origin) };
    if (auth === 'client_credentials') return { schemes: [clientCredentialsScheme(server, discover)] };
    return { schemes: [{ id: 'oauth', kind: 'oauth2', title: 'Sign in', provider: `mcp:${slug}`, discover }] };
  }
  const fields = getFields(auth.value).map((name) => ({ name, title: name, secret: true }));
  return {
    schemes: [
      {
        id: 'header',
        kind: 'api_key',
        title: 'Key',
        fields,
        placement: [{ in: 'header', name: auth.header, value: auth.value }],
        // Streams cannot go through the account's own client, so the header is added here.
        exposed: true,
      },
    ],
  };
}

function getFields(template: string): string[] {
  return [...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string))];
}

/** Throws `connection_inaccessible` if the account does not have a field. */
export function fillTemplate(template: string, fields: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === undefined) throw new HelveError('connection_inaccessible', `The account has no ${name}`);
    return value;
  });
}
