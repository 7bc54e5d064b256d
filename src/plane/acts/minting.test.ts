/** Revoking a credential requires all permissions that it takes to issue it. Each permission is removed in turn. */
import { describe, expect, test } from 'vitest';
import {
  agentPermissions,
  allPermissions,
  type Credential,
  type Permission,
  type Principal,
} from '../../domain/principal.js';
import { requireRevoker } from './minting.js';

const admin: Principal = { kind: 'user', id: 'ada', name: 'Ada', workspaceId: 'w', permissions: allPermissions };
const holding = (permissions: readonly Permission[], more: Partial<Principal> = {}): Principal => ({
  ...admin,
  kind: 'api_key',
  id: 'key',
  credentialId: 'key',
  ...more,
  permissions,
});
const credential = (more: Partial<Credential>): Credential => ({
  id: 'c',
  kind: 'api_key',
  principalId: 'c',
  name: '',
  hash: '',
  prefix: '',
  permissions: [],
  createdAt: '',
  ...more,
});
const forbidden = expect.objectContaining({ code: 'forbidden' });
const forToken: Permission[] = ['agents:write', 'agents:act', ...agentPermissions];

const asked: [string, readonly Permission[], (by: Principal) => void][] = [
  ['a key is revoked', ['audit:read'], (by) => requireRevoker(by, credential({ permissions: ['audit:read'] }))],
  ['an agent’s token is revoked', forToken, (by) => requireRevoker(by, credential({ kind: 'agent_token' }))],
  ['a program’s token is revoked', forToken, (by) => requireRevoker(by, credential({ kind: 'refresh_token' }))],
  ['a session is revoked', allPermissions, (by) => requireRevoker(by, credential({ kind: 'session' }))],
  ['a link is revoked', allPermissions, (by) => requireRevoker(by, credential({ kind: 'admin_link' }))],
];

describe('required permissions', () => {
  test.each(asked)('attack: %s by callers with all permissions, and by none that lacks one', (_what, needed, act) => {
    const all = [...new Set(needed)];
    expect(() => act(holding(all))).not.toThrow();
    for (const missing of all) {
      expect(() => act(holding(all.filter((one) => one !== missing))), missing).toThrow(forbidden);
      expect(() => act(holding(all.filter((one) => one !== missing))), missing).toThrow(missing);
    }
  });

  test('R-grants: a key with only keys:write can revoke itself and what was issued from it, and nothing else', () => {
    const own = [
      credential({ id: 'key', permissions: allPermissions }),
      credential({ kind: 'session', parentId: 'key' }),
    ];
    for (const one of own) {
      expect(() => requireRevoker(holding(['keys:write']), one)).not.toThrow();
    }
    const others = [credential({ kind: 'session', parentId: 'other' }), credential({ kind: 'session' })];
    for (const one of others) {
      expect(() => requireRevoker(holding(['keys:write']), one)).toThrow(forbidden);
      // Trusted code in this process presents no credential, so nothing was issued from it.
      const { credentialId: _, ...bare } = holding(['keys:write']);
      expect(() => requireRevoker(bare, one)).toThrow(forbidden);
    }
  });
});
