/** The storage contract's part about the sessions of MCP clients. */
import { expect, it } from 'vitest';
import type { McpWishes, StoredMcpSession } from '../domain/mcp-session.js';
import { type ContractParts, time } from './storage-fixtures.js';

export function mcpSessionsContract({ under, one, two }: ContractParts): void {
  const wishes: McpWishes = { watched: [] };
  const session = (id: string, more: Partial<StoredMcpSession> = {}): StoredMcpSession => ({
    id,
    owner: 'o',
    hello: { method: 'initialize' },
    wishes,
    usedAt: time(1),
    expiresAt: time(30),
    ...more,
  });
  const look = (ids: readonly string[], minute = 2) => under().storage.system.mcpSessions.look(ids, time(minute));

  it('keeps a session within its workspace, with the last of its owner first', async () => {
    const { mcpSessions } = one();
    await mcpSessions.insert(session('a', { openedWith: 'k' }));
    await mcpSessions.insert(session('b'));
    await mcpSessions.insert(session('c', { owner: 'p' }));
    await mcpSessions.use('a', time(2), time(40));
    expect(await mcpSessions.find('a')).toEqual(
      session('a', { openedWith: 'k', usedAt: time(2), expiresAt: time(40) }),
    );
    expect(await mcpSessions.listOf('o')).toEqual(['a', 'b']);
    expect(await two().mcpSessions.find('a')).toBeUndefined();
    await two().mcpSessions.remove(['a']);
    expect(await mcpSessions.find('a')).toBeDefined();
    await mcpSessions.remove(['a']);
    expect(await mcpSessions.find('a')).toBeUndefined();
  });

  it('changes what the client has asked for only from what it was', async () => {
    const { mcpSessions } = one();
    await mcpSessions.insert(session('a'));
    expect(await mcpSessions.wish('a', wishes, { level: 'info', watched: ['x:1'] })).toBe(true);
    expect(await mcpSessions.wish('a', wishes, { watched: ['x:2'] })).toBe(false);
    expect((await mcpSessions.find('a'))?.wishes).toEqual({ level: 'info', watched: ['x:1'] });
  });

  it('tells a process which sessions have ended, what the clients of the rest want, and the messages for them in order, until they expire', async () => {
    const { mcpSessions } = one();
    for (const id of ['d', 'e']) await mcpSessions.insert(session(id));
    const message = (id: string, sessionId: string) => ({ id, sessionId, body: { n: id } });
    for (const [id, of] of [
      ['2', 'd'],
      ['1', 'd'],
      ['3', 'e'],
    ] as const)
      await mcpSessions.addMessage(message(id, of), time(10));
    expect(await look([])).toEqual({ live: new Map(), messages: [] });
    const live = new Map([['d', session('d').wishes]]);
    expect(await look(['d', 'gone'])).toEqual({
      live,
      messages: [message('2', 'd'), message('1', 'd')],
    });
    await under().storage.system.mcpSessions.use(['d'], time(20), time(50));
    expect((await look(['d', 'e'], 40)).live).toEqual(live);
    await under().storage.system.purgeExpired(time(40));
    expect(await look(['d', 'e'])).toEqual({ live, messages: [] });
  });
  it('gives each message to one taker only, in the order in which they were left', async () => {
    const { mcpSessions } = one();
    const { take } = under().storage.system.mcpSessions;
    const message = (id: string, sessionId: string) => ({ id, sessionId, body: { n: id } });
    for (const [id, box] of [
      ['2', 'box f'],
      ['1', 'box f'],
      ['3', 'box g'],
    ] as const)
      await mcpSessions.addMessage(message(id, box), time(10));
    expect(await take([])).toEqual([]);
    const taken = await Promise.all([take(['box f', 'box h']), take(['box f', 'box h']), take(['box h'])]);
    expect(taken.flat()).toEqual([message('2', 'box f'), message('1', 'box f')]);
    expect(await take(['box f', 'box g'])).toEqual([message('3', 'box g')]);
  });
}
