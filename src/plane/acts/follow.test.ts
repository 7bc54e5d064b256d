/** Who may follow a call live: its caller. Others get the audit record's view, and nothing about a private account. */
import { afterEach, describe, expect, test } from 'vitest';
import type { ExecutionEvent } from '../../domain/execution.js';
import type { Principal } from '../../domain/principal.js';
import type { ToolkitDefinition } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

const secret = 'the-password-of-ada';
const long = 'y'.repeat(5_000);

function waiting(name: string) {
  let release: () => void = () => undefined;
  const tool = testTool({
    name,
    async execute(_input, { progress }) {
      progress({ progress: 1, message: `found ${secret}` });
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return { password: secret, long };
    },
  });
  return { tool, release: () => release() };
}

const mailbox = (tool: ReturnType<typeof testTool>): ToolkitDefinition => ({
  slug: 'mail',
  title: 'Mail',
  description: 'Mail',
  category: 'test',
  auth: {
    schemes: [{ id: 'token', kind: 'api_key', title: 'T', fields: [{ name: 'token', title: 'T', secret: true }] }],
  },
  load: async () => [tool],
});

async function open(visibility: 'private' | 'workspace') {
  const slow = waiting('slow');
  const fetches = waiting('fetch_mail');
  const account = { toolkit: 'mail', name: 'Work', visibility, credentials: { token: 'token-12345' } };
  helve = await createTestHelve({ tools: [slow.tool], toolkits: [mailbox(fetches.tool)], connections: [account] });
  return { slow, fetches };
}

/** All events that this principal gets about a call by `caller` that is running when following starts. */
async function told(caller: Principal, follower: Principal, tool: string, release: () => void, input: object = {}) {
  let begun: (id: string) => void = () => undefined;
  const started = new Promise<string>((resolve) => {
    begun = resolve;
  });
  let id = '';
  const call = helve.execute({
    principal: caller,
    tool,
    input,
    onStart: (executionId) => {
      id = executionId;
    },
    onProgress: () => begun(id),
  });
  const executionId = await started;
  const events: ExecutionEvent[] = [];
  let code = '';
  const following = helve.plane.follow(follower, executionId, new AbortController().signal)[Symbol.asyncIterator]();
  // Following starts now; what is told of it may come later.
  const first = following.next();
  const rest = (async () => {
    try {
      for (let next = await first; !next.done; next = await following.next()) events.push(next.value);
    } catch (error) {
      code = (error as { code: string }).code;
    }
  })();
  release();
  expect(await call).toMatchObject({ ok: true });
  await rest;
  return { types: events.map(({ type }) => type), text: JSON.stringify(events), code };
}

const key = (permissions: Principal['permissions']): Principal => ({
  kind: 'api_key',
  id: 'k1',
  name: 'watcher',
  workspaceId: helve.workspaceId,
  permissions,
});
const forPerson = (person: string): Principal => ({
  ...helve.agent,
  onBehalfOf: { kind: 'user', id: person, name: person },
});

test('R-stream: the caller follows its own call to its result', async () => {
  const { slow } = await open('workspace');
  const { types, text } = await told(helve.agent, helve.agent, 'slow', slow.release);
  expect(types).toEqual(['started', 'progress', 'finished']);
  expect(text).toContain(secret);
  expect(text).toContain(long);
});

test('R-stream: a key that may read the record gets the audit record’s view of another caller’s call: redacted and cut', async () => {
  const { slow } = await open('workspace');
  const { types, text } = await told(helve.agent, key(['audit:read', 'tools:read']), 'slow', slow.release);
  expect(types).toEqual(['started', 'recorded']);
  expect(text).not.toContain(secret);
  expect(text).not.toContain(long);
  expect(text).toContain('more characters');
});

test('R-stream: an agent for one person does not follow its calls for another', async () => {
  const { slow } = await open('workspace');
  const { text } = await told(forPerson('ada'), forPerson('bo'), 'slow', slow.release);
  expect(text).not.toContain(secret);
});

