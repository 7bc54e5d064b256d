/** What the page asks again when something happens in the workspace. */

/** By the first part of the type of an event: the beginnings of the query keys of the requests whose answers it changes. */
const concerned: Readonly<Record<string, readonly string[]>> = {
  execution: [
    'GET /api/executions',
    'GET /api/tools/executions',
    'GET /api/connections/:connection/usage',
    'GET /api/metrics/calls',
    // An approval names the call that used it.
    'GET /api/approvals/:id',
    'GET /api/audit',
  ],
  approval: ['GET /api/approvals', 'GET /api/executions', 'GET /api/tools/executions'],
  run: ['GET /api/runs', 'runs'],
  issue: ['GET /api/issues', 'GET /api/actors', 'GET /api/tool-config/:level/:id'],
  tool_config: ['GET /api/issues', 'GET /api/tool-config/:level/:id'],
  task_place: ['GET /api/issues', 'GET /api/tool-config/:level/:id', 'GET /api/projects', 'GET /api/repos'],
  card: ['GET /api/issues', 'GET /api/projects'],
  merge: ['GET /api/issues', 'GET /api/actors'],
  billing_period: ['GET /api/actors'],
  recipe: ['GET /api/issues'],
  task_source: ['GET /api/issues'],
  connection: [
    'GET /api/tools/connected',
    'GET /api/connections',
    'GET /api/agents',
    'GET /api/tool-config/:level/:id',
    'POST /api/explain',
    'apps',
  ],
  auth_config: ['GET /api/tools/:toolkit/schemes'],
  grants: ['GET /api/agents', 'GET /api/connections', 'GET /api/tool-config/:level/:id', 'POST /api/explain'],
  policies: ['GET /api/policies', 'GET /api/agents', 'POST /api/explain'],
  toolkit: ['GET /api/tools', 'GET /api/agents', 'POST /api/explain', 'apps'],
  definition: ['GET /api/definitions', 'GET /api/agents', 'POST /api/explain'],
  agent: ['GET /api/agents', 'POST /api/explain'],
  user: ['GET /api/users', 'POST /api/explain', 'session'],
  workspace: ['GET /api/workspaces'],
  credential: ['GET /api/credentials', 'GET /api/sessions'],
  authorization: ['GET /api/credentials', 'GET /api/sessions'],
  sync: ['GET /api/tools/debug/cache-status', 'GET /api/tools/sync-history', 'GET /api/tools/stats', 'apps'],
  notification: ['GET /api/notification-messages'],
  notification_channel: ['GET /api/notification-channels', 'GET /api/notifications'],
  notification_choice: ['GET /api/notifications'],
  record: ['GET /api/store-sizes'],
  store: ['GET /api/store-sizes'],
  vault: ['GET /api/doctor'],
};

/** The beginnings of the query keys that an event of this type (`execution.started`) concerns; none if no page shows its effect. */
export function findConcerned(type: string): readonly string[] {
  const [first = ''] = type.split('.');
  return Object.hasOwn(concerned, first) ? (concerned[first] ?? []) : [];
}
