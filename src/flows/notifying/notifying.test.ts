/** People are told what waits for them: e-mail against smtp-server, webhooks verified with the reference library. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { type MailServerOptions, reply, startMailServer } from '../../../tests/mail/counterparts.js';
import { HelveError } from '../../domain/errors.js';
import type { NotificationKind } from '../../domain/notifications.js';
import type { Principal, Role } from '../../domain/principal.js';
import type { Provider } from '../../domain/provider.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';
import { testProviderTool } from '../../testing/provider-tool.js';
import { smtp } from '../../toolkits/smtp/toolkit.js';
import { composeEmail } from './compose.js';
import { composeSlack } from './slack/message.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const gatherMs = 60_000;
const canary = 'quetzal-4711';

const optionsFor = (port: number): TestHelveOptions => ({
  publicUrl: 'https://helve.example',
  nativeToolkits: [smtp],
  tools: [testTool({ name: 'guarded', highRisk: true })],
  granted: ['guarded'],
  config: JSON.stringify({
    approvals: { pending_per_agent: 100 },
    toolkits: { smtp: { allowed_hosts: [`127.0.0.1:${port}`] } },
  }),
  connections: [
    {
      toolkit: 'smtp',
      name: 'Mailbox',
      scheme: 'password',
      credentials: { host: '127.0.0.1', port: String(port), security: 'none', from_address: 'helve@corp.example' },
    },
  ],
});

async function signIn(helve: TestHelve, name: string, role: Role, email?: string): Promise<Principal> {
  const { link } = await helve.plane.createUser(helve.admin, { name, role, ...(email && { email }) });
  const secret = link.slice(link.indexOf('token=') + 'token='.length);
  return (await helve.plane.redeemAdminLink(secret)).principal;
}

interface SetUp {
  readonly mail?: MailServerOptions;
  readonly more?: TestHelveOptions;
}

/** An admin with an address, who is told about `kinds` by e-mail. */
async function setUp(kinds: readonly NotificationKind[], { mail, more }: SetUp = {}) {
  const server = await startMailServer(mail);
  closing.push(server.close);
  const helve = await createTestHelve({ ...optionsFor(server.port), ...more });
  closing.push(helve.close);
  const ada = await signIn(helve, 'Ada', 'admin', 'ada@corp.example');
  const { plane, admin } = helve;
  const { channel } = await plane.createNotificationChannel(admin, {
    kind: 'email',
    name: 'Mail',
    connection: 'mailbox',
  });
  await plane.chooseNotifications(ada, channel.id, { kinds });
  /** Tells what there is, and what was gathered. */
  const tell = async () => {
    await helve.notify();
    helve.advance(gatherMs);
    await helve.notify();
  };
  const own = async () => (await plane.notificationMessages(ada))[0];
  return { server, helve, ada, channel, tell, own };
}

const ask = (helve: TestHelve, at: number) => helve.call('guarded', { secret: canary, at });

