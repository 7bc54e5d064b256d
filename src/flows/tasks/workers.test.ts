/**
 * Agents whose issues are worked on by the loops of other SDKs: the same record, the same walls, and after a crash the same answers. The Claude
 * Agent SDK is tested where CLAUDE_AGENT_SDK names its module: its licence is not open, so it does not belong to this repository.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentDrivers } from '../../domain/agent-driver.js';
import type { IssueView } from '../../domain/issue-acts.js';
import type { WorkerKind } from '../../domain/worker-kind.js';
import { createHelve } from '../../helve.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';
import { scriptedModel } from '../../testing/scripted-agent-model.js';
import { untilIssue } from '../../testing/until-issue.js';
import { createClaudeAgentDriver } from '../../workers/claude-agent/index.js';

const { CLAUDE_AGENT_SDK: claudeSdk } = process.env;
const workers: readonly (readonly [WorkerKind, boolean, Partial<AgentDrivers>])[] = [
  ['openai-agents', true, {}],
  [
    'claude-agent',
    claudeSdk !== undefined,
    { 'claude-agent': createClaudeAgentDriver(() => import(/* @vite-ignore */ claudeSdk ?? '')) },
  ],
];

const opened: Pick<TestHelve, 'close'>[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const helve of opened.splice(0)) await helve.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

type Watched = Pick<TestHelve, 'plane' | 'admin'>;

const isOver = ({ state }: IssueView) => ['done', 'failed'].includes(state);
const lastOf = ({ asked }: ReturnType<typeof scriptedModel>) => JSON.stringify(asked.at(-1)?.prompt.at(-1)?.content);

function createShelf() {
  const saved: unknown[] = [];
  const save = (more: object = {}) =>
    testTool({ name: 'save', execute: async (input) => ({ number: saved.push(input) }), ...more });
  return { saved, save };
}

