/** The stream of events over HTTP: two processes on one store, a client that comes back, and a credential that ends. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allPermissions } from '../../src/domain/principal.js';
import { createHelve, type Helve } from '../../src/helve.js';
import { createHttpApp, type Listening, listen } from '../../src/surfaces/http/index.js';
import { createTestHelve, type TestHelve, testTool } from '../../src/testing/index.js';
import { stores, useStore } from '../counterparts/stores.js';

interface Sent {
  readonly id: string;
  readonly name: string;
  readonly data: { readonly type: string; readonly seq: number; readonly executionId?: string };
}

/** Reads the stream until `isLast` holds, and then hangs up. */
async function readUntil(response: Response, isLast: (event: Sent) => boolean): Promise<Sent[]> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const events: Sent[] = [];
  for (let text = ''; ; ) {
    const { value, done } = await reader.read();
    if (done) return events;
    text += decoder.decode(value, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [block, rest] = [text.slice(0, end), text.slice(end + 2)];
      text = rest;
      if (block.startsWith(':')) continue;
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      const event = { id: field('id'), name: field('event'), data: JSON.parse(field('data')) };
      events.push(event);
      if (isLast(event)) {
        await reader.cancel();
        return events;
      }
    }
  }
}

describe.each(stores)('on %s', (kind) => {
  const store = useStore(kind);
  let helve: TestHelve;
  let other: Helve;
  let server: Listening;
  let folder: string;
  let token: string;
  let keyId: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'helve-events-'));
    const where = { database: join(folder, 'helve.db'), ...(await store()) };
    const options = { tools: [testTool({ name: 'echo' })], nativeToolkits: [] };
    helve = await createTestHelve({ ...options, ...where });
    other = await createHelve({ ...options, ...where });
    const issued = await helve.plane.createApiKey(helve.admin, { permissions: allPermissions });
    token = issued.secret;
    keyId = issued.credential.id;
    const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
    server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0, graceMs: 0 });
  });
  afterEach(async () => {
    await server.close();
    await Promise.all([helve.close(), other.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const connect = (headers: Record<string, string> = {}, query = '') =>
    fetch(`${server.url}/api/events${query}`, { headers: { authorization: `Bearer ${token}`, ...headers } });
  /** A call that another process makes. */
  const callElsewhere = async () =>
    (await other.execute({ principal: { agent: 'tester', workspace: 'default' }, tool: 'echo', input: {} }))
      .executionId;

  test('R-stream: what another process records arrives, and a client that was cut off goes on without loss', async () => {
    const response = await connect();
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const first = await callElsewhere();
    const isEnd = (id: string) => (event: Sent) =>
      event.data.type === 'execution.finished' && event.data.executionId === id;
    const before = await readUntil(response, isEnd(first));
    expect(before.every(({ id, name, data }) => name === 'record' && id === String(data.seq))).toBe(true);

    // While nobody listens.
    const missed = [await callElsewhere(), await callElsewhere()];
    const again = await connect({ 'last-event-id': before.at(-1)?.id ?? '' });
    const last = await callElsewhere();
    const after = await readUntil(again, isEnd(last));
    const rows = after.filter(({ data }) => data.type !== 'position');
    const start = (before.at(-1)?.data.seq ?? 0) + 1;
    expect(rows.map(({ data }) => data.seq)).toEqual(rows.map((_, index) => start + index));
    for (const id of [...missed, last]) expect(rows.filter(({ data }) => data.executionId === id)).toHaveLength(2);
  });

  test('R-stream: without live it ends at the present end; an id of another stream is refused', async () => {
    const text = await (await connect({}, '?after=0&live=false')).text();
    expect(text).toContain('"type":"workspace.created"');
    expect(text).toContain('"type":"position"');
    expect((await connect({ 'last-event-id': 'abc' })).status).toBe(400);
    expect((await connect({ authorization: 'Bearer nothing' })).status).toBe(401);
  });

  test('R-people: a key that another process revokes receives nothing that is recorded afterwards', async () => {
    const response = await connect({}, '?after=0');
    await other.plane.revokeCredential(helve.admin, keyId);
    await callElsewhere();
    const events = await readUntil(response, () => false);
    expect(events.at(-1)).toMatchObject({ name: 'error', data: { code: 'unauthenticated' } });
    expect(events.map(({ data }) => data.type)).not.toContain('execution.started');
  });
});