describe('by e-mail', () => {
  test('R-operate: who waits for a decision, the tool and the link are told once, and no argument', async () => {
    const { server, helve, tell, own } = await setUp(['approval']);
    await ask(helve, 1);
    const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
    await helve.notify();
    expect(server.delivered).toEqual([]);
    await tell();
    await tell();
    expect(server.delivered).toHaveLength(1);
    const [{ recipients, parsed, raw }] = server.delivered as [(typeof server.delivered)[0]];
    expect(recipients).toEqual(['ada@corp.example']);
    expect(parsed.subject).toBe('Helve: 1 call waits for a decision');
    expect(parsed.text).toContain('tester asks to call Custom.guarded');
    expect(parsed.text).toContain(`https://helve.example/approvals/${approval?.id}`);
    expect(raw.toString()).not.toContain(canary);
    expect(await own()).toMatchObject({ state: 'sent', attempts: 1, count: 1 });
    const rows = (await helve.audited()).filter(({ type }) => type === 'notification.sent');
    expect(rows.map(({ body }) => body.count)).toEqual([1]);
    expect(JSON.stringify(rows)).not.toContain(canary);
  });

  test('R-operate: fifty calls within a minute are one message', async () => {
    const { server, helve, tell } = await setUp(['approval']);
    for (let at = 0; at < 50; at++) {
      await ask(helve, at);
      if (at % 10 === 0) await helve.notify();
    }
    await tell();
    expect(server.delivered.map(({ parsed }) => parsed.subject)).toEqual(['Helve: 50 calls wait for a decision']);
    expect(server.delivered[0]?.parsed.text).toContain('… and 30 more');
  });

  test('R-operate: what was decided meanwhile is no longer sent', async () => {
    const { server, helve, tell } = await setUp(['approval']);
    await ask(helve, 1);
    await ask(helve, 2);
    await helve.notify();
    const [first] = await helve.plane.approvals(helve.admin, { status: 'pending' });
    await helve.plane.decideApproval(helve.admin, first?.id ?? '', 'rejected', 'api');
    await tell();
    expect(server.delivered.map(({ parsed }) => parsed.subject)).toEqual(['Helve: 1 call waits for a decision']);
  });

  test('R-operate: attack: who may not see or decide is not told, nor who has left; who may is', async () => {
    const { server, helve, channel, tell } = await setUp(['approval']);
    const people = [
      await signIn(helve, 'Member', 'member', 'member@corp.example'),
      await signIn(helve, 'Auditor', 'auditor', 'auditor@corp.example'),
      await signIn(helve, 'Gone', 'admin', 'gone@corp.example'),
      await signIn(helve, 'Other', 'admin', 'other@corp.example'),
    ];
    for (const person of people) await helve.plane.chooseNotifications(person, channel.id, { kinds: ['approval'] });
    await ask(helve, 1);
    await helve.notify();
    await helve.plane.changeUser(helve.admin, people[2]?.id ?? '', { disabled: true });
    await tell();
    expect(server.told.sort()).toEqual(['ada@corp.example', 'other@corp.example']);
  });

  test('R-operate: an account that ended is told to who may connect it again, and again when it ends again', async () => {
    const { server, helve, tell, channel } = await setUp(['account']);
    const auditor = await signIn(helve, 'Auditor', 'auditor', 'auditor@corp.example');
    await helve.plane.chooseNotifications(auditor, channel.id, { kinds: ['account'] });
    const added = await helve.plane.addConnection(helve.admin, { toolkit: 'smtp', name: 'Old' });
    const workspace = helve.storage.workspace(helve.workspaceId);
    const mark = async (status: 'expired' | 'active') => {
      const found = (await workspace.configuration()).connections.find(({ id }) => id === added.id);
      if (found) await workspace.change([], (tables) => tables.updateConnection({ ...found, status }));
    };
    for (const status of ['expired', 'active', 'expired'] as const) {
      await mark(status);
      await tell();
    }
    expect(server.told).toEqual(['ada@corp.example', 'ada@corp.example']);
    expect(server.delivered[0]?.parsed.text).toContain('The account old of smtp needs to be connected again');
  });

  test('R-operate: a refused mail is tried again with the same Message-ID, after longer and longer pauses', async () => {
    let refusals = 0;
    const onMail = () => {
      refusals++;
      return refusals < 3 ? reply(451, 'later') : undefined;
    };
    const { server, helve, tell, own } = await setUp(['approval'], { mail: { onMail } });
    await ask(helve, 1);
    await tell();
    expect(await own()).toMatchObject({ state: 'sending', attempts: 1, error: expect.stringContaining('451') });
    await helve.notify();
    expect(refusals).toBe(1);
    for (const wait of [10_000, 60_000]) {
      helve.advance(wait);
      await helve.notify();
    }
    expect(refusals).toBe(3);
    expect(server.delivered).toHaveLength(1);
    expect(await own()).toMatchObject({ state: 'sent', attempts: 3 });

    refusals = -1_000;
    await ask(helve, 2);
    await tell();
    for (let n = 0; n < 10; n++) {
      helve.advance(20 * 60_000);
      await helve.notify();
    }
    // The approval has expired by then, so nothing is left to tell.
    expect(await own()).toMatchObject({ state: 'sent' });
    expect(server.delivered).toHaveLength(1);
  });

  test('R-operate: a channel whose maker has left sends nothing, says so, and gives up', async () => {
    const { server, helve, ada, channel } = await setUp(['account']);
    const maker = await signIn(helve, 'Maker', 'admin', 'maker@corp.example');
    const made = await helve.plane.createNotificationChannel(maker, {
      kind: 'email',
      name: 'Mine',
      connection: 'mailbox',
    });
    await helve.plane.chooseNotifications(ada, channel.id, { kinds: [] });
    await helve.plane.chooseNotifications(ada, made.channel.id, { kinds: ['account'] });
    await helve.plane.changeUser(helve.admin, maker.id, { disabled: true });
    const added = await helve.plane.addConnection(helve.admin, { toolkit: 'smtp', name: 'Old' });
    await helve.storage
      .workspace(helve.workspaceId)
      .change([], (tables) => tables.updateConnection({ ...added, status: 'expired' }));
    await helve.notify();
    for (let n = 0; n < 9; n++) {
      helve.advance(43_200_000);
      await helve.notify();
    }
    expect(server.told).toEqual([]);
    const [, listed] = await helve.plane.notificationChannels(helve.admin);
    expect(listed).toMatchObject({ givenUp: 1, problem: expect.stringContaining('Maker') });
    const rows = (await helve.audited()).filter(({ type }) => type === 'notification.given_up');
    expect(rows.map(({ body }) => [body.attempts, body.code])).toEqual([[8, 'forbidden']]);
  });
});

