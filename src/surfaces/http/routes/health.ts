/** Health of the plane, for monitoring. */
import { z } from 'zod';
import { health, machineCheck, readiness } from '../../../api/index.js';
import { defineRoute } from '../route.js';

export const getHealth = defineRoute({
  method: 'GET',
  path: '/health',
  summary: 'Whether the store responds and can be written: 200, or 503',
  acts: ['healthy'],
  reply: health,
  async handle({ plane }) {
    const healthy = await plane.healthy().catch(() => false);
    return Response.json({ status: healthy ? 'ok' : 'unavailable' }, { status: healthy ? 200 : 503 });
  },
});

export const getReadiness = defineRoute({
  method: 'GET',
  path: '/ready',
  summary: 'Whether this process takes requests: 200, or 503 with the reason',
  acts: ['ready'],
  reply: readiness,
  async handle({ plane }) {
    const answer = await plane.ready();
    if (answer.ready) return { status: 'ready' as const };
    return Response.json({ status: 'not_ready', reason: answer.reason }, { status: 503 });
  },
});

export const getMetrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  summary: 'What this process has counted, in the text format of Prometheus',
  acts: ['metrics'],
  stream: { mediaType: 'text/plain', item: z.string() },
  async handle({ plane, principal }) {
    const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
    return new Response(await plane.metrics(principal), { headers });
  },
});

export const getMachine = defineRoute({
  method: 'GET',
  path: '/api/machine',
  summary: 'What this machine can enforce, and which tools are therefore off',
  acts: ['machineChecks'],
  reply: z.object({ checks: z.array(machineCheck) }),
  async handle({ plane, principal }) {
    return { checks: [...(await plane.machineChecks(principal))] };
  },
});
