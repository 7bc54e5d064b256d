/** The actors of tasks: their machines, on the host that `helve.yaml` names. */
import { join, resolve } from 'node:path';
import {
  createEmbeddedActorHost,
  createPersistence,
  createRestateActorHost,
  type OwnRestate,
  type RestateAddresses,
} from '../../actors/index.js';
import type { ConfigFile } from '../../config/index.js';
import { HelveError } from '../../domain/errors.js';
import type { CallRequest, ToolResult } from '../../domain/execution.js';
import type { Storage } from '../../domain/storage.js';
import type { Instance } from '../../flows/calling/index.js';
import { machines, persistenceWaits } from '../../tasks/index.js';

export interface ActorsFoundation {
  readonly storage: Storage;
  readonly instance: Pick<Instance, 'id' | 'isAlive'>;
  readonly tasks: ConfigFile['tasks'];
  readonly dataDir: string | undefined;
  readonly reportError: (error: unknown) => void;
}

/** Nothing runs before `start`, and hardly anything while there are no actors. */
export function wireActors({ storage, instance, tasks, dataDir, reportError: report }: ActorsFoundation) {
  const persistence = createPersistence({ storage, waits: persistenceWaits });
  const common = { storage, machines, persistence, report };
  const wired =
    tasks.engine === 'restate'
      ? createRestateActorHost({ ...common, restate: findRestate(tasks, dataDir), isAlive: instance.isAlive })
      : createEmbeddedActorHost({ ...common, instance });
  return {
    ...wired,
    /** Notes a call with the issue that its caller works on. Waits for a store that is gone. */
    async noteCall({ principal, tool }: CallRequest, { executionId }: ToolResult): Promise<void> {
      const { workspaceId, task } = principal;
      if (task === undefined) return;
      const at = (await persistence.attempt(() => storage.now())).toISOString();
      await persistence.logToolExecution({ workspaceId, kind: 'issue', id: task.issueId }, { executionId, tool, at });
    },
  };
}

function findRestate({ restate }: ConfigFile['tasks'], dataDir: string | undefined): RestateAddresses | OwnRestate {
  if (restate !== 'embedded') return restate;
  if (dataDir !== undefined) return { folder: resolve(join(dataDir, 'restate')) };
  throw new HelveError(
    'invalid_config',
    'tasks.restate: embedded keeps its data in the data folder, and there is none',
    {
      hint: 'Give Helve a data folder, or set tasks.restate.url to a Restate that runs elsewhere',
    },
  );
}
