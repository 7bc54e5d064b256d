/** The actors of tasks: their machines, on the host that `helve.yaml` names. */
import { createEmbeddedActorHost, createPersistence, createRestateActorHost } from '../../actors/index.js';
import type { ConfigFile } from '../../config/index.js';
import type { CallRequest, ToolResult } from '../../domain/execution.js';
import type { Storage } from '../../domain/storage.js';
import type { Instance } from '../../flows/calling/index.js';
import { machines, persistenceWaits } from '../../tasks/index.js';

export interface ActorsFoundation {
  readonly storage: Storage;
  readonly instance: Pick<Instance, 'id' | 'isAlive'>;
  readonly tasks: ConfigFile['tasks'];
  readonly reportError: (error: unknown) => void;
}

/** Nothing runs before `start`, and hardly anything while there are no actors. */
export function wireActors({ storage, instance, tasks, reportError: report }: ActorsFoundation) {
  const persistence = createPersistence({ storage, waits: persistenceWaits });
  const common = { storage, machines, persistence, report };
  const wired =
    tasks.engine === 'restate'
      ? createRestateActorHost({ ...common, restate: tasks.restate, isAlive: instance.isAlive })
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
