/** The connection's own facts, read for use: where its server is, how it signs in, and from whom mails are. */
import type { ToolConnection } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { Endpoint } from '../../domain/reach.js';
import { plainAddress } from './addresses.js';
import { plainHost, type SmtpSettings } from './settings.js';

export type Security = 'tls' | 'starttls' | 'none';

type Login =
  | { readonly user: string; readonly password: string }
  | { readonly user: string; readonly accessToken: string }
  | undefined;

export interface Mailbox {
  readonly endpoint: Endpoint;
  readonly security: Security;
  readonly login: Login;
  readonly from: { readonly name: string; readonly address: string; readonly domain: string };
}

const usualPorts = { none: 25, starttls: 587, tls: 465 } as const;
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Where the account's server is: public, unless the operator's settings name it. */
export function accountEndpoints({ host, port, security = 'starttls' }: JsonObject): readonly Endpoint[] {
  if (typeof host !== 'string' || host === '') return [];
  return [{ host: plainHost(host), port: Number(port ?? usualPorts[security as Security]) }];
}

export async function mailboxOf(connection: ToolConnection, settings: SmtpSettings): Promise<Mailbox> {
  const fields = { ...connection.settings, ...(await connection.fields()) };
  const text = (name: string): string | undefined => {
    const value = Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const security = (text('security') ?? 'starttls') as Security;
  const host = plainHost(text('host') ?? '');
  const port = Number(text('port') ?? usualPorts[security]);
  if (host === '' || port > 65_535) throw unusable('Its host or port is not one');
  if (security === 'none' && !loopback.test(host) && !settings.allow_unencrypted) {
    throw unusable(
      'It would send without encryption',
      'Use starttls or tls, or the operator sets toolkits.smtp.allow_unencrypted.',
    );
  }
  const address = plainAddress(text('from_address') ?? '');
  if (!address) throw unusable('Its from_address is no plain address');
  return {
    endpoint: { host, port },
    security,
    login: loginOf(text),
    from: { name: text('from_name') ?? '', address: address.text, domain: address.domain },
  };
}

function loginOf(text: (name: string) => string | undefined): Login {
  const [user, password, accessToken] = [text('username'), text('password'), text('access_token')];
  if (user !== undefined && accessToken !== undefined) return { user, accessToken };
  if (user !== undefined && password !== undefined) return { user, password };
  if (user === undefined && password === undefined) return undefined;
  throw unusable('It has a user name or a password, and not both');
}

const unusable = (problem: string, hint = 'Whoever added the account must connect it again.'): HelveError =>
  new HelveError('connection_inaccessible', `The mailbox cannot be used: ${problem}`, { hint });
