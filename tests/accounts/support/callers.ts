/** Child processes that call through one store, with a connection that was really signed in. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createHttpApp } from '../../../src/surfaces/http/index.js';
import { createTestHelve, type TestHelve } from '../../../src/testing/index.js';
import { createBrowser } from './browser.js';
import type { TestIssuer } from './oidc.js';
import { vendor } from './vendor.js';

export const publicUrl = 'http://127.0.0.1:4870';
const script = fileURLToPath(new URL('caller.js', import.meta.url));

export interface CallReport {
  readonly answered: number;
  readonly failures: readonly { readonly code: string; readonly message: string }[];
}

export interface Caller {
  readonly process: ChildProcess;
  call(calls: number): Promise<CallReport>;
  stop(): Promise<void>;
}

export interface Scene {
  readonly helve: TestHelve;
  /** Signs in again: fresh tokens, the connection active. */
  signIn(): Promise<void>;
  status(): Promise<string>;
  caller(): Promise<Caller>;
  close(): Promise<void>;
}

export async function openScene(issuer: TestIssuer): Promise<Scene> {
  const dataDir = await mkdtemp(join(tmpdir(), 'helve-accounts-'));
  const database = join(dataDir, 'helve.db');
  const config = `toolkits:\n  vendor:\n    base_url: ${issuer.url}\n${issuer.config('vendor')}`;
  const helve = await createTestHelve({ database, dataDir, config, publicUrl, toolkits: [vendor], nativeToolkits: [] });
  const app = createHttpApp({ plane: helve.plane, publicUrl });
  const { id } = await helve.plane.addConnection(helve.admin, { toolkit: 'vendor', name: 'Work' });
  const grant = { toolkit: 'vendor', connectionId: id, tools: ['who_am_i'], limits: {}, config: {} };
  await helve.plane.replaceGrants(helve.admin, 'tester', [grant]);

  return {
    helve,
    async signIn() {
      // A token that has expired before the first call; later ones stay valid.
      issuer.tokenSeconds = 1;
      const { redirectUrl = '' } = await helve.plane.connect(helve.admin, id, {});
      const browser = createBrowser((url) => (url.origin === publicUrl ? (at, init) => app.request(at, init) : fetch));
      const { response } = await browser.go(redirectUrl);
      issuer.tokenSeconds = 3_600;
      await setTimeout(1_000);
      if (response?.status !== 200) throw new Error(`The sign-in failed: ${await response?.text()}`);
    },
    status: async () => (await helve.plane.connection(helve.admin, id)).status,
    caller: () => startCaller({ database, dataDir, config }),
    async close() {
      await helve.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startCaller(options: Record<string, string>): Promise<Caller> {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, CALLER: JSON.stringify(options) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.value !== 'ready') throw new Error('The caller did not start');
  return {
    process: child,
    async call(calls) {
      child.stdin.write(`go ${calls}\n`);
      const { value } = await lines.next();
      if (value === undefined) throw new Error('The caller has ended');
      return JSON.parse(value) as CallReport;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}
