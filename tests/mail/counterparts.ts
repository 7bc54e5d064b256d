/** Independent mail servers on the loopback that record what they receive: smtp-server, maildev, and a broken one. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../src/testing/index.js';
import { email as emailToolkit } from '../../src/toolkits/email/toolkit.js';

export interface Delivered {
  readonly from: string;
  /** Sorted. */
  readonly recipients: readonly string[];
  readonly raw: Buffer;
  readonly parsed: ParsedMail;
  readonly secure: boolean;
  readonly user: string | undefined;
}

export interface MailServer {
  readonly port: number;
  /** Accepted mails. */
  readonly delivered: Delivered[];
  /** Every RCPT TO, accepted or not. */
  readonly told: string[];
  close(): Promise<void>;
}

export interface MailServerOptions extends SMTPServerOptions {
  /** Called with each mail; an error that it throws is the server's answer. */
  readonly onMail?: () => (Error & { responseCode: number }) | undefined;
  /** Called with each recipient. */
  readonly onRecipient?: (address: string) => (Error & { responseCode: number }) | undefined;
}

export const reply = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

export async function startMailServer({
  onMail,
  onRecipient,
  ...options
}: MailServerOptions = {}): Promise<MailServer> {
  const delivered: Delivered[] = [];
  const told: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    ...(options.secure || options.key ? {} : { disabledCommands: ['STARTTLS', 'AUTH'] }),
    ...options,
    onRcptTo({ address }, _session, done) {
      told.push(address);
      done(onRecipient?.(address));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const refused = onMail?.();
        if (refused) return done(refused);
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo } = session.envelope;
        const recipients = rcptTo.map(({ address }) => address).sort();
        const from = mailFrom === false ? '' : mailFrom.address;
        const parsed = await simpleParser(raw);
        delivered.push({ from, recipients, raw, parsed, secure: session.secure, user: session.user });
        return done();
      });
    },
  });
  // Some tests are about clients that disconnect.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { port, delivered, told, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** maildev's own SMTP server, on the loopback and without its web interface. */
export async function startMaildev() {
  const folder = mkdtempSync(join(tmpdir(), 'helve-maildev-'));
  const require = createRequire(import.meta.url);
  require('maildev/lib/logger').setLevel(0);
  const mailserver = require('maildev/lib/mailserver');
  const port = await freePort();
  mailserver.create(port, '127.0.0.1', folder);
  await mailserver.listen();
  const store: { envelope: { to: { address: string }[] }; subject: string; to: { address: string }[] }[] =
    mailserver.store;
  return {
    port,
    store,
    recipients: () => store.map(({ envelope }) => envelope.to.map(({ address }) => address).sort()),
    async close() {
      await new Promise<void>((resolve) => mailserver.close(() => resolve()));
      // The package keeps the mails of all its servers in one list, which the next test file would find.
      store.length = 0;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A server that answers by the script, `[beginning of a line, answer]`; `drop` closes. `mailbox` gets every line. */
export async function startScripted(
  script: readonly (readonly [string, string])[],
  extensions: readonly string[] = [],
) {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let inData = false;
    let buffered = '';
    socket.on('error', () => undefined);
    const answer = (text: string): void => {
      if (text === 'drop') socket.destroy();
      else if (text !== '') socket.write(`${text}\r\n`);
    };
    const onLine = (line: string): void => {
      lines.push(line);
      if (inData && line !== '.') return;
      const scripted = script.find(([start]) => line.startsWith(start))?.[1];
      inData = line.startsWith('DATA') && (scripted ?? '354').startsWith('354');
      if (line.startsWith('EHLO'))
        answer(
          scripted ??
            ['test', ...extensions].map((one, i, all) => `250${i === all.length - 1 ? ' ' : '-'}${one}`).join('\r\n'),
        );
      else answer(scripted ?? (line.startsWith('DATA') ? '354 go on' : '250 ok'));
    };
    socket.on('data', (chunk) => {
      const parts = (buffered + chunk.toString('latin1')).split('\r\n');
      buffered = parts.pop() ?? '';
      for (const line of parts) onLine(line);
    });
    answer(script.find(([start]) => start === 'connect')?.[1] ?? '220 test');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const openssl = 'openssl';

/** For 127.0.0.1 and localhost; undefined without openssl. */
export function makeCertificate(): { key: string; cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'helve-mail-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync(openssl, [...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface MailHelveOptions extends TestHelveOptions {
  readonly smtp: Readonly<Record<string, unknown>>;
  readonly config?: never;
  readonly limits?: never;
  readonly templates?: Readonly<Record<string, unknown>>;
  /** `tool_config` of send_email. */
  readonly may?: Readonly<Record<string, unknown>>;
}

/** A plane whose agent may send to corp.example and to ops@partner.example. JSON is valid YAML. */
export function createMailHelve({ smtp, templates, may, ...options }: MailHelveOptions): Promise<TestHelve> {
  const server = { host: '127.0.0.1', secure: 'none', from: 'Helve <agent@corp.example>', ...smtp };
  const email = { smtp: server, ...(templates && { templates }) };
  const toolConfig = { allowed_recipients: ['*@corp.example', 'ops@partner.example'], max_per_hour: 900, ...may };
  return createTestHelve({
    granted: ['send_email'],
    nativeToolkits: [emailToolkit],
    ...options,
    toolConfig: { send_email: toolConfig as never },
    config: JSON.stringify({ toolkits: { email } }),
  });
}
