/** R-operate: the process that sends a message is killed while it sends; the next one sends it again, under the same id. */

import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, expect, test } from 'vitest';
import { createTestHelve, testTool } from '../../src/testing/index.js';
import { killChildren, removeTemporaryFolders, serve, temporaryFolder } from './support/server.js';

afterAll(async () => {
  killChildren();
  await removeTemporaryFolders();
});

/** A receiver that says when somebody is there, and answers what the test says. */
async function startReceiver() {
  const ids: string[] = [];
  const waiting: ((response: ServerResponse) => void)[] = [];
  const come: ServerResponse[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    ids.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => {
      const next = waiting.shift();
      if (next) next(response);
      else come.push(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ids,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next request, whose body is whole and which nobody has answered. */
    next: () =>
      new Promise<ServerResponse>((resolve) => {
        const here = come.shift();
        if (here) resolve(here);
        else waiting.push(resolve);
      }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A call that waits, and an admin who is told about it by a webhook. */
async function plant(dataDir: string, url: string): Promise<void> {
  const helve = await createTestHelve({
    dataDir,
    tools: [testTool({ name: 'guarded', highRisk: true })],
    granted: ['guarded'],
  });
  const made = await helve.plane.createNotificationChannel(helve.admin, { kind: 'webhook', name: 'Ops', url });
  await helve.plane.chooseNotifications(helve.admin, made.channel.id, { kinds: ['approval'] });
  await helve.call('guarded', {});
  await helve.close();
}

test('R-operate: killed while it sends, a webhook comes again with the same id, and no third time', async () => {
  const receiver = await startReceiver();
  const dataDir = await temporaryFolder('told');
  try {
    const allowed = receiver.url.replace('http://', '');
    const config = `notifications: { gather_seconds: 0 }\negress: { allowed_addresses: ["${allowed}"] }\n`;
    await writeFile(join(dataDir, 'helve.yaml'), config);
    await plant(dataDir, `${receiver.url}/told`);
    const first = await serve(dataDir);
    await receiver.next();
    await first.stop('SIGKILL');
    expect(receiver.ids).toHaveLength(1);

    // Five minutes pass, after which another process may take what the dead one was sending.
    const store = new Database(join(dataDir, 'helve.db'));
    const sending = store.prepare('select state, attempts from notification_messages').all();
    expect(sending).toEqual([{ state: 'sending', attempts: 1 }]);
    store.exec("update notification_messages set due_at = '2026-01-01T00:00:00.000Z'");
    store.close();

    const second = await serve(dataDir);
    (await receiver.next()).writeHead(204).end();
    await second.stop();
    expect(receiver.ids).toHaveLength(2);
    expect(new Set(receiver.ids).size).toBe(1);
    const after = new Database(join(dataDir, 'helve.db'));
    expect(after.prepare('select state, attempts from notification_messages').all()).toEqual([
      { state: 'sent', attempts: 2 },
    ]);
    after.close();
  } finally {
    await receiver.close();
  }
});
