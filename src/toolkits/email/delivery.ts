/**
 * One mail to one server, over a socket that the egress wall opened. The envelope is ours alone: no header is read to
 * find out who gets it. Nothing is tried twice.
 */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { ToolContext } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import type { Endpoint } from '../../domain/reach.js';
import { defined } from '../../util/defined.js';
import { deliveryFailed, type Stage } from './failures.js';
import type { SmtpSettings } from './shapes.js';

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

export interface Delivery {
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
}

interface Sendable {
  readonly messageId: string;
  readonly envelope: Envelope;
  readonly bytes: Buffer;
  /** By which this server introduces itself. */
  readonly ourName: string;
}

const usualPorts = { none: 25, starttls: 587, tls: 465 } as const;
/** A server that does not answer QUIT is not waited for. */
const farewellMs = 2_000;

export function endpointOf({ host, port, secure }: SmtpSettings): Endpoint {
  return { host, port: port ?? usualPorts[secure] };
}

export async function deliver(
  mail: Sendable,
  smtp: SmtpSettings,
  { connector, signal }: Pick<ToolContext, 'connector' | 'signal'>,
): Promise<Delivery> {
  const late = AbortSignal.timeout(smtp.timeout_seconds * 1_000);
  const socket = await inTime(connector.connect(endpointOf(smtp)), late, smtp.host);
  const connection = await createConnection(smtp, socket as Socket, mail.ourName);
  const stage: Stage = { messageId: mail.messageId, server: smtp.host, handedOver: false };
  try {
    const result = await exchange(connection, mail, smtp, AbortSignal.any([signal, late]), stage);
    sayGoodbye(connection);
    return result;
  } catch (thrown) {
    connection.close();
    throw deliveryFailed(thrown, stage, late.aborted);
  }
}

async function createConnection(smtp: SmtpSettings, socket: Socket, name: string): Promise<SMTPConnection> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const milliseconds = smtp.timeout_seconds * 1_000;
  return new Connection({
    ...endpointOf(smtp),
    connection: socket,
    name,
    secure: smtp.secure === 'tls',
    requireTLS: smtp.secure === 'starttls',
    ignoreTLS: smtp.secure === 'none',
    // rejectUnauthorized is stated so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn the check off.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...defined({ ca: smtp.ca }) },
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    maxResponseSize: 65_536,
  });
}

async function exchange(
  connection: SMTPConnection,
  { envelope, bytes }: Sendable,
  smtp: SmtpSettings,
  signal: AbortSignal,
  stage: Stage,
): Promise<Delivery> {
  const broken = brokenBy(connection, signal);
  const step = <T>(start: (done: (error?: Error | null, value?: T) => void) => void): Promise<T> =>
    Promise.race([
      broken,
      new Promise<T>((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value as T)))),
    ]);
  await step<void>((done) => connection.connect(done));
  if (smtp.secure !== 'none' && !connection.secure) throw new Error('The connection is not encrypted');
  if (smtp.user !== undefined) {
    if (!connection.allowsAuth)
      throw new HelveError('invalid_config', `${smtp.host} offers no login here`, { hint: loginHint });
    const { user, password: pass } = smtp;
    await step<unknown>((done) => connection.login({ user, credentials: { user, pass } }, done));
  }
  const source = Readable.from([bytes]);
  // The end of the source comes just before the line that ends the mail: from here on the server may have it.
  source.once('end', () => {
    stage.handedOver = true;
  });
  const sent = await step<{ accepted: string[]; rejected: string[] }>((done) =>
    connection.send({ from: envelope.from, to: [...envelope.to], size: bytes.length }, source, done),
  );
  return { accepted: sent.accepted, rejected: sent.rejected };
}

/** Its listener stays for the life of the connection, so that no late error is uncaught. */
function brokenBy(connection: SMTPConnection, signal: AbortSignal): Promise<never> {
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
  });
  broken.catch(() => undefined);
  return broken;
}

function sayGoodbye(connection: SMTPConnection): void {
  connection.quit();
  setTimeout(() => connection.close(), farewellMs).unref();
}

/** A socket that comes after its time is closed. */
async function inTime(opening: ReturnType<ToolContext['connector']['connect']>, late: AbortSignal, host: string) {
  let onLate: () => void = () => undefined;
  const tooLate = new Promise<never>((_, reject) => {
    onLate = () => {
      reject(new HelveError('timeout', `Connecting to ${host} took too long; nothing was sent`));
      opening.then(
        (socket) => socket.destroy(),
        () => undefined,
      );
    };
    late.addEventListener('abort', onLate, { once: true });
  });
  try {
    return await Promise.race([opening, tooLate]);
  } finally {
    late.removeEventListener('abort', onLate);
  }
}

const loginHint = 'The operator must look at toolkits.email.smtp in helve.yaml: user, password, secure.';
