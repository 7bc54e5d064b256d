/** Checks that look at the folder of an issue, or ask a person, and the time that verification may take. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { IssueView, NewIssue } from '../../src/domain/issue-acts.js';
import type { JsonValue } from '../../src/domain/json.js';
import type { Principal } from '../../src/domain/principal.js';
import type { Check, CheckResult } from '../../src/domain/task.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../src/testing/index.js';
import { untilIssue } from '../../src/testing/until-issue.js';
import { newId } from '../../src/util/hash.js';
import { missing } from '../commands/ground.js';

let dataDir: string;
let helve: TestHelve;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'helve-checks-'));
});
afterEach(async () => {
  await helve?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

type Model = NonNullable<NonNullable<TestHelveOptions['models']>['language']>;

/** The agent's own questions are never answered: the test says when its work is complete. A judge finds everything good. */
const busy: Model = {
  modelId: 'busy',
  async doGenerate({ tools, abortSignal }) {
    if (!tools?.some(({ name }) => name === 'submit_judgement'))
      return new Promise((_, no) => abortSignal?.addEventListener('abort', () => no(new Error('aborted'))));
    const input = JSON.stringify({ passed: true, reason: 'Fine' });
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'submit_judgement', input };
    return { content: [call], finishReason: 'tool-calls', usage: { inputTokens: 40, outputTokens: 2 } };
  },
};

async function open(more: TestHelveOptions = {}): Promise<void> {
  const toolConfig = { run_command: { allowed_commands: ['sh', 'cat', 'sleep'] } } as never;
  helve = await createTestHelve({ dataDir, models: { language: busy }, toolConfig, ...more });
}

const tell = (id: string, event: { readonly type: string; readonly [key: string]: JsonValue }) =>
  helve.storage.workspace(helve.workspaceId).actors.send({ to: { kind: 'issue', id }, id: newId(), event });

async function start(checks: readonly Check[], more: Partial<NewIssue> = {}): Promise<string> {
  const { id } = await helve.plane.createIssue(helve.admin, { title: 'It breaks', checks, ...more });
  await helve.plane.assignIssue(helve.admin, id, { agent: 'tester' });
  await untilIssue(helve, id, ({ state }) => state === 'executing');
  return id;
}

/** The issue after the attempt's work was verified, or while a person is asked. */
async function complete(id: string): Promise<IssueView> {
  const { attempts } = await helve.plane.getIssue(helve.admin, id);
  await tell(id, { type: 'COMPLETED', result: 'done' });
  return untilIssue(
    helve,
    id,
    (issue) => ['done', 'failed'].includes(issue.state) || issue.attempts > attempts || issue.waitsFor !== undefined,
  );
}

interface Found {
  readonly passed: boolean;
  readonly reasons: readonly string[];
  readonly evidence: readonly CheckResult[];
}
const found = ({ verification }: IssueView) => verification as unknown as Found;

const scope = { apps: 'all', disabled: [], includeDefaults: true, requiredApps: [], impossible: [], why: {} } as const;
async function write(issueId: string, path: string, content: string): Promise<void> {
  const principal: Principal = { ...helve.agent, task: { issueId, ...scope } };
  const result = await helve.plane.execute({ principal, tool: 'write_file', input: { path, content } });
  if (!result.ok) throw new Error(result.error.message);
}

