/** The parts for the access of native tools. */
import type { CallerFacts } from '../../domain/context.js';
import type { Decision } from '../../domain/grant.js';
import type { Models } from '../../domain/reach.js';
import type { Storage, StoredResult } from '../../domain/storage.js';
import type { Workers } from '../../domain/workers.js';
import type { EgressPolicy } from '../../walls/egress/index.js';
import type { KeptFiles } from './kept-files.js';
import type { PlaneSandbox } from './sandbox.js';
import type { WorkFolders } from './work-folders.js';

export interface NativeServiceParts {
  readonly storage: Storage;
  readonly now: () => Date;
  /** The operator's policy, which no tool may widen. */
  readonly egress: EgressPolicy;
  /** Whether the caller may now make the call that produced a stored result. */
  readonly decideKept: (caller: CallerFacts, stored: StoredResult) => Promise<Decision>;
  /** The folder of Helve's own files; undefined: in memory. */
  readonly dataDir: string | undefined;
  /** The folders of issues. */
  readonly workFolders: WorkFolders;
  /** Files that no tool reaches, even if a grant covers them. */
  readonly keptFiles: KeptFiles;
  readonly models: (signal: AbortSignal) => Models;
  /** The workers of this plane, which the plane closes. */
  readonly workers: Workers;
  /** The one sandbox of this plane, which the plane closes. */
  readonly sandbox: PlaneSandbox;
  /** Where programs are looked up, as in `PATH`. */
  readonly path: string;
}