describe('of other kinds', () => {
  test('R-operate: a plan that waits is told once like a call, to who may decide it, with no argument; not one that was decided', async () => {
    const { server, helve, channel, tell } = await setUp(['approval']);
    const auditor = await signIn(helve, 'Auditor', 'auditor', 'auditor@corp.example');
    await helve.plane.chooseNotifications(auditor, channel.id, { kinds: ['approval'] });
    const plan = (at: number) =>
      helve.plane.runCode(helve.agent, {
        code: `await custom.guarded({ secret: '${canary}', at: ${at} });`,
        mode: 'plan',
      });
    const decided = await plan(1);
    expect(decided).toMatchObject({ planned: { status: 'pending' } });
    await helve.notify();
    await helve.plane.decideRun(helve.admin, decided.id, { decision: 'reject_plan' });
    await tell();
    expect(server.delivered).toEqual([]);
    const waiting = await plan(2);
    await tell();
    await tell();
    expect(server.told).toEqual(['ada@corp.example']);
    const [{ parsed, raw } = { parsed: undefined, raw: '' }] = server.delivered;
    expect(parsed?.text).toContain('tester asks to carry out a plan with 1 effect');
    expect(parsed?.text).toContain(`https://helve.example/runs/${waiting.id}`);
    expect(raw.toString()).not.toContain(canary);
  });

  test('R-operate: a member is not told of a plan with their account, which only those who read the record can open', async () => {
    const { server, helve, channel, tell } = await setUp(['approval']);
    const member = await signIn(helve, 'Member', 'member', 'member@corp.example');
    await helve.plane.chooseNotifications(member, channel.id, { kinds: ['approval'] });
    const { id } = await helve.plane.addConnection(member, { toolkit: 'smtp', name: 'Box', scheme: 'password' });
    const [{ credentials } = { credentials: {} }] = optionsFor(server.port).connections ?? [];
    await helve.plane.connect(member, id, { credentials });
    const code = "await box.sendSmtpEmail({ to: 'x@corp.example', subject: 's', body: 't' })";
    const plan = await helve.plane.runCode(helve.admin, { code, mode: 'plan' });
    expect(plan).toMatchObject({ planned: { status: 'pending' } });
    await expect(helve.plane.getRun(member, plan.id)).rejects.toMatchObject({ code: 'not_found' });
    await tell();
    expect(server.told).toEqual(['ada@corp.example']);
  });

  test('R-operate: a changed definition is told once to who may agree to it, and not after somebody has decided', async () => {
    let version = 1;
    let changed = () => {};
    const facts = { title: 'Changing', description: '', category: 'tests', internal: false };
    const provider: Provider = {
      kind: 'mcp',
      toolkits: async () => [{ slug: 'changing', ...facts, provider: 'mcp', needsConnection: false }],
      async tools() {
        const text = JSON.stringify({
          description: `version ${version}`,
          inputSchema: { type: 'object' },
          name: 'say',
        });
        const definition = { hash: `hash ${version}`, text };
        const tool = { toolkit: 'changing', name: 'say' };
        return [testProviderTool(tool, { description: `version ${version}`, definition })];
      },
      execute: async () => ({ output: null }),
      onChange(listener) {
        changed = listener;
        return () => undefined;
      },
      close: async () => undefined,
    };
    const { server, helve, channel, tell } = await setUp(['definition'], { more: { providers: [provider] } });
    const auditor = await signIn(helve, 'Auditor', 'auditor', 'auditor@corp.example');
    await helve.plane.chooseNotifications(auditor, channel.id, { kinds: ['definition'] });
    await helve.plane.tools(helve.admin);
    await tell();
    expect(server.delivered).toEqual([]);
    const change = async () => {
      version += 1;
      changed();
      const [pending] = await helve.plane.pendingDefinitions(helve.admin);
      return pending?.hash ?? '';
    };
    const second = await change();
    await tell();
    await tell();
    expect(server.told).toEqual(['ada@corp.example']);
    const [{ parsed } = { parsed: undefined }] = server.delivered;
    expect(parsed?.subject).toBe('Helve: 1 tool was changed by its maker');
    expect(parsed?.text).toContain('changing.say');
    expect(parsed?.text).toContain('https://helve.example/panel/settings/definitions');
    await helve.plane.acceptDefinition(helve.admin, 'changing', 'say', second);
    const third = await change();
    await helve.notify();
    await helve.plane.acceptDefinition(helve.admin, 'changing', 'say', third);
    await tell();
    expect(server.delivered).toHaveLength(1);
  });

  test('R-operate: a budget of which 80 % are used is told once, to who may see it; one of which less is used, not', async () => {
    const { server, helve, channel, tell } = await setUp(['budget']);
    const member = await signIn(helve, 'Member', 'member', 'member@corp.example');
    await helve.plane.chooseNotifications(member, channel.id, { kinds: ['budget'] });
    const { actors } = helve.storage.workspace(helve.workspaceId);
    const use = (id: string, tokens: number, period: string) => {
      const context = { limits: { maxTokens: 1_000 }, billing: { tokens }, period, connections: {} };
      return actors.insert({ kind: 'org', id }, { value: 'active', context, status: 'active' });
    };
    await use('small', 799, '2026-01');
    await tell();
    expect(server.delivered).toEqual([]);
    await use('large', 860, '2026-01');
    await tell();
    await tell();
    expect(server.told).toEqual(['ada@corp.example']);
    expect(server.delivered[0]?.parsed.subject).toBe('Helve: 1 budget is nearly used up');
    expect(server.delivered[0]?.parsed.text).toContain('The organisation large has used 86 % of its tokens');
    await use('next', 900, '2026-02');
    await tell();
    expect(server.delivered).toHaveLength(2);
    expect(server.delivered[1]?.parsed.text).not.toContain('large');
  });
});

