/** The places of the panel and the parameters of each. A page is loaded when it is first opened. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { filterNames } from './pages/call-filter.js';
import { Overview } from './pages/overview.js';
import { Broken, NotFound } from './shell/not-found.js';
import { Shell } from './shell/shell.js';

type Given = Record<string, unknown>;
type Texts<Names extends string> = { [Name in Names]?: string | undefined };

/** Reads these parameters of the address; others are ignored. */
function readTexts<const Names extends string>(...names: Names[]): (given: Given) => Texts<Names> {
  return (given) => {
    const entries = names.flatMap((name) => {
      const value = given[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    });
    return Object.fromEntries(entries) as Texts<Names>;
  };
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const getParentRoute = () => root;

const agents = () => import('./pages/agents.js');
const agent = () => import('./pages/agent.js');
const approvals = () => import('./pages/approvals.js');
const calls = () => import('./pages/calls.js');
const catalogue = () => import('./pages/catalogue.js');
const connections = () => import('./pages/connections.js');
const runs = () => import('./pages/runs.js');
const settings = () => import('./pages/settings.js');
const tasks = () => import('./pages/issues.js');

// Declared apart from `addChildren`, which would otherwise influence the types that are inferred for each route.
const routes = [
  createRoute({ getParentRoute, path: '/', component: Overview }),
  createRoute({
    getParentRoute,
    path: '/approvals',
    component: lazyRouteComponent(approvals, 'Approvals'),
  }),
  createRoute({ getParentRoute, path: '/approvals/$id', component: lazyRouteComponent(approvals, 'Approval') }),
  createRoute({
    getParentRoute,
    path: '/calls',
    validateSearch: readTexts(...filterNames),
    component: lazyRouteComponent(calls, 'Calls'),
  }),
  createRoute({
    getParentRoute,
    path: '/calls/$id',
    validateSearch: readTexts(...filterNames),
    component: lazyRouteComponent(() => import('./pages/call.js'), 'Call'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks',
    validateSearch: readTexts('view', 'state', 'q', 'agent', 'person', 'project', 'repo'),
    component: lazyRouteComponent(tasks, 'Issues'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/new',
    component: lazyRouteComponent(() => import('./pages/new-issue.js'), 'NewIssue'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/issues/$id',
    component: lazyRouteComponent(() => import('./pages/issue.js'), 'Issue'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/actors',
    validateSearch: readTexts('kind', 'state', 'silent'),
    component: lazyRouteComponent(() => import('./pages/actors.js'), 'Actors'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/actors/$kind/$id',
    component: lazyRouteComponent(() => import('./pages/actor.js'), 'Actor'),
  }),
  createRoute({
    getParentRoute,
    path: '/tasks/tools',
    validateSearch: readTexts('level', 'id'),
    component: lazyRouteComponent(() => import('./pages/tool-config.js'), 'ToolConfig'),
  }),
  createRoute({
    getParentRoute,
    path: '/runs',
    validateSearch: readTexts('status'),
    component: lazyRouteComponent(runs, 'Runs'),
  }),
  createRoute({
    getParentRoute,
    path: '/runs/$id',
    component: lazyRouteComponent(() => import('./pages/run.js'), 'Run'),
  }),
  createRoute({
    getParentRoute,
    path: '/agents',
    validateSearch: readTexts('q'),
    component: lazyRouteComponent(agents, 'Agents'),
  }),
  createRoute({
    getParentRoute,
    path: '/agents/$slug/tools',
    component: lazyRouteComponent(agent, 'Agent'),
  }),
  createRoute({
    getParentRoute,
    path: '/agents/$slug',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/agents/$slug/tools', params });
    },
  }),
  createRoute({ getParentRoute, path: '/agents/$slug/calls', component: lazyRouteComponent(agent, 'AgentCalls') }),
  createRoute({ getParentRoute, path: '/agents/$slug/access', component: lazyRouteComponent(agent, 'AgentAccess') }),
  createRoute({ getParentRoute, path: '/agents/$slug/can', component: lazyRouteComponent(agent, 'AgentCan') }),
  createRoute({
    getParentRoute,
    path: '/agents/$slug/settings',
    component: lazyRouteComponent(agent, 'AgentSettings'),
  }),
  createRoute({ getParentRoute, path: '/connections', component: lazyRouteComponent(connections, 'Connections') }),
  createRoute({
    getParentRoute,
    path: '/connections/$id',
    component: lazyRouteComponent(() => import('./pages/connection.js'), 'Connection'),
  }),
  createRoute({
    getParentRoute,
    path: '/connections/connect',
    validateSearch: readTexts('q'),
    component: lazyRouteComponent(() => import('./pages/connect.js'), 'ChooseApp'),
  }),
  createRoute({
    getParentRoute,
    path: '/connections/connect/$toolkit',
    validateSearch: readTexts('connection'),
    component: lazyRouteComponent(() => import('./pages/connect.js'), 'Connect'),
  }),
  createRoute({
    getParentRoute,
    path: '/catalogue',
    validateSearch: readTexts('q', 'category', 'provider', 'status', 'sort'),
    component: lazyRouteComponent(catalogue, 'Catalogue'),
  }),
  createRoute({
    getParentRoute,
    path: '/catalogue/sync',
    component: lazyRouteComponent(() => import('./pages/sync.js'), 'Sync'),
  }),
  createRoute({
    getParentRoute,
    path: '/catalogue/apps/$app',
    validateSearch: readTexts('q', 'tool'),
    component: lazyRouteComponent(() => import('./pages/app.js'), 'App'),
  }),
  createRoute({
    getParentRoute,
    path: '/find',
    validateSearch: readTexts('q', 'agent'),
    component: lazyRouteComponent(() => import('./pages/find.js'), 'Find'),
  }),
  createRoute({
    getParentRoute,
    path: '/find/explain',
    validateSearch: readTexts('agent', 'tool', 'connection', 'onBehalfOf', 'input'),
    component: lazyRouteComponent(() => import('./pages/explain.js'), 'Explain'),
  }),
  createRoute({
    getParentRoute,
    path: '/record',
    validateSearch: readTexts('type', 'q', 'tool', 'since'),
    component: lazyRouteComponent(() => import('./pages/record.js'), 'RecordPage'),
  }),
  createRoute({ getParentRoute, path: '/settings', component: lazyRouteComponent(settings, 'Settings') }),
  createRoute({
    getParentRoute,
    path: '/settings/policies',
    validateSearch: readTexts('tool', 'agent'),
    component: lazyRouteComponent(() => import('./pages/policies.js'), 'Policies'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/people',
    component: lazyRouteComponent(() => import('./pages/people.js'), 'People'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/credentials',
    component: lazyRouteComponent(() => import('./pages/credentials.js'), 'Credentials'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/definitions',
    component: lazyRouteComponent(() => import('./pages/definitions.js'), 'Definitions'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings/notifications',
    component: lazyRouteComponent(() => import('./pages/notifications.js'), 'Notifications'),
  }),
] as const;

export function createPanelRouter() {
  return createRouter({ routeTree: root.addChildren(routes), basepath: '/panel', defaultErrorComponent: Broken });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>;
  }
}
