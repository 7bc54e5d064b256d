/** A tool config that somebody else has changed meanwhile is not overwritten, over REST. */
import { afterEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { createHttpApp } from './index.js';

let helve: TestHelve;
afterEach(() => helve.close());

async function open() {
  helve = await createTestHelve({});
  const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  const { secret } = await helve.plane.createApiKey(helve.admin, { role: 'admin' });
  const { id } = await helve.plane.createIssue(helve.admin, { title: 'It breaks' });
  async function send(place: string, body?: object, version?: string) {
    const response = await app.request(`/api/tool-config/${place}`, {
      method: body === undefined ? 'GET' : 'PUT',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, etag: response.headers.get('etag'), body: (await response.json()) as any };
  }
  return { send, places: ['org/own', `repo/${encodeURIComponent('github:acme/shop')}`, 'project/p', `issue/${id}`] };
}

test('R-rest: a PUT with the version that was read replaces the config, and one with an older version changes nothing', async () => {
  const { send, places } = await open();
  for (const place of places) {
    const empty = await send(place);
    expect(empty).toMatchObject({ status: 200, etag: `"${empty.body.version}"` });
    const first = await send(place, { disabled: ['slack'] }, empty.body.version);
    expect(first).toMatchObject({ status: 200, body: { disabled: ['slack'] }, etag: `"${first.body.version}"` });
    const late = await send(place, { disabled: ['github'] }, empty.body.version);
    expect(late).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
    expect(JSON.stringify(late.body)).toContain('disabled is [\\"slack\\"]');
    const { notice, ...kept } = first.body;
    expect(notice !== undefined).toBe(place.startsWith('repo/'));
    expect((await send(place)).body).toEqual(kept);
    expect((await send(place, first.body, first.body.version)).body).toEqual(kept);
    expect((await send(place, { disabled: ['github'] })).status).toBe(200);
    expect((await send(place, {}, first.body.version)).status).toBe(412);
  }
});

test('R-rest: of ten that change a config at once with the version that they have read, one does', async () => {
  const { send, places } = await open();
  for (const place of places) {
    const { version } = (await send(place)).body;
    const apps = ['math', 'http', 'files', 'email', 'webhook', 'shell', 'ssh', 'browser', 'code', 'memory'];
    const all = apps.map((app) => send(place, { disabled: [app] }, version));
    const statuses = (await Promise.all(all)).map(({ status }) => status).sort();
    expect([place, statuses]).toEqual([place, [200, ...Array.from({ length: 9 }, () => 412)]]);
  }
});