describe('of several processes', () => {
  test('R-operate: two that look at once tell once; what a dead one had claimed is sent by another, under the same id', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helve-notify-'));
    closing.push(async () => rmSync(folder, { recursive: true, force: true }));
    const database = join(folder, 'helve.db');
    const { server, helve, own } = await setUp(['approval'], {
      more: { database, vaultKeys: undefined } as TestHelveOptions,
    });
    const options = optionsFor(server.port);
    const { connections: _, granted: __, ...same } = options;
    let ahead = 0;
    const second = await createTestHelve({
      ...same,
      database,
      workspace: 'unused',
      now: () => new Date(Date.now() + ahead),
    });
    closing.push(second.close);
    await ask(helve, 1);
    await Promise.all([helve.notify(), second.notify()]);
    expect(await helve.storage.workspace(helve.workspaceId).notifications.listMessages({ limit: 10 })).toHaveLength(1);
    // A process takes it, and dies.
    const { notifications } = helve.storage.workspace(helve.workspaceId);
    const later = (ms: number) => new Date(Date.now() + ms).toISOString();
    const claimed = await notifications.claim(later(gatherMs), later(gatherMs + 300_000));
    expect(claimed).toMatchObject({ attempts: 1 });
    helve.advance(gatherMs + 1_000);
    await helve.notify();
    expect(server.delivered).toEqual([]);
    helve.advance(300_000);
    ahead = gatherMs + 301_000;
    await Promise.all([helve.notify(), helve.notify()]);
    expect(server.delivered).toHaveLength(1);
    expect(server.delivered[0]?.parsed.messageId).toBe(`<${claimed?.id.replaceAll('-', '')}@corp.example>`);
    expect(await own()).toMatchObject({ state: 'sent', attempts: 2 });
    // What the dead one would still say is not believed.
    expect(claimed && (await notifications.settle({ ...claimed, state: 'given_up' }, []))).toBe(false);
  });

  test('attack: what was sent while the store was away for a moment is not sent again', async () => {
    const { server, helve, tell, own } = await setUp(['approval']);
    await ask(helve, 1);
    await helve.notify();
    const storage = helve.storage as { workspace: TestHelve['storage']['workspace'] };
    const { workspace } = storage;
    let isAway = true;
    storage.workspace = (workspaceId) => {
      const found = workspace(workspaceId);
      const settle: typeof found.notifications.settle = async (...given) => {
        if (!isAway) return found.notifications.settle(...given);
        isAway = false;
        throw new HelveError('storage_failed', 'The store is away');
      };
      return { ...found, notifications: { ...found.notifications, settle } };
    };
    await tell();
    helve.advance(300_000);
    await helve.notify();
    expect(server.delivered).toHaveLength(1);
    expect(await own()).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('attack: a process whose clock is ahead does not send what another is sending', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helve-notify-'));
    closing.push(async () => rmSync(folder, { recursive: true, force: true }));
    const database = join(folder, 'helve.db');
    const { server, helve, own } = await setUp(['approval'], { more: { database } });
    const { connections: _, granted: __, ...same } = optionsFor(server.port);
    const more = { ...same, database, workspace: 'unused' };
    const second = await createTestHelve({ ...more, now: () => new Date(Date.now() + 600_000) });
    closing.push(second.close);
    // Only the process is ahead: the clock of the store is that of all.
    (second.storage as { now: () => Promise<Date> }).now = () => helve.storage.now();
    await ask(helve, 1);
    await helve.notify();
    helve.advance(gatherMs);
    const { notifications } = helve.storage.workspace(helve.workspaceId);
    const at = (ms: number) => new Date(Date.now() + gatherMs + ms).toISOString();
    expect(await notifications.claim(at(0), at(300_000))).toMatchObject({ attempts: 1 });
    await second.notify();
    expect([server.delivered, await own()]).toEqual([[], expect.objectContaining({ state: 'sending', attempts: 1 })]);
    helve.advance(300_000);
    await second.notify();
    expect(server.delivered).toHaveLength(1);
  });
});

