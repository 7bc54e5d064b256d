/** What issues need besides their machines: the work of an issue, and news about accounts and grants. */

import type { CallRequest } from '../../domain/execution.js';
import type { PlaneParts } from '../../flows/parts.js';
import { createConfigurationWatch, executeIssue, prepareIssue, verifyIssue } from '../../flows/tasks/index.js';
import { executeLive } from '../acts/calls.js';
import { link, type Places } from './places.js';

export function wireTasks(parts: PlaneParts, places: Places, reportError: (error: unknown) => void) {
  const connectUrl = (app: string) => link(places, `/panel/connections/connect/${encodeURIComponent(app)}`);
  const hasModel = parts.agentModel !== undefined;
  const call = (request: CallRequest) => executeLive(parts, request);
  const ends = [
    parts.actors.work('prepare', (job) => prepareIssue({ ...parts, connectUrl, hasModel }, job)),
    parts.actors.work('execute', (job) => executeIssue(parts, job)),
    parts.actors.work('verify', (job) => verifyIssue({ ...parts, call }, job)),
  ];
  const watch = createConfigurationWatch(parts, reportError);
  return {
    start: watch.start,
    async close(): Promise<void> {
      for (const end of ends) end();
      await watch.close();
    },
  };
}
