/** What the acts of the marketplace are made from. */
import type { Synchroniser } from '../../catalogue/index.js';
import type { CatalogueSourceName, TriggerEvent } from '../../domain/catalogue.js';
import type { JsonObject } from '../../domain/json.js';
import type { PlaneParts } from '../parts.js';

export interface MarketplaceParts extends PlaneParts {
  readonly synchroniser: Synchroniser;
  /** By source: whoever sends events. */
  readonly senders: ReadonlyMap<CatalogueSourceName, EventSender>;
}

/** A source that tells of what happens in its apps. Throws `HelveError`. */
export interface EventSender {
  subscribe(request: {
    readonly trigger: string;
    /** The connection's settings: its reference at the source. */
    readonly reference: JsonObject;
    readonly config: JsonObject;
  }): Promise<{ readonly id: string }>;
  /** One that is gone already is fine. */
  unsubscribe(id: string): Promise<void>;
  /** Throws `unauthenticated` for what the source has not signed, or has not signed just now; `invalid_input` for what it signed and is no event of a trigger. */
  read(body: string, headers: Headers): Promise<TriggerEvent>;
}