describe('by webhook', () => {
  test('R-operate: signed, with the same id when it is repeated, and without arguments', async () => {
    const hits: { headers: Record<string, string>; body: string }[] = [];
    const hook = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        hits.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(hits.length === 1 ? 500 : 204).end();
      });
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => hook.close(resolve)));
    const { port } = hook.address() as AddressInfo;
    const egress = { allowedAddresses: [`127.0.0.1:${port}`] };
    const { helve, ada, tell } = await setUp([], { more: { egress } });
    const url = `http://127.0.0.1:${port}/hidden-path`;
    const made = await helve.plane.createNotificationChannel(helve.admin, { kind: 'webhook', name: 'Ops', url });
    expect(JSON.stringify([made.channel, await helve.audited()])).not.toContain('hidden-path');
    await helve.plane.chooseNotifications(ada, made.channel.id, { kinds: ['approval'] });
    await ask(helve, 1);
    await tell();
    helve.advance(10_000);
    await helve.notify();
    expect(hits).toHaveLength(2);
    expect(hits[0]?.headers['webhook-id']).toBe(hits[1]?.headers['webhook-id']);
    const [, second] = hits;
    const verifier = new Webhook(made.secret ?? '');
    // The plane's clock is ahead of ours, so only the signature is asked for.
    const { headers = {}, body = '' } = second ?? {};
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    expect(verifier.sign(headers['webhook-id'] ?? '', sentAt, body)).toBe(headers['webhook-signature']);
    expect(JSON.parse(body)).toMatchObject({
      type: 'notification',
      person: { name: 'Ada' },
      items: [{ kind: 'approval' }],
    });
    expect(body).not.toContain(canary);
  });

  test('R-operate: a webhook without encryption is only for this machine, by each of its names', async () => {
    const { helve } = await setUp([]);
    const add = (url: string) =>
      helve.plane.createNotificationChannel(helve.admin, { kind: 'webhook', name: url, url });
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect((await add(`http://${host}:9/x`)).channel.kind).toBe('webhook');
    await expect(add('http://ops.example/x')).rejects.toThrow(/is an https: address/);
  });

  test('R-operate: attack: an address inside the network is not reached without the operator’s word', async () => {
    const { helve, ada, tell } = await setUp([]);
    const url = 'https://127.0.0.1:9/x';
    const made = await helve.plane.createNotificationChannel(helve.admin, { kind: 'webhook', name: 'Ops', url });
    await helve.plane.chooseNotifications(ada, made.channel.id, { kinds: ['approval'] });
    await ask(helve, 1);
    await tell();
    const [message] = await helve.plane.notificationMessages(ada);
    expect(message).toMatchObject({ state: 'sending', error: expect.stringContaining('egress_blocked') });
  });
});

test('R-operate: attack: text from outside is no link, no mention and no format', () => {
  const text = '<!channel> *now* <https://evil.example|click> & more';
  const said = [{ kind: 'budget', key: 'budget:x', text } as const];
  const { blocks, text: fallback } = composeSlack(said);
  expect(blocks[1]).toEqual({ type: 'section', text: { type: 'plain_text', text, emoji: false } });
  expect(JSON.stringify(blocks)).not.toContain('mrkdwn');
  expect(fallback).not.toContain('<');
  expect(composeEmail(said, 'a@b.example')).not.toHaveProperty('html');
});
