/** Synchronising the catalogue, for the surfaces. */

import type { SyncJob } from '../../domain/catalogue.js';
import type { MarketplaceActs, SyncReport } from '../../domain/marketplace.js';
import { draft } from '../workspaces/index.js';
import type { MarketplaceParts } from './parts.js';

const defaultHistory = 50;
const maxHistory = 500;
/** The default of the reference: asking app by app takes long. */
const defaultBackfill = 30;

export function createSyncing(
  parts: MarketplaceParts,
): Pick<MarketplaceActs, 'synchronise' | 'syncJobs' | 'followSync' | 'cancelSync'> {
  const { synchroniser, storage, now, journal } = parts;

  return {
    async synchronise(principal, { kind, source = 'composio', limit }) {
      const most = kind === 'parameters' ? { limit: limit ?? defaultBackfill } : {};
      const begun = await synchroniser.start({ kind, source, ...most });
      if (begun.created) {
        const row = draft('sync.started', principal, now(), { jobId: begun.job.id, kind, source });
        await journal.append({ workspaceId: principal.workspaceId, events: [row] });
      }
      return { job: report(begun.job), created: begun.created };
    },
    async syncJobs(_principal, { limit = defaultHistory }) {
      return (await storage.catalogue.jobs.list({ limit: Math.min(limit, maxHistory) })).map(report);
    },
    async *followSync(_principal, jobId, signal) {
      for await (const job of synchroniser.follow(jobId, signal)) yield report(job);
    },
    async cancelSync(principal, jobId) {
      const job = await synchroniser.cancel(jobId);
      const row = draft('sync.cancelled', principal, now(), { jobId, kind: job.kind, source: job.source });
      await journal.append({ workspaceId: principal.workspaceId, events: [row] });
      return report(job);
    },
  };
}

/** Omits the job's internal fields. */
export function report({ cursor: _cursor, holder: _holder, ...job }: SyncJob): SyncReport {
  return job;
}