for (const [worker, isThere, drivers] of workers)
  describe.skipIf(!isThere)(`R-agent-worker: ${worker} works on an issue`, { timeout: 120_000 }, () => {
    async function open(options: TestHelveOptions): Promise<TestHelve> {
      const helve = await createTestHelve({ nativeToolkits: [], publicUrl: 'http://localhost', drivers, ...options });
      opened.push(helve);
      await helve.plane.changeAgent(helve.admin, 'tester', { worker });
      return helve;
    }

    async function give(helve: Watched, more: object = {}): Promise<string> {
      const { id } = await helve.plane.createIssue(helve.admin, { title: 'Save the cats', ...more });
      await helve.plane.assignIssue(helve.admin, id, { agent: 'tester' });
      return id;
    }

    it('asks the model of the installation, and each call goes through the plane as the agent', async () => {
      const { saved, save } = createShelf();
      const model = scriptedModel([
        {
          text: 'Two cats.',
          calls: [
            ['save', { what: 'cat' }],
            ['save', { what: 'dog' }],
            ['wipe', {}],
          ],
        },
        { text: 'Both are saved.' },
      ]);
      const helve = await open({
        tools: [save(), testTool({ name: 'wipe' })],
        granted: ['save'],
        models: { language: model },
      });
      const issue = await untilIssue(helve, await give(helve), isOver);
      expect(issue).toMatchObject({ state: 'done', attempts: 1, usage: { steps: 2, tokens: 30 } });
      expect(issue.delivered).toMatchObject({ output: { text: 'Both are saved.' } });
      expect(saved).toEqual([{ what: 'cat' }, { what: 'dog' }]);
      expect(model.asked[0]?.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['save', 'ask_person']));
      // The results are in the order of the calls, and the one that was refused says why.
      const results = model.asked.at(-1)?.prompt.at(-1)?.content as readonly { readonly toolName: string }[];
      expect(results.map(({ toolName }) => toolName)).toEqual(['save', 'save', 'wipe']);
      expect(lastOf(model)).toMatch(/"number\\?".*error/);
      const started = (await helve.audited()).filter(({ type }) => type === 'execution.started');
      expect(started.map(({ actor, tool }) => [actor.kind, tool])).toEqual([
        ['agent', 'Custom.save'],
        ['agent', 'Custom.save'],
      ]);
    });

    it('R-approval: waits for an approval without a process, and makes the call once', async () => {
      const { saved, save } = createShelf();
      const model = scriptedModel([{ calls: [['save', { what: 'cat' }]] }, { text: 'Saved.' }]);
      const helve = await open({ tools: [save({ highRisk: true })], models: { language: model } });
      const id = await give(helve);
      await untilIssue(helve, id, ({ phase }) => phase === 'waiting_for_approval');
      const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
      await helve.plane.decideApproval(helve.admin, approval?.id ?? '', 'approved', 'api');
      expect(await untilIssue(helve, id, isOver)).toMatchObject({ state: 'done', usage: { steps: 2 } });
      expect([saved.length, model.asked.length]).toEqual([1, 2]);
    });

    it('hands in a result of the required form, and goes on where an answer was cut off', async () => {
      const model = scriptedModel([
        { text: 'It is', finish: 'length' },
        { text: ' three.' },
        { calls: [['submit_result', { number: 3 }]] },
      ]);
      const helve = await open({ tools: [createShelf().save()], models: { language: model } });
      const schema = { type: 'object', properties: { number: { const: 3 } }, required: ['number'] };
      const id = await give(helve, { checks: [{ kind: 'output', schema }] });
      expect(await untilIssue(helve, id, isOver)).toMatchObject({
        state: 'done',
        delivered: { output: { number: 3 } },
      });
      expect(model.asked).toHaveLength(3);
    });

    it('ends with its budget', async () => {
      const { saved, save } = createShelf();
      const model = scriptedModel(Array.from({ length: 20 }, () => ({ calls: [['save', {}]] as const })));
      const helve = await open({ tools: [save()], models: { language: model } });
      const id = await give(helve, { limits: { maxSteps: 2, maxAttempts: 1 } });
      expect(await untilIssue(helve, id, isOver)).toMatchObject({
        state: 'failed',
        lastError: { code: 'budget_used' },
      });
      expect([saved.length, model.asked.length]).toEqual([2, 2]);
    });

    it.each([
      'a call',
      'an answer',
    ] as const)('R-durable-runs: a process that stops in the middle of %s is continued', async (where) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'helve-workers-'));
      folders.push(dataDir);
      const { saved, save } = createShelf();
      let holds = true;
      let reached = (): void => {};
      const isThereNow = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const hold = async (): Promise<void> => {
        if (!holds) return;
        reached();
        await new Promise(() => {});
      };
      const look = testTool({
        name: 'look',
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        async execute() {
          if (where === 'a call') await hold();
          return { seen: 1 };
        },
      });
      const inner = scriptedModel([
        {
          calls: [
            ['save', { what: 'cat' }],
            ['save', { what: 'dog' }],
          ],
        },
        { calls: [['look', {}]] },
        { text: 'Saved.' },
      ]);
      const model = {
        ...inner,
        async doGenerate(question: unknown) {
          const answer = await inner.doGenerate(question);
          if (where === 'an answer' && inner.asked.length === 3) await hold();
          return answer;
        },
      };
      const options = {
        dataDir,
        nativeToolkits: [],
        publicUrl: 'http://localhost',
        drivers,
        tools: [save(), look],
        models: { language: model },
      };
      const first = await open(options);
      const id = await give(first);
      await isThereNow;
      await opened.pop()?.close();
      holds = false;
      const second = await createHelve(options);
      opened.push(second);
      const watched = { plane: second.plane, admin: first.admin };
      expect(await untilIssue(watched, id, isOver)).toMatchObject({ state: 'done', attempts: 1, usage: { steps: 3 } });
      expect(saved).toEqual([{ what: 'cat' }, { what: 'dog' }]);
      // Only the answer that had not arrived is asked for again.
      expect(inner.asked).toHaveLength(where === 'an answer' ? 4 : 3);
    });
  });

it('R-agent-worker: an SDK that is not installed is named, with what to do', async () => {
  const missing = createClaudeAgentDriver(() => import(/* @vite-ignore */ `@anthropic-ai/claude-agent-sdk${''}`));
  const work = { system: '', prompt: '', tools: [], signal: new AbortController().signal } as never;
  await expect(missing.drive(work)).rejects.toMatchObject({
    code: 'invalid_config',
    hint: 'npm install @anthropic-ai/claude-agent-sdk',
  });
});
