/** The panel asks only for what the person may read. Its list of what each route needs is compared with the server's. */
import { expect, test } from 'vitest';
import { readPermissions } from '../../panel/src/server/read-permissions.js';
import { acts } from '../../src/domain/acts.js';
import { routes } from '../../src/surfaces/http/routes/index.js';

const needed = new Map(
  routes.map(({ method, path, acts: used }) => {
    const names = Array.isArray(used) ? (used as (keyof typeof acts)[]) : [];
    const permissions = names.flatMap((name) => acts[name].permissions as unknown as string[]);
    return [`${method} ${path}`, [...new Set(permissions.filter((each) => typeof each === 'string'))]];
  }),
);

test('R-panel R-people: the panel knows what each route needs', () => {
  for (const [route, permissions] of Object.entries(readPermissions))
    expect(needed.get(route), route).toEqual(permissions);
});

test('R-panel R-people: a route that needs more than reading tools is in the list, unless the panel does not read it', () => {
  const special = [...needed].filter(
    ([route, permissions]) => route.startsWith('GET ') && permissions.length > 0 && !permissions.includes('tools:read'),
  );
  const unread = [
    // Pages follow these without `useRead`, next to something that needs the same.
    'GET /api/actors/:kind/:id/events',
    'GET /api/audit/export',
    'GET /api/audit/verify/stream',
    // A part of `GET /api/doctor`.
    'GET /api/machine',
    'GET /api/tools/debug/connections',
    'GET /api/triggers',
    'GET /api/triggers/events',
    // For Prometheus.
    'GET /metrics',
  ];
  const missing = special.map(([route]) => route).filter((route) => !Object.hasOwn(readPermissions, route));
  expect(missing.sort()).toEqual(unread);
});