test.each([
  'directly',
  'through call_tool',
])('R-stream: a call on a private account, made %s, is hidden from others', async (way) => {
  const { fetches } = await open('private');
  const tools = await helve.tools({ principal: helve.admin, all: true });
  const name = tools.find(({ tool }) => tool.id.name === 'fetch_mail')?.name ?? '';
  const call =
    way === 'directly' ? { tool: name, input: {} } : { tool: 'call_tool', input: { tool: name, arguments: {} } };
  const run = (follower: Principal) => told(helve.admin, follower, call.tool, fetches.release, call.input);
  const hidden = await run(key(['audit:read', 'tools:read']));
  expect(hidden.code).toBe('not_found');
  // That a call is running is told before it is known on which account.
  expect(hidden.types).toEqual(way === 'directly' ? [] : ['started']);
  // The control: its owner follows it.
  expect((await run(helve.admin)).types).toContain('finished');
});

describe('on a private account', () => {
  const watcher = () => key(['audit:read', 'tools:read']);
  const owner = (): Principal => forPerson(helve.admin.id);

  test('leak: nothing is told of a call whose name fits several accounts, until it is known on which it was made', async () => {
    const { fetches } = await open('private');
    const { id } = await helve.plane.addConnection(helve.admin, {
      toolkit: 'mail',
      name: 'Home',
      visibility: 'private',
    });
    await helve.plane.connect(helve.admin, id, { credentials: { token: 'token-12345' }, check: false });
    const { types, code } = await told(owner(), watcher(), 'MAIL_FETCH_MAIL', fetches.release);
    expect([types, code]).toEqual([[], 'not_found']);
  });

  test('attack: the record of a call is followed by who made it, also without the account, and by nobody else', async () => {
    const { fetches } = await open('private');
    let id = '';
    const run = (principal: Principal) =>
      helve.execute({
        principal,
        tool: 'work__fetch_mail',
        input: {},
        onStart: (executionId) => {
          id = executionId;
        },
        onProgress: () => setImmediate(fetches.release),
      });
    const follow = async (by: Principal) => {
      const events: ExecutionEvent[] = [];
      for await (const event of helve.plane.follow(by, id, new AbortController().signal)) events.push(event);
      return events.map(({ type }) => type);
    };
    const nobody = async (...others: Principal[]) => {
      for (const by of others) await expect(follow(by)).rejects.toMatchObject({ code: 'not_found' });
    };
    expect(await run(owner())).toMatchObject({ ok: true });
    expect(await follow(owner())).toEqual(['recorded']);
    await nobody(forPerson('bo'), helve.agent, watcher());
    expect(await run(helve.admin)).toMatchObject({ ok: true });
    await nobody(watcher());
    await helve.plane.removeConnection(helve.admin, 'work');
    expect(await follow(helve.admin)).toEqual(['recorded']);
    await nobody(watcher());
  });
});

test('attack: once the token of the caller is revoked, nothing more is told of the call that it follows', async () => {
  const { slow } = await open('workspace');
  const { plane, admin } = helve;
  const { secret: token, credential } = await plane.issueAgentToken(admin, 'tester', {});
  const caller = await plane.authenticate(token);
  const events: ExecutionEvent[] = [];
  const follow = async (executionId: string) => {
    for await (const event of plane.follow(caller, executionId, AbortSignal.timeout(10_000))) {
      events.push(event);
      if (event.type !== 'progress') continue;
      await plane.revokeCredential(admin, credential.id);
      slow.release();
    }
  };
  let following: Promise<void> | undefined;
  const onStart = (id: string) => {
    following = follow(id);
    following.catch(() => undefined);
  };
  await helve.execute({ principal: helve.agent, tool: 'slow', input: {}, onStart });
  await expect(following).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(events.map(({ type }) => type)).toEqual(['started', 'progress']);
});
