/** Reads that leave this machine: recorded before they are sent, sent once, and counted in their row. */
import { describe, expect, test } from 'vitest';
import { sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { connectedTo, named } from '../../toolkits/github/testing/connected.js';

const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
const rowsOf = async (helve: TestHelve, executionId: string) =>
  (await helve.audited()).filter((row) => row.executionId === executionId);

/** A read, and what the audit record contains while it runs. */
function looking(name: string, openWorldHint: boolean) {
  const seen: string[] = [];
  const tool = testTool({
    name,
    annotations: { ...reading, openWorldHint },
    execute: async (_, { executionId }) => {
      seen.push(...(await rowsOf(opened.helve, executionId)).map(({ type }) => type));
      return 'read';
    },
  });
  const opened = {} as { helve: TestHelve };
  return { tool, seen, opened };
}

describe('the start of a read', () => {
  test('is recorded before it is sent, so that a process that dies leaves a row', async () => {
    const out = looking('look_out', true);
    const here = looking('look_here', false);
    const helve = await createTestHelve({ tools: [out.tool, here.tool] });
    out.opened.helve = helve;
    here.opened.helve = helve;
    const { executionId } = await helve.call('look_out');
    expect(out.seen).toEqual(['execution.started']);
    expect((await rowsOf(helve, executionId)).map(({ type }) => type)).toEqual([
      'execution.started',
      'execution.finished',
    ]);
    // A read that stays on this machine has both rows in one commit, afterwards.
    await helve.call('look_here');
    expect(here.seen).toEqual([]);
    await helve.close();
  });

  test('every bundled tool that may leave the machine is marked as such', async () => {
    const helve = await createTestHelve();
    const tools = (await helve.registry.all()).map(({ tool }) => tool);
    const here = tools.filter(({ local }) => local).map(({ id }) => `${id.toolkit}.${id.name}`);
    expect(here).not.toEqual([]);
    expect(
      here.filter(
        (name) =>
          !/^(math|key_value|results|helve|discovery|platform|files|knowledge|memory|documents|shell|code)\./.test(
            name,
          ),
      ),
    ).toEqual([]);
    expect(here).not.toContain('knowledge.semantic_search');
    expect(here).not.toContain('code.install_package');
    const out = tools.filter(({ local }) => !local).map(({ id }) => id.name);
    for (const name of [
      'fetch_page',
      'fetch_url',
      'web_search',
      'image_search',
      'take_screenshot',
      'describe_database',
      'semantic_search',
      'remember',
      'recall',
    ])
      expect(out).toContain(name);
    await helve.close();
  });
});

describe('a configuration that changes during a read', () => {
  /** `meanwhile` happens inside the call, before it answers. */
  async function during(hints: object, meanwhile: (helve: TestHelve) => Promise<unknown>) {
    let runs = 0;
    const tool = testTool({
      name: 'slow',
      annotations: { ...reading, openWorldHint: true, ...hints },
      execute: async () => {
        runs += 1;
        await meanwhile(helve);
        return 'CANARY-answer';
      },
    });
    const helve: TestHelve = await createTestHelve({ tools: [tool] });
    const result = await helve.call('slow');
    const rows = await rowsOf(helve, result.executionId);
    await helve.close();
    return { result, rows, runs: () => runs };
  }
  const touch = (helve: TestHelve) =>
    helve.plane.replacePolicies(helve.admin, [{ id: `p${Math.random()}`, effect: 'allow', when: {} }]);

  test('a request that was sent is not repeated, and its answer is returned while the grant remains', async () => {
    const { result, rows, runs } = await during({}, touch);
    expect(result).toMatchObject({ ok: true, output: 'CANARY-answer' });
    expect(runs()).toBe(1);
    expect(rows.map(({ type }) => type)).toEqual(['execution.started', 'execution.finished']);
    expect(rows[1]?.body).toMatchObject({ status: 'ok', runs: 1 });
  });

  test('its answer is not returned when the grant was removed, and its row says that it ran', async () => {
    const { result, rows, runs } = await during({}, (helve) => helve.plane.replaceGrants(helve.admin, 'tester', []));
    expect(result).toMatchObject({ ok: false, error: { code: 'not_granted' } });
    expect(JSON.stringify([result, rows])).not.toContain('CANARY');
    expect(runs()).toBe(1);
    expect(rows.map(({ type }) => type)).toEqual(['execution.started', 'execution.finished']);
    expect(rows[1]?.body).toMatchObject({ status: 'failed', runs: 1, error: { code: 'not_granted' } });
  });

  test('what a tool with effects did is told and recorded as done, even if the grant was removed', async () => {
    const { result, rows, runs } = await during({ readOnlyHint: false }, (helve) =>
      helve.plane.replaceGrants(helve.admin, 'tester', []),
    );
    expect(result).toMatchObject({ ok: true, output: 'CANARY-answer' });
    expect(runs()).toBe(1);
    expect(rows[1]).toMatchObject({ type: 'execution.finished', body: { status: 'ok' } });
  });

  test('a call that is refused after it ran five times says so', async () => {
    const { result, rows, runs } = await during({ openWorldHint: false }, touch);
    expect(result).toMatchObject({ ok: false, rule: 'record.contended' });
    expect(runs()).toBe(5);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ type: 'execution.refused', body: { runs: 5 } });
  });
});

test('the finish row counts the requests for an account, including repeated ones', async () => {
  const server = await startScripted();
  const helve = await createTestHelve(connectedTo(server.url));
  let left = 2;
  server.answer = (_, response) => {
    left -= 1;
    if (left >= 0) return sendJson(response, 502, { message: 'later' });
    return sendJson(response, 404, { message: 'Not Found' });
  };
  const input = { owner: 'octocat', repo: 'hello-world', issue_number: 7 };
  const { executionId } = await helve.call(named('get_issue'), input);
  const rows = await rowsOf(helve, executionId);
  expect(server.seen).toHaveLength(3);
  expect(rows.at(-1)?.body).toMatchObject({ status: 'failed', runs: 1, requests: 3 });
  await helve.close();
  await server.close();
});
