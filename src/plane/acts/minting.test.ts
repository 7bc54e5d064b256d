/** Issuing or revoking a credential requires all of its permissions. Each permission is removed in turn. */
import { describe, expect, test } from 'vitest';
import {
  agentPermissions,
  allPermissions,
  type Credential,
  type Permission,
  type Principal,
} from '../../domain/principal.js';
import { requireAdminLinkIssuer, requireAgentTokenIssuer, requireRevoker } from './minting.js';

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
  ['an agent’s token is issued', forToken, requireAgentTokenIssuer],
  ['a link is issued', allPermissions, requireAdminLinkIssuer],
  [
    'a key is revoked',
    ['keys:write', 'audit:read'],
    (by) => requireRevoker(by, credential({ permissions: ['audit:read'] })),
  ],
  [
    'an agent’s token is revoked',
    ['keys:write', ...forToken],
    (by) => requireRevoker(by, credential({ kind: 'agent_token' })),
  ],
  [
    'a program’s token is revoked',
    ['keys:write', ...forToken],
    (by) => requireRevoker(by, credential({ kind: 'refresh_token' })),
  ],
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

  test('R-grants: a key with only keys:write can revoke itself and what was issued from it; without keys:write, neither', () => {
    const own = [
      credential({ id: 'key', permissions: allPermissions }),
      credential({ kind: 'session', parentId: 'key' }),
    ];
    for (const one of own) {
      expect(() => requireRevoker(holding(['keys:write']), one)).not.toThrow();
      expect(() => requireRevoker(holding([]), one)).toThrow(forbidden);
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
