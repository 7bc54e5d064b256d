/** What native tools' reaches are made from. */
import type { CallerFacts } from '../../domain/context.js';
import type { Decision } from '../../domain/grant.js';
import type { Models } from '../../domain/reach.js';
import type { Storage, StoredResult } from '../../domain/storage.js';
import type { Workers } from '../../domain/workers.js';
import type { EgressPolicy } from '../../walls/egress/index.js';
import type { KeptFiles } from './kept-files.js';

export interface NativeServiceParts {
  readonly storage: Storage;
  readonly now: () => Date;
  /** The operator's policy: what no tool may widen. */
  readonly egress: EgressPolicy;
  /** Whether the caller may make the call now that a kept result came of. */
  readonly decideKept: (caller: CallerFacts, stored: StoredResult) => Promise<Decision>;
  /** Where Helve keeps its own files; undefined: in memory. */
  readonly dataDir: string | undefined;
  /** What no tool reaches, also where a grant covers it. */
  readonly keptFiles: KeptFiles;
  readonly models: (signal: AbortSignal) => Models;
  /** Of this plane; whoever made them closes them. */
  readonly workers: Workers;
  /** Where programs are looked for, as in `PATH`. */
  readonly path: string;
}
