/** What went wrong between us and the mail server, and whether the mail may be sent again. */
import { HelveError } from '../../domain/errors.js';
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

const operatorHint = 'The operator must look at toolkits.email.smtp in helve.yaml.';

export function deliveryFailed(thrown: unknown, stage: Stage, late: boolean): HelveError {
  const failure: SmtpFailure = thrown instanceof Error ? thrown : { message: String(thrown) };
  const { server } = stage;
  if (failure.responseCode !== undefined && failure.responseCode >= 400)
    return answered(failure, failure.responseCode, stage);
  if (stage.handedOver) return unknown(stage);
  if (thrown instanceof HelveError) return thrown;
  if (late || failure.code === 'ETIMEDOUT')
    return new HelveError('timeout', `${server} did not answer in time; nothing was sent`);
  const reason = `${failure.originalCode ?? ''} ${failure.code ?? ''}`;
  if (/ETLS|CERT|SELF_SIGNED|ISSUER|SSL|TLS/.test(reason) || /encrypted|STARTTLS/.test(failure.message)) {
    return refusedForGood(
      `The connection to ${server} could not be encrypted; nothing was sent (${shown(failure.message)})`,
      {
        hint: `${operatorHint} secure, host and ca must fit the server.`,
        cause: thrown,
      },
    );
  }
  if (failure.code === 'EMESSAGE') return new HelveError('too_large', `${server}: ${shown(failure.message)}`);
  if (failure.code === 'EAUTH') {
    return new HelveError('invalid_config', `No login at ${server}: ${shown(failure.message)}`, { hint: operatorHint });
  }
  const lost = `The connection to ${server} was lost; nothing was sent`;
  return new HelveError('upstream_failed', lost, { hint: 'Try again later.', cause: thrown });
}

/** The server said no, so it has not taken the mail. */
function answered(failure: SmtpFailure, replyCode: number, { server }: Stage): HelveError {
  const reply = shown(failure.response ?? failure.message);
  const rejected = failure.rejectedErrors?.map(({ recipient, response }) => ({
    recipient,
    reply: shown(response ?? ''),
  }));
  const details = { reply_code: replyCode, reply, ...defined({ rejected }) };
  if (failure.code === 'EAUTH') {
    return new HelveError('invalid_config', `${server} refused the login: ${reply}`, { hint: operatorHint, details });
  }
  if (failure.code === 'ETLS') {
    return refusedForGood(`${server} refused to encrypt; nothing was sent: ${reply}`, { hint: operatorHint, details });
  }
  const message = `${server} did not take the mail: ${reply}`;
  if (replyCode >= 400 && replyCode < 500) {
    return new HelveError('upstream_failed', message, {
      hint: 'The server says that it is temporary: try again later.',
      details,
    });
  }
  return refusedForGood(message, {
    hint: 'The same mail will be refused again; read the reply and change what it names.',
    details,
  });
}

const refusedForGood = (message: string, options: ConstructorParameters<typeof HelveError>[2]): HelveError =>
  new HelveError('tool_failed', message, options);

const unknown = ({ server, messageId }: Stage): HelveError =>
  new HelveError('outcome_unknown', `The mail was handed to ${server}, which did not say whether it took it`, {
    hint: `Do not send it again before somebody has looked whether ${messageId} arrived.`,
    details: { message_id: messageId },
  });

/** A server's words, as one line of bounded length: they come from outside. */
function shown(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
