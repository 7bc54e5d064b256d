/** The storage contract's part about notifications: everything is reported once, and one process sends a message. */
import { expect, it } from 'vitest';
import type { NewNotice, NotificationChannel } from '../domain/notifications.js';
import type { WorkspaceStorage } from '../domain/storage.js';
import { type ContractParts, draft, time } from './storage-fixtures.js';

const channel: NotificationChannel = {
  id: 'c',
  kind: 'webhook',
  name: 'Ops',
  createdBy: { kind: 'user', id: 'u', name: 'Ada' },
  createdAt: time(1),
};
const notice = (key: string, userId = 'u'): NewNotice => ({
  kind: 'approval',
  key,
  at: time(1),
  userId,
  channelId: 'c',
});
const times = { now: time(1), dueAt: time(2) };

/** Tells these as a process does that has read what was told. */
async function tell({ notifications }: WorkspaceStorage, ...notices: NewNotice[]): Promise<boolean> {
  const { version, told } = await notifications.readTold();
  const known = Object.fromEntries(notices.map(({ key }) => [key, time(9)]));
  return notifications.tell({ version, told: { ...told, ...known } }, notices, times);
}

export function notificationsContract({ one, two }: ContractParts): void {
  it('R-operate: keeps channels and choices within their workspace, and a removed channel takes its choices and messages', async () => {
    const choice = { userId: 'u', channelId: 'c', kinds: ['approval'] } as const;
    await one().change([], async (tables) => {
      await tables.insertNotificationChannel(channel);
      await tables.putNotificationChoice({ ...choice, kinds: [] });
      await tables.putNotificationChoice(choice);
    });
    const { notifications } = one();
    expect(await notifications.listChannels()).toEqual([channel]);
    expect(await notifications.listChoices()).toEqual([choice]);
    expect(await two().notifications.listChannels()).toEqual([]);
    expect(await two().notifications.listChoices()).toEqual([]);
    await tell(one(), notice('approval:1'));
    expect(await one().change([], (tables) => tables.deleteNotificationChannel('c'))).toBe(true);
    expect(await one().change([], (tables) => tables.deleteNotificationChannel('c'))).toBe(false);
    expect(await notifications.listChoices()).toEqual([]);
    expect(await notifications.listMessages({ limit: 5 })).toEqual([]);
  });

  it('R-operate: of several processes one tells, and what comes meanwhile is one message for each person', async () => {
    const { notifications } = one();
    const state = { version: 0, told: { 'approval:1': time(9) } };
    const racers = Array.from({ length: 8 }, () => notifications.tell(state, [notice('approval:1')], times));
    expect((await Promise.all(racers)).filter(Boolean)).toHaveLength(1);
    expect(await tell(one(), notice('approval:2'), notice('approval:2', 'v'))).toBe(true);
    expect((await notifications.readTold()).told).toEqual({ 'approval:1': time(9), 'approval:2': time(9) });
    const [message] = await notifications.listMessages({ userId: 'u', limit: 5 });
    expect(message).toMatchObject({ state: 'gathering', attempts: 0, createdAt: time(1), dueAt: time(2) });
    expect(message?.notices.map(({ key }) => key)).toEqual(['approval:1', 'approval:2']);
    expect(await notifications.listMessages({ limit: 5 })).toHaveLength(2);
    expect(await two().notifications.readTold()).toEqual({ version: 0, told: {} });
  });

  it('R-operate: a message that is due is sent by one process, and by another if that one says nothing until its time is over', async () => {
    const { notifications } = one();
    await tell(one(), notice('approval:1'));
    expect(await notifications.claim(time(1), time(3))).toBeUndefined();
    const racers = Array.from({ length: 8 }, () => notifications.claim(time(2), time(5)));
    const [claimed, ...others] = (await Promise.all(racers)).filter((found) => found !== undefined);
    expect(others).toEqual([]);
    expect(claimed).toMatchObject({ state: 'sending', attempts: 1 });
    expect(claimed).not.toHaveProperty('doubtfulSince');
    expect(await two().notifications.claim(time(6), time(7))).toBeUndefined();

    const again = await notifications.claim(time(6), time(8));
    expect(again).toMatchObject({ attempts: 2, doubtfulSince: time(2) });
    const rows = (await one().audit.head()).seq;
    const settle = (message: typeof claimed) =>
      message && notifications.settle({ ...message, state: 'sent', shown: { ts: '1', forms: ['a'] } }, [draft()]);
    // The first one is too late.
    expect(await settle(claimed)).toBe(false);
    expect(await settle(again)).toBe(true);
    expect((await one().audit.head()).seq).toBe(rows + 1);
    expect(await notifications.claim(time(9), time(10))).toBeUndefined();
    expect(await notifications.listMessages({ state: 'sent', limit: 5 })).toHaveLength(1);
  });

  it('R-operate: remembers every form in which a message is shown, and none of a message without buttons', async () => {
    const { notifications } = one();
    await tell(one(), notice('approval:1'), notice('approval:1', 'v'));
    for (const shown of [{ ts: '1', forms: ['a'] }, undefined]) {
      const message = await notifications.claim(time(2), time(5));
      if (message) await notifications.settle({ ...message, state: 'sent', ...(shown && { shown }) }, []);
    }
    const sent = await notifications.listMessages({ limit: 5 });
    for (const { id } of sent) for (const form of ['b', 'b', 'c']) await notifications.addShown(id, form);
    await notifications.addShown('unknown', 'b');
    const after = await Promise.all(sent.map(({ id }) => notifications.findMessage(id)));
    expect(after.map((message) => message?.shown).sort()).toEqual([{ ts: '1', forms: ['a', 'b', 'c'] }, undefined]);
  });

  it('R-operate: finds the plans that wait for a person, newest first', async () => {
    const run = {
      principal: { kind: 'agent', id: 'a1', name: 'Scout', workspaceId: one().workspaceId, permissions: [] },
      mode: 'plan',
      code: 'return 1',
      tools: { custom: {} },
      declarations: '',
      replayVersion: 1,
      policyVersion: 1,
      seed: 1,
      limits: { cpuMs: 1 },
      lease: 1,
      takeovers: [],
      waits: [],
      logs: [],
      startedAt: time(1),
    } as const;
    const planned = (status: string) => ({ status, calls: [] }) as never;
    const { runs } = one();
    await runs.insert({ ...run, id: 'r1', status: 'succeeded', planned: planned('pending') }, []);
    await runs.insert({ ...run, id: 'r2', status: 'succeeded', planned: planned('approved') }, []);
    await runs.insert({ ...run, id: 'r3', status: 'running' }, []);
    await runs.insert({ ...run, id: 'r4', status: 'succeeded', planned: planned('pending') }, []);
    const pending = async (workspace: WorkspaceStorage, limit: number) =>
      (await workspace.runs.list({ plan: 'pending', limit })).map(({ id }) => id);
    expect(await pending(one(), 5)).toEqual(['r4', 'r1']);
    expect(await pending(one(), 1)).toEqual(['r4']);
    expect(await pending(two(), 5)).toEqual([]);
  });
}
