/** Synchronising the catalogue: start, follow, stop. */
import { z } from 'zod';
import { backfillBody, jobParams, syncBody, syncHistoryQuery, syncReport } from '../../../api/index.js';
import type { SyncReport } from '../../../domain/marketplace.js';
import type { Plane } from '../../../domain/plane.js';
import type { Principal } from '../../../domain/principal.js';
import { defined } from '../../../util/defined.js';
import { type EventKind, followStream } from '../event-stream.js';
import { defineRoute } from '../route.js';

const syncEvents: EventKind<SyncReport> = { name: 'sync', isPassing: ({ status }) => status === 'running' };
const stream = { mediaType: 'text/event-stream', item: syncReport } as const;

export const synchronise = defineRoute({
  method: 'POST',
  path: '/api/tools/sync',
  summary: 'Synchronise the catalogue: everything, or only changes. Returns the job, or its progress as events',
  acts: ['synchronise', 'followSync'],
  body: syncBody,
  reply: syncReport,
  status: 202,
  stream,
  async handle({ plane, principal, body: { kind = 'full', source }, request }) {
    const { job } = await plane.synchronise(principal, { kind, ...defined({ source }) });
    return jobOrEvents(plane, principal, job, request);
  },
});

export const backfill = defineRoute({
  method: 'POST',
  path: '/api/tools/backfill-params',
  summary: 'Load missing parameters, app by app',
  acts: ['synchronise', 'followSync'],
  body: backfillBody,
  reply: syncReport,
  status: 202,
  stream,
  async handle({ plane, principal, body: { source, limit }, request }) {
    const { job } = await plane.synchronise(principal, {
      kind: 'parameters',
      ...defined({ source, limit }),
    });
    return jobOrEvents(plane, principal, job, request);
  },
});

export const syncHistory = defineRoute({
  method: 'GET',
  path: '/api/tools/sync-history',
  summary: 'Synchronisations, newest first',
  acts: ['syncJobs'],
  query: syncHistoryQuery,
  reply: z.object({ jobs: z.array(syncReport) }),
  async handle({ plane, principal, query: { limit } }) {
    return { jobs: await plane.syncJobs(principal, limit === undefined ? {} : { limit }) };
  },
});

export const followSync = defineRoute({
  method: 'GET',
  path: '/api/tools/sync/:job/events',
  summary: 'Follow a synchronisation to its end',
  acts: ['followSync'],
  params: jobParams,
  stream,
  handle: ({ plane, principal, params, request }) => follow(plane, principal, params.job, request),
});

export const cancelSync = defineRoute({
  method: 'POST',
  path: '/api/tools/sync/:job/cancel',
  summary: 'Stop a synchronisation; its changes so far stay',
  acts: ['cancelSync'],
  params: jobParams,
  reply: syncReport,
  handle: ({ plane, principal, params }) => plane.cancelSync(principal, params.job),
});

/** Clients that accept events receive every step; others receive the job, which continues by itself. */
async function jobOrEvents(plane: Pick<Plane, 'followSync'>, principal: Principal, job: SyncReport, request: Request) {
  const wantsEvents = request.headers.get('accept')?.includes('text/event-stream') ?? false;
  return wantsEvents ? follow(plane, principal, job.id, request) : job;
}

function follow(plane: Pick<Plane, 'followSync'>, principal: Principal, jobId: string, request: Request) {
  return followStream(request, syncEvents, { follow: (signal) => plane.followSync(principal, jobId, signal) });
}
