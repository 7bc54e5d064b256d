/** What issues need besides their machines: the work `prepare`, and news about accounts and grants. */

import type { PlaneParts } from '../../flows/parts.js';
import { createConfigurationWatch, prepareIssue } from '../../flows/tasks/index.js';
import { link, type Places } from './places.js';

export function wireTasks(parts: PlaneParts, places: Places, reportError: (error: unknown) => void) {
  const connectUrl = (app: string) => link(places, `/panel/connections/connect/${encodeURIComponent(app)}`);
  const stop = parts.actors.work('prepare', (job) => prepareIssue({ ...parts, connectUrl }, job));
  const watch = createConfigurationWatch(parts, reportError);
  return {
    start: watch.start,
    async close(): Promise<void> {
      stop();
      await watch.close();
    },
  };
}
