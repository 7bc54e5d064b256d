/** Google as `@emulators/google` emulates it: Gmail, Calendar, Drive and OAuth with state that every client sees. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, serve } from '@emulators/core';
import {
  type GoogleSeedConfig,
  type GoogleStore,
  getGoogleStore,
  googlePlugin,
  seedFromConfig,
} from '@emulators/google';

export interface GoogleEmulator {
  readonly baseUrl: string;
  readonly token: string;
  readonly email: string;
  readonly store: GoogleStore;
  close(): Promise<void>;
}

export async function startGoogleEmulator(seed: Omit<GoogleSeedConfig, 'port'> = {}): Promise<GoogleEmulator> {
  const email = 'ada@example.com';
  const token = 'ya29.of-the-emulator';
  const { app, store } = createServer(googlePlugin, { tokens: { [token]: { login: email, id: 1 } } });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  seedFromConfig(store, baseUrl, { users: [{ email, name: 'Ada Lovelace' }], ...seed });
  return {
    baseUrl,
    token,
    email,
    store: getGoogleStore(store),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
