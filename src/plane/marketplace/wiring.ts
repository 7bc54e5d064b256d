/** The marketplace of this installation: what is kept of the catalogue, whoever keeps it up to date, and who tells of events. */
import { createReader, createSynchroniser } from '../../catalogue/index.js';
import type { ConfigFile } from '../../config/index.js';
import type { CatalogueSource, CatalogueSourceName, SourceState } from '../../spec/catalogue.js';
import type { EgressLimits } from '../../spec/tool.js';
import type { Egress } from '../../walls/egress/index.js';
import { connectComposio } from '../composio.js';
import type { Instance } from '../instance.js';
import type { PlaneParts } from '../parts.js';
import type { EventSender, MarketplaceParts } from './parts.js';

interface Wiring {
  readonly config: ConfigFile;
  readonly parts: PlaneParts;
  readonly egress: (limits: EgressLimits) => Promise<Egress>;
  readonly instance: Instance;
  readonly reportError: (error: unknown) => void;
}

export interface WiredMarketplace {
  readonly parts: MarketplaceParts;
  /** Goes on with what a dead process left, and looks after the catalogue from now on. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const pollMs = 10_000;
const hourMs = 60 * 60_000;
const defaultHours = 24;

export async function wireMarketplace(wiring: Wiring): Promise<WiredMarketplace> {
  const { config, parts, egress, instance, reportError } = wiring;
  const { storage, now, configurations, registry } = parts;
  const reader = createReader(storage.catalogue);
  const sources = new Map<CatalogueSourceName, CatalogueSource>();
  const senders = new Map<CatalogueSourceName, EventSender>();
  const composio = await connectComposio(config.composio, { egress, now, storage, configurations, reader });
  if (composio) {
    registry.register(composio.provider);
    sources.set('composio', composio.source);
    senders.set('composio', composio.sender);
  }
  const synchroniser = createSynchroniser({
    ...{ storage: storage.catalogue, sources, instanceId: instance.id, isAlive: instance.isAlive, now, reportError },
    // What was published is read again at once, here; other processes find out at their next look.
    onStep: () => void reader.refresh().catch(reportError),
  });

  async function lookAfter(): Promise<void> {
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
    parts: { ...parts, reader, synchroniser, senders },
    async start() {
      await lookAfter();
      // A look that fails is made up for by the next.
      timer = setInterval(() => void lookAfter().catch(() => undefined), pollMs).unref();
    },
    async close() {
      clearInterval(timer);
      await synchroniser.close();
    },
  };
}

/** The first synchronisation is the operator's to ask for; from then on what has changed is fetched by itself. */
function dueEvery({ composio }: ConfigFile): number | undefined {
  const hours = composio.sync_every_hours === undefined ? defaultHours : composio.sync_every_hours;
  return hours === null ? undefined : hours * hourMs;
}
