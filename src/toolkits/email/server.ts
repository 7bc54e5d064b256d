/** The mail server of the operator's settings. */
import { HelveError } from '../../domain/errors.js';
import type { Endpoint } from '../../domain/reach.js';
import { parseSender, type Sender } from '../../util/mail/addresses.js';
import { type MailServer, usualPorts } from '../../util/mail/smtp.js';
import type { Advice } from '../../util/mail/smtp-failures.js';
import type { EmailSettings, SmtpSettings } from './shapes.js';

const operatorHint = 'The operator must check toolkits.email.smtp in helve.yaml.';

const advice: Advice = {
  login: { code: 'invalid_config', hint: operatorHint },
  encryptionHint: `${operatorHint} secure, host and ca must fit the server.`,
  findRefusalCode: () => 'tool_failed',
};

export const toEndpoint = ({ host, port, secure }: SmtpSettings): Endpoint => ({
  host,
  port: port ?? usualPorts[secure],
});

/** Throws `invalid_config` naming the setting that is missing. */
export function readServer({ smtp }: EmailSettings): { readonly server: MailServer; readonly from: Sender } {
  if (smtp === undefined)
    throw missing('toolkits.email.smtp', 'is not set', 'host, secure and from, with user and password where needed');
  const { user, password, ca } = smtp;
  if (user !== undefined && password === undefined) {
    throw missing(
      'toolkits.email.smtp.password',
      'is not set although user is',
      'it, preferably through an environment variable',
    );
  }
  const from = parseSender(smtp.from);
  if (!from)
    throw missing('toolkits.email.smtp.from', 'is no address', 'agent@example.com or Name <agent@example.com>');
  const login = user === undefined || password === undefined ? undefined : { user, password };
  const server = { endpoint: toEndpoint(smtp), security: smtp.secure, timeoutSeconds: smtp.timeout_seconds };
  return { server: { ...server, login, ca, advice }, from };
}

const missing = (key: string, problem: string, what: string): HelveError =>
  new HelveError('invalid_config', `${key} in helve.yaml ${problem}`, {
    hint: `No mail can be sent until the operator sets ${what}.`,
  });
