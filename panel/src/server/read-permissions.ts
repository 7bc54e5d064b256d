/** What a person must be permitted to read, by route. Others need only `tools:read`, which every role has. */
import type { Permission } from '../shell/session.js';
import type { ApiKey } from './request.js';

export const readPermissions: { readonly [Key in ApiKey]?: readonly Permission[] } = {
  'GET /api/actors': ['audit:read'],
  'GET /api/actors/:kind/:id': ['audit:read'],
  'GET /api/tool-config/:level/:id': ['grants:read'],
  'GET /api/tool-config/:level/:id/effective': ['grants:read'],
  'GET /api/approvals': ['approvals:read'],
  'GET /api/approvals/:id': ['approvals:read'],
  'GET /api/audit': ['audit:read'],
  'GET /api/audit/verify': ['audit:read'],
  'GET /api/agents': ['agents:read'],
  'GET /api/agents/:agent/grants': ['grants:read'],
  'GET /api/agents/:agent/effective': ['grants:read', 'policies:read'],
  'POST /api/explain': ['grants:read', 'policies:read'],
  'POST /api/agents/:agent/grants/preview': ['grants:read', 'policies:read'],
  'GET /api/policies': ['policies:read'],
  'GET /api/credentials': ['agents:read'],
  'GET /api/users': ['users:read'],
  'GET /api/workspaces': ['users:read'],
  'GET /api/tools/connected': ['connections:read'],
  'GET /api/connections/:connection': ['connections:read'],
  'GET /api/connections/:connection/usage': ['connections:read'],
  'GET /api/tools/:toolkit/schemes': ['connections:read'],
  'GET /api/auth-checks': ['connections:read'],
  'GET /api/definitions': ['grants:read'],
  'GET /api/settings': ['audit:read'],
  'GET /api/store-sizes': ['audit:read'],
  'GET /api/doctor': ['audit:read', 'policies:read'],
};
