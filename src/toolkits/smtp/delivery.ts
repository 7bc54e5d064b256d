/** One mail to the mailbox's server, over a socket that the egress wall opened. Nothing is tried twice. */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { ToolContext } from '../../domain/context.js';
import { defined } from '../../util/defined.js';
import { deliveryFailed, type Stage } from './failures.js';
import type { Mailbox } from './mailbox.js';
import type { SmtpSettings } from './settings.js';

interface Mail {
  readonly messageId: string;
  readonly recipients: readonly string[];
  readonly bytes: Buffer;
}

interface Sending {
  readonly mail: Mail;
  readonly mailbox: Mailbox;
  readonly settings: SmtpSettings;
}

/** A server that does not answer QUIT is not waited for. */
const farewellMs = 2_000;

export async function deliver(
  { mail, mailbox, settings }: Sending,
  { connector, signal }: Pick<ToolContext, 'connector' | 'signal'>,
): Promise<{ readonly accepted: readonly string[]; readonly rejected: readonly string[] }> {
  const late = AbortSignal.timeout(settings.timeout_seconds * 1_000);
  const stop = AbortSignal.any([signal, late]);
  const stage: Stage = { messageId: mail.messageId, server: mailbox.endpoint.host, handedOver: false };
  const socket = await inTime(connector.connect(mailbox.endpoint), stop).catch((thrown: unknown) => {
    throw deliveryFailed(thrown, stage, late.aborted);
  });
  const connection = await speakOver(socket as Socket, mailbox, settings);
  try {
    const result = await exchange(connection, mail, mailbox, stop, stage);
    connection.quit();
    setTimeout(() => connection.close(), farewellMs).unref();
    return result;
  } catch (thrown) {
    connection.close();
    throw deliveryFailed(thrown, stage, late.aborted);
  }
}

async function speakOver(
  socket: Socket,
  { endpoint, security, from }: Mailbox,
  { ca, timeout_seconds }: SmtpSettings,
): Promise<SMTPConnection> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const milliseconds = timeout_seconds * 1_000;
  return new Connection({
    ...endpoint,
    connection: socket,
    name: from.domain,
    secure: security === 'tls',
    // Required, never only tried.
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    // Stated so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn the check off.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...defined({ ca }) },
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    maxResponseSize: 65_536,
  });
}

async function exchange(
  connection: SMTPConnection,
  { recipients, bytes }: Mail,
  { security, login, from }: Mailbox,
  stop: AbortSignal,
  stage: Stage,
) {
  const broken = brokenBy(connection, stop);
  const step = <T>(start: (done: (error?: Error | null, value?: T) => void) => void): Promise<T> =>
    Promise.race([
      broken,
      new Promise<T>((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value as T)))),
    ]);
  await step<void>((done) => connection.connect(done));
  if (security !== 'none' && !connection.secure) throw new Error('The connection is not encrypted');
  if (login !== undefined) {
    if (!connection.allowsAuth) throw Object.assign(new Error('it offers no login here'), { code: 'EAUTH' });
    await step<unknown>((done) => connection.login(credentialsOf(login), done));
  }
  const source = Readable.from([bytes]);
  // The end of the source comes just before the line that ends the mail: from here on the server may have it.
  source.once('end', () => {
    stage.handedOver = true;
  });
  return step<{ accepted: string[]; rejected: string[] }>((done) =>
    connection.send({ from: from.address, to: [...recipients], size: bytes.length }, source, done),
  );
}

function credentialsOf(login: NonNullable<Mailbox['login']>): Parameters<SMTPConnection['login']>[0] {
  const { user } = login;
  if ('password' in login) return { user, credentials: { user, pass: login.password } };
  const oauth2 = {
    /** Asked a second time when the server did not take the first: there is no other. */
    getToken: (again: boolean, done: (error: Error | null, token?: string) => void) =>
      again ? done(new Error('the access token was refused')) : done(null, login.accessToken),
    buildXOAuth2Token: (token: string) =>
      Buffer.from(`user=${user}\x01auth=Bearer ${token}\x01\x01`).toString('base64'),
  };
  return { user, oauth2 } as unknown as Parameters<SMTPConnection['login']>[0];
}

/** Its listener stays for the life of the connection, so that no late error is uncaught. */
function brokenBy(connection: SMTPConnection, stop: AbortSignal): Promise<never> {
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
    if (stop.aborted) reject(stop.reason);
  });
  broken.catch(() => undefined);
  return broken;
}

/** A socket that comes too late is closed. */
async function inTime(opening: Promise<Duplex>, stop: AbortSignal): Promise<Duplex> {
  const stopped = new Promise<never>((_, reject) => {
    const giveUp = () => {
      reject(stop.reason);
      opening.then(
        (socket) => socket.destroy(),
        () => undefined,
      );
    };
    opening.then(
      () => stop.removeEventListener('abort', giveUp),
      () => stop.removeEventListener('abort', giveUp),
    );
    if (stop.aborted) giveUp();
    else stop.addEventListener('abort', giveUp, { once: true });
  });
  return Promise.race([opening, stopped]);
}
