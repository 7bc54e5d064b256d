/** The storage contract's part about accounts: connections and their data, OAuth clients, pins. */
import { expect, it } from 'vitest';
import type { Connection } from '../domain/connection.js';
import type { OAuthFlow, WorkspaceStorage } from '../domain/storage.js';
import { flow, sealedContent } from './storage-contract-secrets.js';
import { agent, type ContractParts, time } from './storage-fixtures.js';

const refused = (code: string) => expect.objectContaining({ name: 'HelveError', code });

function connection(id: string, more: Partial<Connection> = {}): Connection {
  const whose = { visibility: 'workspace', ownerId: 'u1', scheme: 'oauth2' } as const;
  return {
    id,
    toolkit: 'github',
    name: `Account ${id}`,
    slug: `slug-${id}`,
    status: 'added',
    createdAt: time(0),
    ...whose,
    settings: {},
    ...more,
  };
}

const full: Partial<Connection> = {
  status: 'active',
  reason: 'none',
  visibility: 'private',
  settings: { host: 'x', nested: { list: [1, null] } },
  account: { id: '7', name: 'Ada "A" Ünï', email: 'a@b.c' },
  scopes: ['a', 'b'],
  connectedAt: time(3),
};

const insert = (scope: WorkspaceStorage, ...rows: Connection[]): Promise<void> =>
  scope.change([], async (tables) => {
    for (const row of rows) await tables.insertConnection(row);
  });

export function accountsContract(parts: ContractParts): void {
  connections(parts);
  removal(parts);
  clientsAndPins(parts);
}

function connections({ one, two, under }: ContractParts): void {
  it('R-instances: stores connections unchanged, in the order of their creation, within their workspace', async () => {
    const rows = [connection('c2', { createdAt: time(1), ...full }), connection('c1', { createdAt: time(2) })];
    await insert(one(), ...rows);
    await insert(two(), connection('c1', { name: 'Other' }));
    expect((await one().configuration()).connections).toEqual(rows);
    expect((await two().configuration()).connections.map(({ name }) => name)).toEqual(['Other']);
    const changed = connection('c2', { name: 'New', slug: 'new' });
    await one().change([], (tables) => tables.updateConnection(changed));
    // A full replacement: what the new one omits is deleted.
    expect((await one().configuration()).connections.find(({ id }) => id === 'c2')).toEqual(changed);
    expect((await two().configuration()).connections).toHaveLength(1);
    // A revocation leaves what people decided as it is.
    const [mine, others] = [flow(one(), 'f2', { connectionId: 'c2' }), flow(one(), 'f1', { connectionId: 'c1' })];
    for (const begun of [mine, others]) await one().flows.insert(begun);
    let ended: readonly OAuthFlow[] = [];
    await one().change([], async (tables) => {
      ended = await tables.revokeConnection('c2', 'disconnected');
    });
    expect(ended).toEqual([mine]);
    const left = await Promise.all(
      [mine, others].map(({ stateHash }) => under().storage.system.findFlow({ stateHash })),
    );
    expect(left).toEqual([undefined, others]);
    const { scopes: _, ...decided } = changed;
    const revoked = { ...decided, status: 'revoked', reason: 'disconnected' };
    expect((await one().configuration()).connections.find(({ id }) => id === 'c2')).toEqual(revoked);
    expect((await two().configuration()).connections.map(({ name }) => name)).toEqual(['Other']);
  });
  it('R-instances: refuses a slug that another of the workspace has, and leaves the transaction whole', async () => {
    await insert(one(), connection('c1', { slug: 'work' }));
    await insert(two(), connection('c1', { slug: 'work' }));
    await expect(insert(one(), connection('c2', { slug: 'work' }))).rejects.toEqual(refused('conflict'));
    await insert(one(), connection('c2'));
    const move = connection('c2', { slug: 'work' });
    await expect(one().change([], (tables) => tables.updateConnection(move))).rejects.toEqual(refused('conflict'));
    await one().change([], async (tables) => {
      await tables.updateConnection(move).catch(() => undefined);
      await tables.updateConnection(connection('c1', { slug: 'work', name: 'Same slug, same one' }));
    });
    const [first] = (await one().configuration()).connections;
    expect(first?.name).toBe('Same slug, same one');
  });
  it('R-instances: one of two that race for a slug on two handles gets it', async () => {
    const second = await under().second();
    const handles = [one(), second.workspace(one().workspaceId)];
    const race = handles.map((scope, index) => insert(scope, connection(`c${index}`, { slug: 'work' })));
    const ends = await Promise.allSettled(race);
    await second.close();
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await one().configuration()).connections).toHaveLength(1);
  });
  it('R-instances: reports a connection that does not exist', async () => {
    await insert(two(), connection('c1'));
    const missing = refused('not_found');
    await expect(one().change([], (tables) => tables.updateConnection(connection('c1')))).rejects.toEqual(missing);
    await expect(one().change([], (tables) => tables.revokeConnection('c1', 'gone'))).rejects.toEqual(missing);
    await expect(one().change([], (tables) => tables.deleteConnection('c1'))).rejects.toEqual(missing);
    expect((await two().configuration()).connections).toHaveLength(1);
  });
}

