/**
 * The browser's only connection to the network: a proxy on the loopback that opens each connection through the egress
 * wall. A page can name, redirect to or look up anything; each connection is checked here, address by address.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseUrl } from '../../util/parse-url.js';
import { type EgressPolicy, openSocket } from '../egress/index.js';

export interface EgressProxy {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** Why connections were refused, in order: the error of a failed page says little. */
  readonly refusals: readonly unknown[];
  close(): void;
}

/** Limit for everything that one page loads. */
const maxBytes = 64 * 1024 * 1024;
const maxRefusals = 20;

export async function openProxy(policy: EgressPolicy): Promise<EgressProxy> {
  const open = new Set<Duplex>();
  const refusals: unknown[] = [];
  let bytes = 0;

  function track<T extends Duplex>(socket: T): T {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  }
  function counted(upstream: Socket): Socket {
    upstream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) for (const socket of open) socket.destroy();
    });
    return track(upstream);
  }
  async function connect(host: string, port: number): Promise<Socket | undefined> {
    try {
      return counted(await openSocket(policy, { host, port }));
    } catch (thrown) {
      if (refusals.length < maxRefusals) refusals.push(thrown);
      return undefined;
    }
  }

  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing, connect));
  server.on('connection', track);
  server.on(
    'connect',
    (incoming: IncomingMessage, client: Duplex, head: Buffer) => void tunnel(incoming, client, head, connect),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusals,
    close: () => end(server, open),
  };
}

type Connect = (host: string, port: number) => Promise<Socket | undefined>;

async function tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer, connect: Connect): Promise<void> {
  const target = parseUrl(`http://${incoming.url}`);
  const upstream = target && (await connect(target.hostname, Number(target.port || 80)));
  if (!upstream) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) upstream.write(head);
  upstream.pipe(client);
  client.pipe(upstream);
  client.once('close', () => upstream.destroy());
}

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, connect: Connect): Promise<void> {
  const url = parseUrl(incoming.url ?? '');
  if (url?.protocol !== 'http:') return void outgoing.writeHead(400).end();
  const upstream = await connect(url.hostname, Number(url.port || 80));
  if (!upstream) return void outgoing.writeHead(403).end();
  const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = incoming.headers;
  const sent = request({
    // Not `agent: false`: that would ignore the socket and open one that bypasses the wall.
    createConnection: () => upstream,
    host: 'nowhere.invalid',
    method: incoming.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, connection: 'close' },
  });
  sent.on('error', () => outgoing.destroy());
  sent.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(sent);
}

function end(server: Server, open: Set<Duplex>): void {
  server.close();
  for (const socket of open) socket.destroy();
}
