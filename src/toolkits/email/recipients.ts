/** The recipients of a mail. The server gets the same list of addresses that was compared with the allowed ones. */
import { HelveError } from '../../domain/errors.js';
import { type PlainAddress, type RecipientFields, type Recipients, readRecipients } from '../../util/mail/addresses.js';

interface Limits {
  readonly allowed_recipients: readonly string[];
  readonly max_recipients: number;
}

/** Reads all recipients or throws: one address that is malformed or not allowed refuses the mail, and is named. */
export function readAllowedRecipients(fields: RecipientFields, limits: Limits): Recipients {
  const findAllowed = createAllowList(limits.allowed_recipients);
  const refused: string[] = [];
  // Includes reply_to, because the answer, and with it the mail's content, can be expected to go there.
  const recipients = readRecipients(fields, (plain, place) => {
    const allowed = findAllowed(plain);
    if (allowed === undefined) refused.push(`${place} ${plain.address}`);
    return allowed ?? plain.address;
  });
  if (refused.length > 0) throw refuse(refused, limits.allowed_recipients);
  const count = recipients.envelope.length;
  if (count <= limits.max_recipients) return recipients;
  throw new HelveError('forbidden', `The mail has ${count} recipients; at most ${limits.max_recipients} are allowed`);
}

/** Finds an allowed address as the operator wrote it, since only the operator's server knows whether case matters. */
function createAllowList(patterns: readonly string[]): (plain: PlainAddress) => string | undefined {
  const exact = new Map<string, string>();
  const domains = new Set<string>();
  for (const pattern of patterns) {
    if (pattern.startsWith('*@')) domains.add(pattern.slice(2).toLowerCase());
    else exact.set(pattern.toLowerCase(), pattern);
  }
  return ({ address, domain }) => exact.get(address.toLowerCase()) ?? (domains.has(domain) ? address : undefined);
}

function refuse(refused: readonly string[], allowed: readonly string[]): HelveError {
  const hint =
    allowed.length === 0
      ? 'No recipient is allowed. The operator lists them: allowed_recipients in the tool_config of send_email.'
      : `Allowed: ${allowed.slice(0, 20).join(', ')}${allowed.length > 20 ? ' and more' : ''}.`;
  const shown = `${refused.slice(0, 10).join(', ')}${refused.length > 10 ? ' and more' : ''}`;
  return new HelveError('forbidden', `Nothing was sent. Not allowed: ${shown}`, { hint });
}
