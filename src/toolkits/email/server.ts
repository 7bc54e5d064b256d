/** The mail server of the operator's settings, or which key of them is missing. */
import { HelveError } from '../../domain/errors.js';
import { parseSender, type Sender } from './addresses.js';
import type { EmailSettings, SmtpSettings } from './shapes.js';

export function serverOf({ smtp }: EmailSettings): { readonly smtp: SmtpSettings; readonly from: Sender } {
  if (smtp === undefined)
    throw missing('toolkits.email.smtp', 'is not set', 'host, secure and from, with user and password where needed');
  if (smtp.user !== undefined && smtp.password === undefined) {
    throw missing(
      'toolkits.email.smtp.password',
      'is not set though user is',
      'it, best by way of an environment variable',
    );
  }
  const from = parseSender(smtp.from);
  if (!from)
    throw missing('toolkits.email.smtp.from', 'is no address', 'agent@example.com or Name <agent@example.com>');
  return { smtp, from };
}

const missing = (key: string, problem: string, what: string): HelveError =>
  new HelveError('invalid_config', `${key} in helve.yaml ${problem}`, {
    hint: `No mail can be sent until the operator sets ${what}.`,
  });
