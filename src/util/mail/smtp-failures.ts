/** Explains what went wrong at the mail server, and whether the mail may be sent again. */
import { type ErrorCode, HelveError } from '../../domain/errors.js';
import { defined } from '../defined.js';

/** How far a mail got. */
export interface Progress {
  readonly messageId: string;
  readonly server: string;
  /** The whole mail was written to the socket: without an answer nobody knows whether the server accepted it. */
  handedOver: boolean;
}

/** Hints that depend on whose server it is. */
export interface Advice {
  readonly login: { readonly code: ErrorCode; readonly hint: string };
  readonly encryptionHint: string;
  /** For an address that the egress wall blocks. */
  readonly blockedHint?: string;
  readonly findRefusalCode: (replyCode: number, reply: string) => ErrorCode;
}

interface Circumstances {
  readonly progress: Progress;
  readonly late: boolean;
  readonly advice: Advice;
}

/** An error as nodemailer throws it. */
interface SmtpFailure {
  readonly message: string;
  readonly code?: string;
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly rejectedErrors?: readonly { readonly recipient?: string; readonly response?: string }[];
}

export function explainFailure(thrown: unknown, circumstances: Circumstances): HelveError {
  const failure: SmtpFailure = thrown instanceof Error ? thrown : { message: String(thrown) };
  const { progress, late, advice } = circumstances;
  const { server, messageId } = progress;
  if (failure.code === 'ETLS') return explainEncryption(failure, circumstances);
  const replyCode = failure.responseCode ?? 0;
  if (replyCode >= 400) return explainReply(failure, replyCode, circumstances);
  if (progress.handedOver) {
    return new HelveError(
      'outcome_unknown',
      `The mail was sent to ${server}, which did not say whether it accepted it`,
      {
        hint: `Do not send it again until somebody has checked whether ${messageId} arrived.`,
        details: { message_id: messageId },
      },
    );
  }
  if (thrown instanceof HelveError) return thrown.code === 'egress_blocked' ? explainBlock(thrown, advice) : thrown;
  if (late || failure.code === 'ETIMEDOUT') {
    return new HelveError('timeout', `${server} did not answer in time; nothing was sent`, { cause: thrown });
  }
  if (failure.code === 'EAUTH') {
    const { code, hint } = advice.login;
    return new HelveError(code, `Helve could not log in at ${server}: ${toLine(failure.message)}`, { hint });
  }
  if (failure.code === 'EMESSAGE') return new HelveError('too_large', `${server}: ${toLine(failure.message)}`);
  if (isAboutEncryption(failure)) return explainEncryption(failure, circumstances);
  const message = `The connection to ${server} was lost; nothing was sent`;
  return new HelveError('upstream_failed', message, { hint: 'Try again later.', cause: thrown });
}

/** If the connection cannot be encrypted, no login and no mail follows. */
function explainEncryption(failure: SmtpFailure, { progress, advice }: Circumstances): HelveError {
  const reply = toLine(failure.response ?? failure.message);
  const message = `The connection to ${progress.server} could not be encrypted; nothing was sent (${reply})`;
  return new HelveError('tool_failed', message, { hint: advice.encryptionHint, cause: failure });
}

function isAboutEncryption({ code, originalCode, message }: SmtpFailure): boolean {
  return /ETLS|CERT|SELF_SIGNED|ISSUER|SSL|TLS/.test(`${code} ${originalCode}`) || /encrypted|STARTTLS/.test(message);
}

/** The server said no, so it has not accepted the mail. */
function explainReply(failure: SmtpFailure, replyCode: number, { progress, advice }: Circumstances): HelveError {
  const { server } = progress;
  const reply = toLine(failure.response ?? failure.message);
  const rejected = failure.rejectedErrors?.map(({ recipient, response = '' }) => ({
    recipient,
    reply: toLine(response),
  }));
  const details = { reply_code: replyCode, reply, ...defined({ rejected }) };
  const isTemporary = replyCode < 500;
  if (failure.code === 'EAUTH' && !isTemporary) {
    const { code, hint } = advice.login;
    return new HelveError(code, `${server} refused the login: ${reply}`, { hint, details });
  }
  const code = isTemporary ? 'upstream_failed' : advice.findRefusalCode(replyCode, reply);
  const hint = isTemporary
    ? 'The server says that it is temporary: try again later.'
    : 'The same mail will be refused again: read the reply and change what it names.';
  return new HelveError(code, `${server} did not accept the mail: ${reply}`, { hint, details });
}

function explainBlock(blocked: HelveError, { blockedHint }: Advice): HelveError {
  return blockedHint === undefined ? blocked : new HelveError(blocked.code, blocked.message, { hint: blockedHint });
}

/** A server's reply as one line of bounded length: it comes from outside. */
function toLine(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
