/**
 * Sends one mail to one server, over a socket that the egress wall opened. The envelope is given: no header is read to
 * find out who gets the mail. Nothing is tried twice.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { ToolContext } from '../../domain/context.js';
import type { Endpoint } from '../../domain/reach.js';
import { defined } from '../defined.js';
import type { PlainAddress } from './addresses.js';
import { type Advice, explainFailure, type Progress } from './smtp-failures.js';

export type Security = 'tls' | 'starttls' | 'none';

export type Login =
  | { readonly user: string; readonly password: string }
  | { readonly user: string; readonly accessToken: string };

export interface MailServer {
  readonly endpoint: Endpoint;
  readonly security: Security;
  readonly login: Login | undefined;
  /** PEM of the authority that signed a private server. */
  readonly ca: string | undefined;
  readonly timeoutSeconds: number;
  readonly advice: Advice;
}

export interface Mail {
  readonly messageId: string;
  readonly from: PlainAddress;
  readonly recipients: readonly string[];
  readonly bytes: Buffer;
}

export interface Delivery {
  readonly accepted: string[];
  readonly rejected: string[];
}

export const usualPorts: Readonly<Record<Security, number>> = { none: 25, starttls: 587, tls: 465 };
/** A server that does not answer QUIT is not waited for. */
const farewellMs = 2_000;

export async function sendMail(
  mail: Mail,
  server: MailServer,
  { connector, signal }: Pick<ToolContext, 'connector' | 'signal'>,
): Promise<Delivery> {
  const late = AbortSignal.timeout(server.timeoutSeconds * 1_000);
  const stop = AbortSignal.any([signal, late]);
  const progress: Progress = { messageId: mail.messageId, server: server.endpoint.host, handedOver: false };
  const explain = (thrown: unknown) => explainFailure(thrown, { progress, late: late.aborted, advice: server.advice });
  const socket = await openInTime(connector.connect(server.endpoint), stop).catch((thrown: unknown) => {
    throw explain(thrown);
  });
  const connection = await createConnection(socket as Socket, server, mail.from.domain);
  try {
    const delivery = await exchange({ connection, mail, server, progress, broken: watch(connection, stop) });
    connection.quit();
    setTimeout(() => connection.close(), farewellMs).unref();
    return delivery;
  } catch (thrown) {
    connection.close();
    throw explain(thrown);
  }
}

async function createConnection(socket: Socket, server: MailServer, ourName: string): Promise<SMTPConnection> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const milliseconds = server.timeoutSeconds * 1_000;
  return new Connection({
    ...server.endpoint,
    connection: socket,
    name: ourName,
    secure: server.security === 'tls',
    // Required, never only tried.
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    // Stated so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn the check off.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...defined({ ca: server.ca }) },
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    maxResponseSize: 65_536,
  });
}

interface Exchange {
  readonly connection: SMTPConnection;
  readonly mail: Mail;
  readonly server: MailServer;
  readonly progress: Progress;
  readonly broken: Promise<never>;
}

async function exchange({ connection, mail, server, progress, broken }: Exchange): Promise<Delivery> {
  const step = <Result>(start: (done: (error?: Error | null, result?: Result) => void) => void): Promise<Result> =>
    Promise.race([
      broken,
      new Promise<Result>((resolve, reject) =>
        start((error, result) => (error ? reject(error) : resolve(result as Result))),
      ),
    ]);
  await step<void>((done) => connection.connect(done));
  if (server.security !== 'none' && !connection.secure) throw new Error('The connection is not encrypted');
  const { login } = server;
  if (login !== undefined) {
    if (!connection.allowsAuth) throw Object.assign(new Error('it offers no login here'), { code: 'EAUTH' });
    await step<unknown>((done) => connection.login(toCredentials(login), done));
  }
  const source = Readable.from([mail.bytes]);
  // The source ends just before the line that ends the mail: from here on the server may have it.
  source.once('end', () => {
    progress.handedOver = true;
  });
  const envelope = { from: mail.from.address, to: [...mail.recipients], size: mail.bytes.length };
  const { accepted, rejected } = await step<Delivery>((done) => connection.send(envelope, source, done));
  return { accepted, rejected };
}

function toCredentials(login: Login): Parameters<SMTPConnection['login']>[0] {
  const { user } = login;
  if ('password' in login) return { user, credentials: { user, pass: login.password } };
  const oauth2 = {
    /** Called a second time if the server refused the first token: there is no other. */
    getToken: (again: boolean, done: (error: Error | null, token?: string) => void) =>
      again ? done(new Error('the access token was refused')) : done(null, login.accessToken),
    buildXOAuth2Token: (token: string) =>
      Buffer.from(`user=${user}\x01auth=Bearer ${token}\x01\x01`).toString('base64'),
  };
  return { user, oauth2 } as unknown as Parameters<SMTPConnection['login']>[0];
}

/** Rejects when the connection breaks or the time is over. Its listener stays, so that no late error is uncaught. */
function watch(connection: SMTPConnection, stop: AbortSignal): Promise<never> {
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
    if (stop.aborted) reject(stop.reason);
  });
  broken.catch(() => undefined);
  return broken;
}

/** A socket that opens too late is closed. */
async function openInTime(opening: Promise<Duplex>, stop: AbortSignal): Promise<Duplex> {
  let giveUp: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    giveUp = () => {
      reject(stop.reason);
      opening.then(
        (socket) => socket.destroy(),
        () => undefined,
      );
    };
    if (stop.aborted) giveUp();
    else stop.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([opening, stopped]);
  } finally {
    stop.removeEventListener('abort', giveUp);
  }
}
