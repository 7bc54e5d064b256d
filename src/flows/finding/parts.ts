/** What finding tools is made from. */
import type { KeptCatalogue } from '../../catalogue/index.js';
import type { Storage } from '../../domain/storage.js';
import type { Registry } from '../../registry/index.js';
import type { FindCatalogue } from '../calling/index.js';
import type { ConfigurationCache } from '../workspaces/index.js';

export interface DiscoveryParts {
  readonly storage: Storage;
  readonly now: () => Date;
  readonly registry: Registry;
  /** Of apps that nobody has connected yet. */
  readonly reader: KeptCatalogue;
  readonly configurations: ConfigurationCache;
  readonly catalogue: FindCatalogue;
  /** An agent with more tools than this is shown the meta-tools, unless it is set otherwise. */
  readonly directTools: number;
  readonly reportError: (error: unknown) => void;
}
