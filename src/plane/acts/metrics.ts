/**
 * The metrics of this process. They combine all workspaces, so only people who manage the installation may read them.
 */
import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import { firstWorkspace } from '../../domain/workspaces.js';
import type { PlaneParts } from '../../flows/parts.js';
import type { Prometheus } from '../../telemetry/index.js';

export function createMetrics(
  { storage }: Pick<PlaneParts, 'storage'>,
  prometheus: Prometheus,
): Pick<Plane, 'metrics'> {
  return {
    async metrics({ workspaceId }) {
      const workspace = await storage.system.findWorkspace(workspaceId);
      if (workspace?.id === workspaceId && workspace.slug === firstWorkspace) return prometheus.read();
      throw new HelveError('forbidden', 'Metrics cover all workspaces of the installation', {
        hint: `Use an API key of the workspace ${firstWorkspace} with the permission audit:read.`,
      });
    },
  };
}
