/** A server of client ID metadata documents, valid and invalid, on the loopback, opened only for these tests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EgressPolicy } from '../../src/walls/egress/index.js';

export interface Documents {
  readonly url: string;
  /** Allows egress to this server, and to no other internal address. */
  readonly policy: EgressPolicy;
  readonly asked: string[];
  close(): Promise<void>;
}

export async function startDocuments(): Promise<Documents> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const json = { 'content-type': 'application/json' };
    if (path === '/endless') {
      response.writeHead(200, json);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    } else if (path === '/slow') {
      response.writeHead(200, json);
      const timer = setInterval(() => response.write(' '), 200);
      response.on('close', () => clearInterval(timer));
    } else if (path === '/moved') {
      response.writeHead(302, { location: '/good' }).end();
    } else if (path === '/page') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
    } else if (path === '/gone') {
      response.writeHead(404, json).end('{}');
    } else if (path === '/fine-cimd') {
      response.writeHead(200, { 'content-type': 'Application/CIMD+json; charset=utf-8' }).end('{"good":true}');
    } else {
      response.writeHead(200, json).end('{"good":true}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    policy: { schemes: ['http:'], allowedAddresses: [`127.0.0.1:${port}`] },
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
