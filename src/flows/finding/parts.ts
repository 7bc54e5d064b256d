/** The parts of finding tools. */
import type { KeptCatalogue } from '../../catalogue/index.js';
import type { Storage } from '../../domain/storage.js';
import type { Registry } from '../../registry/index.js';
import type { FindCatalogue } from '../calling/index.js';
import type { ConfigurationCache } from '../workspaces/index.js';
import type { EmbeddingSettings } from './embeddings/settings.js';

export interface DiscoveryParts {
  readonly storage: Storage;
  readonly now: () => Date;
  readonly registry: Registry;
  /** Apps that are not connected yet. */
  readonly reader: KeptCatalogue;
  readonly configurations: ConfigurationCache;
  readonly catalogue: FindCatalogue;
  /** An agent with more tools than this sees the meta-tools, unless its tool mode is set. */
  readonly directTools: number;
  /** The folder for what a restart would have to make again; undefined: nothing is kept. */
  readonly keptIn: string | undefined;
  /** The operator's model for embeddings; undefined: searches do without. */
  readonly embeddings: EmbeddingSettings | undefined;
  readonly reportError: (error: unknown) => void;
}
