/** What issues need besides their machines: the work of an issue, and news about accounts and grants. */

import type { AgentModel } from '../../domain/agent-model.js';
import type { PlaneParts } from '../../flows/parts.js';
import { createConfigurationWatch, executeIssue, prepareIssue } from '../../flows/tasks/index.js';
import { link, type Places } from './places.js';

interface TasksFoundation {
  readonly parts: PlaneParts;
  readonly places: Places;
  readonly model: AgentModel | undefined;
  readonly reportError: (error: unknown) => void;
}

export function wireTasks({ parts, places, model, reportError }: TasksFoundation) {
  const connectUrl = (app: string) => link(places, `/panel/connections/connect/${encodeURIComponent(app)}`);
  const hasModel = model !== undefined;
  const stops = [
    parts.actors.work('prepare', (job) => prepareIssue({ ...parts, connectUrl, hasModel }, job)),
    parts.actors.work('execute', (job) => executeIssue(parts, job)),
  ];
  const watch = createConfigurationWatch(parts, reportError);
  return {
    start: watch.start,
    async close(): Promise<void> {
      for (const stop of stops) stop();
      await watch.close();
    },
  };
}
