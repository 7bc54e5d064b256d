/** What went wrong between us and the mail server, and whether the mail may be sent again. */
import { type ErrorCode, HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';

/** How far a mail got. */
export interface Stage {
  readonly messageId: string;
  readonly server: string;
  /** The whole mail was given to the socket: without an answer nobody knows whether the server took it. */
  handedOver: boolean;
}

/** As nodemailer throws it. */
interface SmtpFailure {
  readonly message: string;
  readonly code?: string;
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly rejectedErrors?: readonly { readonly recipient?: string; readonly response?: string }[];
}

const connectAgain = 'Whoever added the account must look at its user name, password or token, and connect it again.';

export function deliveryFailed(thrown: unknown, stage: Stage, late: boolean): HelveError {
  const failure: SmtpFailure = thrown instanceof Error ? thrown : { message: String(thrown) };
  const { server, messageId } = stage;
  if (failure.code === 'ETLS') return unencrypted(failure, server, thrown);
  if (failure.responseCode !== undefined && failure.responseCode >= 400)
    return answered(failure, failure.responseCode, server);
  if (stage.handedOver) {
    return new HelveError('outcome_unknown', `The mail was handed to ${server}, which did not say whether it took it`, {
      hint: `Do not send it again before somebody has looked whether ${messageId} arrived.`,
      details: { message_id: messageId },
    });
  }
  if (thrown instanceof HelveError) return thrown.code === 'egress_blocked' ? blocked(thrown) : thrown;
  if (late || failure.code === 'ETIMEDOUT')
    return new HelveError('timeout', `${server} did not answer in time; nothing was sent`, { cause: thrown });
  if (failure.code === 'EAUTH') {
    const message = `No login at ${server}: ${shown(failure.message)}`;
    return new HelveError('connection_inaccessible', message, { hint: connectAgain });
  }
  if (failure.code === 'EMESSAGE') return new HelveError('too_large', `${server}: ${shown(failure.message)}`);
  if (isAboutEncryption(failure)) return unencrypted(failure, server, thrown);
  const message = `The connection to ${server} was lost; nothing was sent`;
  return new HelveError('upstream_failed', message, { hint: 'Try again later.', cause: thrown });
}

/** Whatever the server says to STARTTLS, no login and no mail follows. */
function unencrypted({ message, response }: SmtpFailure, server: string, cause: unknown): HelveError {
  const said = shown(response ?? message);
  return new HelveError(
    'tool_failed',
    `The connection to ${server} could not be encrypted; nothing was sent (${said})`,
    {
      hint: 'The account’s host, port and security must fit the server and its certificate.',
      cause,
    },
  );
}

function isAboutEncryption({ code, originalCode, message }: SmtpFailure): boolean {
  return /ETLS|CERT|SELF_SIGNED|ISSUER|SSL|TLS/.test(`${code} ${originalCode}`) || /encrypted|STARTTLS/.test(message);
}

/** The server said no, so it has not taken the mail. */
function answered(failure: SmtpFailure, replyCode: number, server: string): HelveError {
  const reply = shown(failure.response ?? failure.message);
  const rejected = failure.rejectedErrors?.map(({ recipient, response = '' }) => ({
    recipient,
    reply: shown(response),
  }));
  const details = { reply_code: replyCode, reply, ...defined({ rejected }) };
  const passing = replyCode < 500;
  if (failure.code === 'EAUTH' && !passing) {
    const message = `${server} refused the login: ${reply}`;
    return new HelveError('connection_inaccessible', message, { hint: connectAgain, details });
  }
  const hint = passing
    ? 'The server says that it is temporary: try again later.'
    : 'The same mail will be refused again: read the reply and change what it names.';
  return new HelveError(
    passing ? 'upstream_failed' : refusalOf(replyCode, reply),
    `${server} did not take the mail: ${reply}`,
    {
      hint,
      details,
    },
  );
}

/** 5.7.x is about what one may do (RFC 3463); 530 and 538 ask for a login or encryption. */
const refusalOf = (replyCode: number, reply: string): ErrorCode =>
  /\b5\.7\.\d/.test(reply) || replyCode === 530 || replyCode === 538 ? 'forbidden' : 'invalid_input';

const blocked = ({ message }: HelveError): HelveError =>
  new HelveError('egress_blocked', message, {
    hint: 'The operator can name the mail server as host:port in toolkits.smtp.allowed_hosts of helve.yaml.',
  });

/** A server's words, as one line of bounded length: they come from outside. */
function shown(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
