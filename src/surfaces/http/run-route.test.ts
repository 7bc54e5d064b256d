/** What a route declares is checked before it runs, whatever the plane behind it would decide. */
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { HelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import type { Identify } from './authenticate.js';
import type { Route } from './route.js';
import { runRoute } from './run-route.js';

const who = { kind: 'api_key', id: 'k1', name: 'panel', workspaceId: 'w1', permissions: ['tools:read'] } as Principal;
const user: Principal = { ...who, kind: 'user', id: 'u1', name: 'Ada' };
const signedIn: Route['acts'] = ['signOut'];
const open: Route['acts'] = { none: 'says nothing' };

/** One request to a route that runs these acts; `handled` counts how often it ran. */
async function run(declared: Partial<Route>, principal: Principal | undefined, request: Request = ask('/x')) {
  let handled = 0;
  const identity = {
    publicUrl: 'http://localhost',
    isSameOrigin: () => true,
    plane: {
      async authenticate() {
        return principal;
      },
    },
  } as unknown as Identify;
  const route = {
    method: 'GET',
    path: '/x',
    summary: '',
    reply: z.object({}),
    acts: open,
    async handle() {
      handled += 1;
      return { version: 7 };
    },
    ...declared,
  } as unknown as Route;
  const app = new Hono().all('/:id', (context) => runRoute(route, context as never, identity));
  let error: HelveError | undefined;
  app.onError((thrown) => {
    error = thrown as HelveError;
    return new Response();
  });
  const response = await app.request(request);
  return { handled, code: error?.code, details: error?.details, response };
}

const ask = (path: string, init: RequestInit = {}, authorization: string | undefined = 'Bearer x') =>
  new Request(`http://localhost${path}`, { headers: authorization === undefined ? {} : { authorization }, ...init });

describe('who may', () => {
  test.each<[string, Route['acts'], Principal, string | undefined]>([
    ['the permission', ['tools'], who, undefined],
    ['another permission', ['execute'], who, 'forbidden'],
    ['one of two permissions', ['rotateVault'], { ...who, permissions: ['keys:write'] }, 'forbidden'],
    ['the permission of the main act', ['tools', 'actAs'], who, undefined],
    ['a session', signedIn, user, undefined],
    ['no session but a key', signedIn, who, 'forbidden'],
    ['no session but an agent’s token', signedIn, { ...who, kind: 'agent' }, 'forbidden'],
  ])('R-rest: %s', async (_, acts, principal, code) => {
    expect(await run({ acts }, principal)).toMatchObject({ handled: code === undefined ? 1 : 0, code });
  });

  test('R-rest: a request without a credential runs open routes and no others', async () => {
    const nameless = () => new Request('http://localhost/x');
    expect(await run({}, undefined, nameless())).toMatchObject({ handled: 1 });
    expect(await run({ acts: ['healthy'] }, undefined, nameless())).toMatchObject({ handled: 1 });
    for (const acts of [['tools'], signedIn] satisfies Route['acts'][])
      expect(await run({ acts }, who, nameless())).toMatchObject({ handled: 0, code: 'unauthenticated' });
  });
});

describe('what is handed on', () => {
  const id = z.strictObject({ id: z.string().max(3) });
  const post = (body: string) =>
    ask('/x', { method: 'POST', body, headers: { authorization: 'Bearer x', 'content-type': 'application/json' } });

  test.each<[string, Partial<Route>, Request, string | undefined]>([
    ['a path that matches', { params: id }, ask('/abc'), undefined],
    ['a path that does not', { params: id }, ask('/abcd'), 'path'],
    ['a query that matches', { query: id }, ask('/x?id=a'), undefined],
    ['a query that does not', { query: id }, ask('/x?more=a'), 'query'],
    ['a parameter twice', { query: id }, ask('/x?id=a&id=b'), 'query'],
    ['a body that matches', { body: id }, post('{"id":"a"}'), undefined],
    ['a body that does not', { body: id }, post('{"id":7}'), 'body'],
  ])('R-rest: %s', async (_, declared, request, place) => {
    const { handled, code, details } = await run(declared as Partial<Route>, who, request);
    expect([handled, code, details?.in]).toEqual(
      place === undefined ? [1, undefined, undefined] : [0, 'invalid_input', place],
    );
  });
});

describe('what comes back', () => {
  test('R-rest: JSON with the version as its ETag if the route has one, and an empty body without a reply', async () => {
    const plain = (await run({}, who)).response;
    expect([plain.status, plain.headers.get('etag'), await plain.json()]).toEqual([200, null, { version: 7 }]);
    expect((await run({ versioned: true } as Partial<Route>, who)).response.headers.get('etag')).toBe('"7"');
    const empty = (await run({ reply: undefined } as unknown as Partial<Route>, who)).response;
    expect([empty.status, await empty.text()]).toEqual([204, '']);
  });

  test('R-rest: a stream as it is; for HEAD it is let go', async () => {
    for (const method of ['GET', 'HEAD']) {
      let stopped = false;
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('row')),
        cancel() {
          stopped = true;
        },
      });
      const handle = async () => new Response(body, { status: 202 });
      const { response } = await run({ handle } as unknown as Partial<Route>, who, ask('/x', { method }));
      expect([response.status, stopped]).toEqual([202, method === 'HEAD']);
      if (method === 'GET') await response.body?.cancel();
    }
  });
});
