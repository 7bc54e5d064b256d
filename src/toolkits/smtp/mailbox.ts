/** Reads the settings and credentials of a connection: its mail server, its login, and the sender of its mails. */
import type { ToolConnection } from '../../domain/context.js';
import { type ErrorCode, HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { Endpoint } from '../../domain/reach.js';
import { parsePlainAddress, type Sender } from '../../util/mail/addresses.js';
import { type Login, type MailServer, type Security, usualPorts } from '../../util/mail/smtp.js';
import type { Advice } from '../../util/mail/smtp-failures.js';
import { plainHost, type SmtpSettings } from './settings.js';

export interface Mailbox {
  readonly server: MailServer;
  readonly from: Sender;
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

const advice: Advice = {
  login: {
    code: 'connection_inaccessible',
    hint: 'The person who added the account must check its user name, password or token, and connect it again.',
  },
  encryptionHint: 'The account’s host, port and security must fit the server and its certificate.',
  blockedHint: 'The operator can name the mail server as host:port in toolkits.smtp.allowed_hosts of helve.yaml.',
  findRefusalCode,
};

/** 5.7.x is about permission (RFC 3463); 530 and 538 ask for a login or encryption. */
function findRefusalCode(replyCode: number, reply: string): ErrorCode {
  return /\b5\.7\.\d/.test(reply) || replyCode === 530 || replyCode === 538 ? 'forbidden' : 'invalid_input';
}

/** The address of the account's server: public, unless the operator's settings name it. */
export function accountEndpoints({ host, port, security = 'starttls' }: JsonObject): readonly Endpoint[] {
  if (typeof host !== 'string' || host === '') return [];
  return [{ host: plainHost(host), port: Number(port ?? usualPorts[security as Security]) }];
}

export async function readMailbox(connection: ToolConnection, settings: SmtpSettings): Promise<Mailbox> {
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
  const address = parsePlainAddress(text('from_address') ?? '');
  if (!address) throw unusable('Its from_address is not a plain address');
  const { ca, timeout_seconds: timeoutSeconds } = settings;
  return {
    server: { endpoint: { host, port }, security, login: readLogin(text), ca, timeoutSeconds, advice },
    from: { name: text('from_name') ?? '', ...address },
  };
}

function readLogin(text: (name: string) => string | undefined): Login | undefined {
  const [user, password, accessToken] = [text('username'), text('password'), text('access_token')];
  if (user !== undefined && accessToken !== undefined) return { user, accessToken };
  if (user !== undefined && password !== undefined) return { user, password };
  if (user === undefined && password === undefined) return undefined;
  throw unusable('It has a user name or a password, and not both');
}

const unusable = (problem: string, hint = 'The person who added the account must connect it again.'): HelveError =>
  new HelveError('connection_inaccessible', `The mailbox cannot be used: ${problem}`, { hint });
