/** `as=panel`: a result with the widget that shows it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plane } from '../../../domain/plane.js';
import { allPermissions } from '../../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { createHttpApp, type HttpApp } from '../index.js';

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const rows = { columns: ['id', 'name'], rows: [[1, 'Ada']] };

let helve: TestHelve;
let app: HttpApp;
let key: string;
beforeAll(async () => {
  helve = await createTestHelve({
    tools: [
      testTool({ name: 'people', annotations: readOnly, execute: async () => rows }),
      testTool({
        name: 'broken',
        annotations: readOnly,
        async execute() {
          throw new Error('it broke');
        },
      }),
    ],
  });
  key = (await helve.plane.createApiKey(helve.admin, { permissions: allPermissions })).secret;
  app = createHttpApp({ plane: helve.plane, publicUrl: 'http://127.0.0.1' });
});
afterAll(() => helve.close());

const table = { type: 'table', ...rows };
const asked = (path: string, init: RequestInit = {}) =>
  app.fetch(
    new Request(`http://127.0.0.1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
    }),
    {} as never,
  );
const call = (tool: string, query = '', headers: Record<string, string> = {}) =>
  asked(`/api/tools/execute${query}`, { method: 'POST', body: JSON.stringify({ tool }), headers });

test('R-format: a call that asks for the panel gets the widget, and one that does not gets none', async () => {
  const shown = (await (await call('people', '?as=panel')).json()) as { widget: unknown; executionId: string };
  expect(shown).toMatchObject({ ok: true, output: rows, widget: table });
  expect(await (await call('people')).json()).not.toHaveProperty('widget');
  const record = `/api/tools/executions/${shown.executionId}`;
  expect(await (await asked(`${record}?as=panel`)).json()).toMatchObject({ status: 'ok', widget: table });
  expect(await (await asked(record)).json()).not.toHaveProperty('widget');
});

test('R-format: a call that still runs has no widget yet', async () => {
  const plane: Plane = {
    ...helve.plane,
    execution: async (...given) => {
      const { outcome: _, ...running } = await helve.plane.execution(...given);
      return running;
    },
  };
  const { executionId } = await helve.call('people');
  const route = `/api/tools/executions/${executionId}?as=panel`;
  const running = createHttpApp({ plane, publicUrl: 'http://127.0.0.1' });
  const answer = await running.request(route, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  expect(await answer.json()).not.toHaveProperty('widget');
});

test('R-format: a failure and a refusal are shown as errors', async () => {
  const failed = (await (await call('broken', '?as=panel')).json()) as { widget: unknown; executionId: string };
  expect(failed).toMatchObject({ widget: { type: 'error', code: 'tool_failed' } });
  const record = await (await asked(`/api/tools/executions/${failed.executionId}?as=panel`)).json();
  expect(record).toMatchObject({ widget: { type: 'error', code: 'tool_failed' } });
  const refused = await call('nothing', '?as=panel');
  expect(refused.status).toBe(404);
  expect(await refused.json()).toMatchObject({ ok: false, widget: { type: 'error', code: 'tool_not_found' } });
  expect((await call('people', '?as=wallpaper')).status).toBe(400);
});

test('R-stream: a call that is followed ends with the widget', async () => {
  const stream = await call('people', '?as=panel', { accept: 'text/event-stream' });
  const events = (await stream.text()).split('\n').filter((line) => line.startsWith('data: '));
  expect(JSON.parse(events.at(-1)?.slice(6) ?? '')).toMatchObject({ type: 'finished', result: { widget: table } });
});
