/** `stripe-stateful-mock`: keeps the customers, products, prices, charges, refunds and subscriptions that were created. */
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type Front, startFront } from './front.js';

const require = createRequire(import.meta.url);

export interface Stateful {
  readonly front: Front;
  readonly port: number;
  close(): Promise<void>;
}

export async function startStateful(): Promise<Stateful> {
  const { createExpressApp } = require('stripe-stateful-mock') as { createExpressApp: () => RequestListener };
  // It prints the bodies that it refuses.
  createRequire(require.resolve('stripe-stateful-mock'))('loglevel').setLevel('silent');
  const server = createServer(createExpressApp());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const front = await startFront(async ({ method, path, headers, body }) => {
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...kept } = headers;
    const sent = { method, headers: kept, ...(body === '' ? {} : { body }) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent);
    return { status: answer.status, json: await answer.json() };
  });
  return {
    front,
    port,
    async close() {
      await front.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
