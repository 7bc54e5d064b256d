/** The record: search, verify, export. */
import { z } from 'zod';
import {
  auditEvent,
  auditQuery,
  chainProgress,
  chainReport,
  followCheckQuery,
  partialChain,
  partialExport,
  recordFilter,
  verifyQuery,
} from '../../../api/index.js';
import type { AuditEvent, RecordFilter } from '../../../domain/audit.js';
import type { ChainProgress } from '../../../domain/chain.js';
import { defined } from '../../../util/defined.js';
import { jsonLines, sequenceStream } from '../event-stream.js';
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

const kind = { name: 'check', getId: ({ checkpoint = '' }: ChainProgress) => checkpoint };

export const followAuditCheck = defineRoute({
  method: 'GET',
  path: '/api/audit/verify/stream',
  summary:
    'Check the chain of the record and say how far it is; closing the request stops it; a checkpoint or Last-Event-ID continues it',
  acts: ['followAuditCheck'],
  query: followCheckQuery,
  stream: { mediaType: 'text/event-stream', item: chainProgress },
  async handle({ plane, principal, query, request }) {
    const checkpoint = request.headers.get('last-event-id') || query.checkpoint;
    return sequenceStream(request, kind, (signal) => plane.followAuditCheck(principal, checkpoint, signal));
  },
});

export const exportAudit = defineRoute({
  method: 'GET',
  path: '/api/audit/export',
  summary:
    'The whole record, oldest first, one JSON document per line; or with a filter the rows that match, newest first, after a line that says so. A last line with `error` means it is incomplete',
  acts: ['exportAudit'],
  query: recordFilter,
  stream: { mediaType: 'application/x-ndjson', item: z.union([auditEvent, partialExport]) },
  async handle({ plane, principal, query }) {
    const filter = defined(query);
    const rows = plane.exportAudit(principal, filter);
    return jsonLines(Object.keys(filter).length === 0 ? rows : markPartial(filter, rows));
  },
});

async function* markPartial(filter: RecordFilter, rows: AsyncIterable<AuditEvent>) {
  yield { partial: { filter: { ...filter }, order: 'newest first', chain: partialChain } } satisfies z.input<
    typeof partialExport
  >;
  yield* rows;
}
