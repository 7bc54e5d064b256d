/** The parts of the marketplace's operations. */
import type { Synchroniser } from '../../catalogue/index.js';
import type { CatalogueSourceName, TriggerEvent } from '../../domain/catalogue.js';
import type { JsonObject } from '../../domain/json.js';
import type { PlaneParts } from '../parts.js';

export interface MarketplaceParts extends PlaneParts {
  readonly synchroniser: Synchroniser;
  /** By source: the senders of events. */
  readonly senders: ReadonlyMap<CatalogueSourceName, EventSender>;
}

/** A source that sends events of its apps. Throws `HelveError`. */
export interface EventSender {
  subscribe(request: {
    readonly trigger: string;
    /** The connection's settings: its reference at the source. */
    readonly reference: JsonObject;
    readonly config: JsonObject;
  }): Promise<{ readonly id: string }>;
  /** A subscription that no longer exists is not an error. */
  unsubscribe(id: string): Promise<void>;
  /**
   * Throws `unauthenticated` if the source did not sign the message, or not recently; `invalid_input` if it was signed
   * but is not a trigger event.
   */
  read(body: Uint8Array, headers: Headers): Promise<TriggerEvent>;
}
