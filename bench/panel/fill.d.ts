import type { Storage } from '../../src/domain/storage.js';

/** Adds as many calls to the record of the workspace as the pipeline would have recorded them. */
export function fillRecord(filling: {
  readonly storage: Pick<Storage, 'commit'>;
  readonly workspaceId: string;
  readonly calls: number;
}): Promise<void>;