function removal({ one, two, under }: ContractParts): void {
  it('R-instances: deletes grants, secret and sign-ins together with a connection, only in its workspace', async () => {
    for (const scope of [one(), two()]) {
      await insert(scope, connection('c1'), connection('c2'));
      await scope.change([], async (tables) => {
        await tables.insertAgent(agent('a1'));
        const grant = { toolkit: 'github', tools: ['x'], limits: {}, config: {} };
        const ids = ['c1', 'c2'];
        await tables.replaceGrants(
          'a1',
          ids.map((connectionId) => ({ ...grant, connectionId })),
        );
        for (const id of ids) await tables.putSecret(`connection:${id}`, sealedContent(id), time(1));
      });
      await scope.flows.insert(flow(scope, 'f1'));
    }
    await one().change([], (tables) => tables.deleteConnection('c1'));
    const left = async (scope: WorkspaceStorage) => {
      const { connections: rows, grants } = await scope.configuration();
      const { system } = under().storage;
      return [
        rows.map(({ id }) => id),
        grants.map(({ connectionId }) => connectionId),
        (await scope.secrets.find('connection:c1')) !== undefined,
        (await scope.secrets.find('connection:c2')) !== undefined,
        (await system.findFlow({ stateHash: `state-${scope.workspaceId}-f1` })) !== undefined,
      ];
    };
    expect(await left(one())).toEqual([['c2'], ['c2'], false, true, false]);
    expect(await left(two())).toEqual([['c1', 'c2'], ['c1', 'c2'], true, true, true]);
  });
}

function clientsAndPins({ one, two }: ContractParts): void {
  it('R-oauth: stores OAuth clients by provider, and deletes their secret with them', async () => {
    const config = {
      provider: 'github',
      clientId: 'id',
      overrides: { issuer: 'x', list: { a: 'b' } },
      updatedAt: time(1),
    };
    for (const scope of [one(), two()]) {
      await scope.change([], async (tables) => {
        await tables.putAuthConfig(config);
        await tables.putSecret('auth_config:github', sealedContent('s'), time(1));
      });
    }
    const next = { ...config, clientId: 'id2', overrides: {}, updatedAt: time(2) };
    await one().change([], (tables) => tables.putAuthConfig(next));
    expect([await one().listAuthConfigs(), await two().listAuthConfigs()]).toEqual([[next], [config]]);
    const remove = () => one().change([], (tables) => tables.deleteAuthConfig('github'));
    expect([await remove(), await remove()]).toEqual([true, false]);
    expect([await one().listAuthConfigs(), await one().secrets.find('auth_config:github')]).toEqual([[], undefined]);
    expect([(await two().listAuthConfigs()).length, (await two().secrets.find('auth_config:github'))?.sealed]).toEqual([
      1,
      's',
    ]);
  });
  it('R-mcp-client: stores the accepted definitions, one for each tool', async () => {
    const pin = { toolkit: 'kit', tool: 'a', hash: 'h1', text: '{"name":"a"}', pinnedAt: time(1) };
    await two().change([], (tables) => tables.putPins([{ ...pin, hash: 'other' }]));
    await one().change([], (tables) => tables.putPins([pin, { ...pin, tool: 'b' }]));
    await one().change([], (tables) => tables.putPins([{ ...pin, hash: 'h2', text: '{}', pinnedAt: time(2) }]));
    const { pins } = await one().configuration();
    expect([...pins].sort((a, b) => (a.tool < b.tool ? -1 : 1))).toEqual([
      { ...pin, hash: 'h2', text: '{}', pinnedAt: time(2) },
      { ...pin, tool: 'b' },
    ]);
    expect((await two().configuration()).pins.map(({ hash }) => hash)).toEqual(['other']);
  });
}
