/** The end of a synchronisation is in the record of every workspace, once, and so on its event stream. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestHelve } from '../../src/testing/index.js';
import { type Composio, startComposio } from '../counterparts/composio/index.js';
import { helveWith, madeData } from './support.js';

let composio: Composio;
let helve: TestHelve;
let other: string;

beforeAll(async () => {
  composio = await startComposio(madeData(5));
  helve = await helveWith(composio);
  other = (await helve.ensureWorkspace('other')).workspaceId;
});
afterAll(async () => {
  await helve.close();
  await composio.close();
});

const rowsOf = async (workspaceId: string, jobId: string) =>
  (await helve.storage.workspace(workspaceId).audit.search({ types: ['sync.finished'], text: jobId })).map(
    ({ actor, body }) => ({ actor: actor.kind, status: body.status, source: body.source }),
  );

/** The event of the end, as the stream tells it. */
async function waitForEnd(jobId: string): Promise<string | undefined> {
  const stop = new AbortController();
  try {
    for await (const event of helve.plane.events(helve.admin, { after: 0, live: true }, stop.signal))
      if (event.type === 'sync.finished' && event.jobId === jobId) return event.status;
    return undefined;
  } finally {
    stop.abort();
  }
}

test('R-sync R-audit: one that is done tells every workspace, on the stream too', async () => {
  const { job } = await helve.plane.synchronise(helve.admin, { kind: 'full' });
  expect(await waitForEnd(job.id)).toBe('done');
  for (const workspaceId of [helve.workspaceId, other])
    expect(await rowsOf(workspaceId, job.id)).toMatchObject([{ status: 'done', source: 'composio' }]);
});

test('R-sync R-audit: so does one that failed, and one that somebody stopped', async () => {
  composio.faults.push({ when: () => true, times: Number.POSITIVE_INFINITY, delayMs: 50 });
  const { job } = await helve.plane.synchronise(helve.admin, { kind: 'full' });
  await helve.plane.cancelSync(helve.admin, job.id);
  expect(await waitForEnd(job.id)).toBe('cancelled');
  expect(await rowsOf(other, job.id)).toMatchObject([{ status: 'cancelled' }]);

  composio.faults.length = 0;
  composio.faults.push({ when: () => true, times: Number.POSITIVE_INFINITY, status: 401 });
  const failing = (await helve.plane.synchronise(helve.admin, { kind: 'full' })).job;
  expect(await waitForEnd(failing.id)).toBe('failed');
  expect(await rowsOf(other, failing.id)).toMatchObject([{ status: 'failed' }]);
});
