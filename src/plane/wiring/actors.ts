/** The actors of tasks: their machines on the embedded host. */
import { createEmbeddedActorHost, createPersistence } from '../../actors/index.js';
import type { Storage } from '../../domain/storage.js';
import type { Instance } from '../../flows/calling/index.js';
import { machines, persistenceWaits } from '../../tasks/index.js';

export interface ActorsFoundation {
  readonly storage: Storage;
  readonly instance: Pick<Instance, 'id' | 'isAlive'>;
  readonly reportError: (error: unknown) => void;
}

/** Nothing runs before `start`, and hardly anything while there are no actors. */
export function wireActors({ storage, instance, reportError }: ActorsFoundation) {
  const persistence = createPersistence({ storage, waits: persistenceWaits });
  const embedded = createEmbeddedActorHost({ storage, machines, persistence, instance, report: reportError });
  return { ...embedded, persistence };
}
