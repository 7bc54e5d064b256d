/** What native tools' reaches are made from. */
import type { WorkspaceConfiguration } from '../spec/grant.js';
import type { Models } from '../spec/reach.js';
import type { Storage } from '../spec/storage.js';
import type { EgressPolicy } from '../walls/egress/index.js';

export interface NativeServiceParts {
  readonly storage: Storage;
  readonly now: () => Date;
  /** The operator's policy: what no tool may widen. */
  readonly egress: EgressPolicy;
  readonly configuration: (workspaceId: string) => Promise<WorkspaceConfiguration>;
  /** Where Helve keeps its own files; undefined: in memory. */
  readonly dataDir: string | undefined;
  readonly models: (signal: AbortSignal) => Models;
  /** Where programs are looked for, as in `PATH`. */
  readonly path: string;
}
