/** The record: search, verify, export. */
import { z } from 'zod';
import { auditEvent, auditQuery, chainReport, verifyQuery } from '../../../api/index.js';
import { jsonLines } from '../event-stream.js';
import { defineRoute } from '../route.js';

const onlyReads = { none: 'reads the record itself' };

export const searchAudit = defineRoute({
  method: 'GET',
  path: '/api/audit',
  summary: 'Search the record, newest first',
  permission: 'audit:read',
  audit: onlyReads,
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
  permission: 'audit:read',
  audit: onlyReads,
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
  permission: 'audit:read',
  audit: onlyReads,
  stream: { mediaType: 'application/x-ndjson', item: auditEvent },
  async handle({ plane, principal }) {
    return jsonLines(plane.exportAudit(principal));
  },
});