describe.skipIf(missing)(`a command${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const check: Check = { kind: 'command', command: ['sh', 'test.sh'] };

  test('R-agent-worker: decides by its exit code, in the folder of the issue, and its output reaches the agent', async () => {
    await open();
    const id = await start([check]);
    await write(id, 'test.sh', 'echo 3 tests, 1 red; exit 3');
    const rejected = await complete(id);
    expect(rejected).toMatchObject({ state: 'executing', attempts: 2 });
    expect(found(rejected).evidence[0]).toMatchObject({
      check: 'command sh test.sh',
      passed: false,
      evidence: { exitCode: 3, stoppedBy: null, output: '3 tests, 1 red\n', execution: expect.any(String) },
    });
    expect(found(rejected).reasons[0]).toMatch(/It ended with exit code 3, not 0:\n3 tests, 1 red/);
    await write(id, 'test.sh', 'echo green');
    expect(await complete(id)).toMatchObject({ state: 'done' });
    // The agent made the call, for the person.
    const calls = (await helve.plane.listCalls(helve.admin, { tool: 'run_command' })).calls;
    expect(calls).toMatchObject([{ actor: { name: 'tester' } }, { onBehalfOf: { id: helve.admin.id } }]);
  });

  test('R-agent-worker: another exit code may be wanted; a limit of time fails', async () => {
    await open();
    const id = await start([
      { kind: 'command', command: ['sh', '-c', 'exit 4'], exitCode: 4 },
      { kind: 'command', command: ['sleep', '60'], timeoutSeconds: 1 },
    ]);
    const [first, second] = found(await complete(id)).evidence;
    expect([first?.passed, second?.passed, second?.reason]).toEqual([
      true,
      false,
      expect.stringMatching(/limit on time/),
    ]);
  });

  test('R-grants: does not run without the grant of the agent', async () => {
    await open();
    const id = await start([
      { kind: 'command', command: ['sh', '-c', 'echo ran > ran'] },
      { kind: 'files', paths: ['ran'] },
    ]);
    await helve.plane.replaceGrants(helve.admin, 'tester', []);
    expect(found(await complete(id)).reasons).toEqual([
      expect.stringMatching(/^command sh -c .*: not_granted: /),
      'files: These are not in the folder: ran',
    ]);
  });
});

test('R-agent-worker: files must be there, and have the text', async () => {
  await open();
  const id = await start([{ kind: 'files', paths: ['src/**/*.ts', 'NOTES'], pattern: 'fixed: \\w+' }]);
  expect(found(await complete(id)).reasons).toEqual(['files: These are not in the folder: src/**/*.ts, NOTES']);
  const principal: Principal = { ...helve.agent, task: { issueId: id, ...scope } };
  await helve.plane.execute({ principal, tool: 'create_directory', input: { path: 'src/a' } });
  await write(id, 'src/a/b.ts', '// fixed: it');
  await write(id, 'NOTES', 'nothing');
  expect(found(await complete(id)).reasons[0]).toBe(
    'files: These are not in the folder: NOTES (1 there, none with the pattern)',
  );
  await write(id, 'NOTES', 'all\nfixed: now');
  const done = await complete(id);
  expect(done.state).toBe('done');
  expect(JSON.stringify(found(done).evidence)).toContain('/work/src/a/b.ts');
  expect(JSON.stringify(found(done).evidence)).not.toContain('fixed: it');
});

describe('a person', () => {
  function counting() {
    const seen = { calls: 0 };
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    const execute = async () => {
      seen.calls += 1;
      return 'fine';
    };
    return Object.assign(seen, { tool: testTool({ name: 'probe', annotations, execute }) });
  }
  const probe: Check = { kind: 'tool', tool: 'probe', schema: { const: 'fine' } };
  const person: Check = { kind: 'person', question: 'Does it look right?' };

  test('R-agent-worker: is asked once everything else has passed, sees the evidence, and accepts', async () => {
    const counter = counting();
    await open({ tools: [counter.tool] });
    const id = await start([person, probe]);
    const waiting = await complete(id);
    expect(waiting).toMatchObject({
      state: 'verifying',
      waitsFor: { for: 'check', asks: [{ check: 0, question: 'Does it look right?', who: null }] },
    });
    expect(found(waiting).evidence).toMatchObject([{ check: 'tool probe', passed: true }]);
    // A person may take longer than verification may.
    const { timers } = await helve.plane.getActor(helve.admin, { kind: 'issue', id });
    expect(timers).toEqual([]);
    const done = await helve.plane.decideCheck(helve.admin, id, { check: 0, accepted: true });
    expect(done.state === 'done' ? done : await untilIssue(helve, id, ({ state }) => state === 'done')).toMatchObject({
      state: 'done',
    });
    const after = await helve.plane.getIssue(helve.admin, id);
    expect(after.waitsFor).toBeUndefined();
    expect(found(after).evidence).toMatchObject([
      { check: 'person', passed: true, evidence: { by: { id: helve.admin.id } } },
      { check: 'tool probe' },
    ]);
    // What had been found was not looked up again.
    expect(counter.calls).toBe(1);
    await expect(helve.plane.decideCheck(helve.admin, id, { check: 0, accepted: true })).rejects.toMatchObject({
      code: 'conflict',
    });
    const rows = (await helve.audited()).filter(({ type }) => type === 'issue.check_decided');
    expect(rows).toMatchObject([{ body: { issue: id, check: 0, accepted: true } }]);
  });

  test('R-agent-worker: refuses with a reason, which the next attempt reads; that one is asked again', async () => {
    await open();
    const id = await start([person]);
    await complete(id);
    await expect(helve.plane.decideCheck(helve.admin, id, { check: 0, accepted: false })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await helve.plane.decideCheck(helve.admin, id, { check: 0, accepted: false, reason: 'It is blue' });
    const rejected = await untilIssue(helve, id, ({ attempts }) => attempts === 2);
    expect(found(rejected).reasons).toEqual([expect.stringMatching(/^person: .* did not accept it: It is blue$/)]);
    expect(await complete(id)).toMatchObject({ state: 'verifying', waitsFor: { for: 'check' } });
  });

  test('R-agent-worker: is not asked about work that has failed another check', async () => {
    await open();
    const id = await start([{ kind: 'output', schema: { const: 'something else' } }, person]);
    expect(await complete(id)).toMatchObject({ state: 'executing', attempts: 2 });
  });

  test('attack: nobody else decides: no agent, no key for a named person, nobody before it is asked', async () => {
    await open();
    const { plane, admin } = helve;
    const id = await start([{ kind: 'person', who: admin.id }, person]);
    const accept = (by: Principal, check: number) => plane.decideCheck(by, id, { check, accepted: true });
    await expect(accept(admin, 0)).rejects.toMatchObject({ code: 'conflict' });
    await complete(id);
    const worker: Principal = { ...helve.agent, task: { issueId: id, ...scope }, onBehalfOf: admin };
    for (const by of [helve.agent, worker, { ...worker, permissions: admin.permissions }])
      await expect(accept(by, 1)).rejects.toMatchObject({ code: 'forbidden' });
    const key: Principal = { ...admin, kind: 'api_key', id: 'key', name: 'key' };
    await expect(accept(key, 0)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(accept(admin, 2)).rejects.toMatchObject({ code: 'conflict' });
    await accept(key, 1);
    const one = await untilIssue(
      helve,
      id,
      ({ waitsFor }) =>
        JSON.stringify(waitsFor ?? {}).includes('"check":0') && !JSON.stringify(waitsFor ?? {}).includes('"check":1'),
    );
    expect(one.state).toBe('verifying');
    await accept(admin, 0);
    await untilIssue(helve, id, ({ state }) => state === 'done');
  });

  test('attack: an agent does not remove the check of a person, nor change other checks but of an issue that it filed', async () => {
    await open();
    const { plane, agent } = helve;
    const id = await start([person]);
    await complete(id);
    const changes = { checks: [{ kind: 'output', schema: {} }] } as const;
    await expect(plane.updateIssue(agent, id, changes)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await plane.getIssue(agent, id)).toMatchObject({ state: 'verifying', checks: [person] });
    expect(await plane.updateIssue(agent, id, { labels: ['blue'] })).toMatchObject({ labels: ['blue'] });
    const own = await plane.createIssue(agent, { title: 'It breaks', checks: [probe] });
    expect(await plane.updateIssue(agent, own.id, changes)).toMatchObject(changes);
    await plane.updateIssue(helve.admin, own.id, { checks: [person] });
    await expect(plane.updateIssue(agent, own.id, changes)).rejects.toMatchObject({ code: 'forbidden' });
    const more = { checks: [...changes.checks, person] };
    expect(await plane.updateIssue(agent, own.id, more)).toMatchObject(more);
  });

  test('attack: of two who decide at the same moment, one is told that somebody else has decided', async () => {
    await open();
    const id = await start([person], { limits: { maxAttempts: 1 } });
    await complete(id);
    const decide = (accepted: boolean) =>
      helve.plane.decideCheck(helve.admin, id, { check: 0, accepted, reason: 'It is blue' });
    const said = await Promise.allSettled([decide(true), decide(false)]);
    expect(said.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(said[1]).toMatchObject({
      reason: { code: 'conflict', message: expect.stringMatching(/^Somebody else has just/) },
    });
    await untilIssue(helve, id, ({ state }) => state === 'done');
  });

  test('attack: two who are asked about different checks both decide at the same moment', async () => {
    await open();
    const id = await start([person, { kind: 'person', question: 'And is it fast?' }]);
    await complete(id);
    const decide = (check: number) => helve.plane.decideCheck(helve.admin, id, { check, accepted: true });
    await Promise.all([decide(0), decide(1)]);
    await untilIssue(helve, id, ({ state }) => state === 'done');
  });

  test('attack: work is not done although its pull request turned red while a person was asked', async () => {
    await open();
    const id = await start([{ kind: 'pull_request' }, person], { limits: { maxAttempts: 1 } });
    const checks = { type: 'CHECKS_CHANGED', pr: 'github:acme/shop#7' };
    await tell(id, { ...checks, state: 'success' });
    expect(await complete(id)).toMatchObject({ state: 'verifying', waitsFor: { for: 'check' } });
    await tell(id, { ...checks, state: 'pending' });
    await helve.plane.decideCheck(helve.admin, id, { check: 1, accepted: true });
    await tell(id, { ...checks, state: 'failure', failed: ['lint'] });
    const over = await untilIssue(helve, id, ({ state }) => state === 'done' || state === 'failed');
    expect(over.state).toBe('failed');
    expect(found(over).reasons).toEqual(['pull_request: Checks of github:acme/shop#7 have failed: lint']);
  });

  test('a check that was changed while somebody was asked is asked again', async () => {
    await open();
    const id = await start([person]);
    await complete(id);
    await helve.plane.updateIssue(helve.admin, id, { checks: [{ kind: 'person', question: 'And this?' }] });
    await helve.plane.decideCheck(helve.admin, id, { check: 0, accepted: true });
    // The decision named the check that is there now, so it counts for this one.
    await untilIssue(helve, id, ({ state }) => state === 'done');
  });
  test('nobody is waited for once no check asks a person any more', async () => {
    const counter = counting();
    await open({ tools: [counter.tool] });
    const id = await start([person, probe]);
    await complete(id);
    await helve.plane.updateIssue(helve.admin, id, { checks: [probe] });
    await untilIssue(helve, id, ({ state }) => state === 'done');
    // What had been found was not looked up again, although its check has another place.
    expect(counter.calls).toBe(1);
  });
});

describe('the time that verification may take', () => {
  test('R-agent-worker: a pull request that never reports is a reason, and the last attempt has failed with it', async () => {
    await open();
    const id = await start([{ kind: 'pull_request' }], { limits: { verifyMs: 1_000, maxAttempts: 1 } });
    const failed = await complete(id);
    expect(failed).toMatchObject({
      state: 'failed',
      lastError: { code: 'timeout', message: expect.stringMatching(/longer than 1 s.* none has reported its checks/) },
    });
    expect(found(failed)).toMatchObject({ passed: false, reasons: [failed.lastError?.message] });
  });

  test('R-agent-worker: while attempts are left, the next one begins with that reason; a late report changes nothing', async () => {
    await open();
    const id = await start([{ kind: 'pull_request' }], { limits: { verifyMs: 1_000 } });
    await tell(id, { type: 'CHECKS_CHANGED', pr: 'github:acme/shop#7', state: 'pending' });
    const again = await complete(id);
    expect(again).toMatchObject({ state: 'executing', attempts: 2 });
    expect(found(again).reasons).toEqual([expect.stringMatching(/the checks of github:acme\/shop#7 have not ended/)]);
  });
});

test('R-agent-worker: what a judge uses counts like what the worker uses', async () => {
  await open();
  const id = await start([
    { kind: 'output', schema: {} },
    { kind: 'model', rubric: 'It is polite' },
  ]);
  expect(await complete(id)).toMatchObject({ state: 'done', usage: { steps: 1, tokens: 42 } });
});
