/** The record: search, verify, export. */
import { z } from 'zod';
import { auditEvent, auditQuery, chainReport, verifyQuery } from '../../../api/index.js';
import { jsonLines } from '../event-stream.js';
import { defineRoute } from '../route.js';

export const searchAudit = defineRoute({
  method: 'GET',
  path: '/api/audit',
  summary: 'Search the record, newest first',
  acts: ['audit'],
  query: auditQuery,
  reply: z.object({ events: z.array(auditEvent) }),
  async handle({ plane, principal, query }) {
    return { events: await plane.audit(principal, query) };
  },
});

export const verifyAudit = defineRoute({
  method: 'GET',
  path: '/api/audit/verify',
  summary: 'Check the chain of the record and name the first broken row',
  acts: ['verifyAudit'],
  query: verifyQuery,
  reply: chainReport,
  async handle({ plane, principal, query }) {
    return plane.verifyAudit(principal, query.after);
  },
});

export const exportAudit = defineRoute({
  method: 'GET',
  path: '/api/audit/export',
  summary:
    'The whole record, oldest first, one JSON document per line; a last line with `error` means it is incomplete',
  acts: ['exportAudit'],
  stream: { mediaType: 'application/x-ndjson', item: auditEvent },
  async handle({ plane, principal }) {
    return jsonLines(plane.exportAudit(principal));
  },
});
