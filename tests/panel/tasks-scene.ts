/** For tests of pages: issues in every state, with a scripted model that an agent works with. */
import type { IssueView } from '../../src/domain/issue-acts.js';
import { vault } from '../../src/plane/acts/testing/vault-toolkit.js';
import type { TestHelve, TestHelveOptions } from '../../src/testing/index.js';
import { testTool } from '../../src/testing/index.js';
import { untilIssue } from '../../src/testing/until-issue.js';

/** Says what the title of the issue asks for. */
const model = {
  modelId: 'scripted',
  async doGenerate(question: unknown) {
    const { prompt } = question as { prompt: { role: string; content: unknown }[] };
    const told = JSON.stringify(prompt);
    const answered = prompt.filter(({ role }) => role === 'assistant').length;
    const call = (toolName: string, input: object) => ({
      content: [{ type: 'tool-call', toolCallId: `c${answered}`, toolName, input: JSON.stringify(input) }],
      finishReason: 'tool-calls',
      usage: { inputTokens: 1200, outputTokens: 80 },
    });
    if (told.includes('Never ends')) return new Promise<never>(() => {});
    if (answered === 0 && told.includes('Which shelf'))
      return call('ask_person', { question: 'Which shelf?', choices: ['the low one', 'the high one'] });
    if (answered === 0 && told.includes('Pay the invoice')) return call('pay', { to: 'ACME', amount: 120 });
    if (answered === 0) return call('look', { at: 'the record' });
    return {
      content: [{ type: 'text', text: 'I looked at the record and wrote down what I found.' }],
      finishReason: 'stop',
      usage: { inputTokens: 1500, outputTokens: 40 },
    };
  },
};

const never = { type: 'object', properties: { ok: { const: 'no' } }, required: ['ok'] } as const;
const long = 'a_name_that_is_as_long_as_names_of_operations_in_large_catalogues_are';

export const taskOptions: TestHelveOptions = {
  nativeToolkits: [],
  toolkits: [vault],
  tools: [testTool({ name: 'look' }), testTool({ name: 'pay', highRisk: true })],
  granted: ['look', 'pay'],
  models: { language: model as never },
};

/** Returns the ids of the issues by their state or phase. */
export async function fillTasks(helve: TestHelve): Promise<Record<string, string>> {
  const { plane, admin } = helve;
  await plane.createAgent(admin, { slug: 'other', name: long });
  const give = async (title: string, more: object, fits: (issue: IssueView) => boolean) => {
    const { id } = await plane.createIssue(admin, { title, ...more });
    await plane.assignIssue(admin, id, { agent: 'tester' });
    return (await untilIssue(helve, id, fits)).id;
  };
  const check = (schema: object) => ({ kind: 'tool', tool: 'look', arguments: {}, schema });
  const done = await give(
    'Say why the checkout is slow',
    {
      body: 'Customers write that the last step takes ten seconds.\n\nLook at the record of yesterday.',
      labels: ['bug'],
      repo: 'github:acme/shop',
      project: 'shop',
      checks: [check({ type: 'object' })],
    },
    ({ state }) => state === 'done',
  );
  await plane.commentIssue(admin, done, 'Thank you, this is what we needed.');
  const failed = await give(
    'Write the report of November',
    { checks: [check(never), check({ type: 'object' })], limits: { maxAttempts: 2 } },
    ({ state }) => state === 'failed',
  );
  const blocked = await give(
    'Find the ring in the vault',
    { tools: { requiredApps: ['vault'] }, project: 'shop' },
    ({ state }) => state === 'blocked',
  );
  const excluded = await give(
    'Open the vault',
    { tools: { requiredApps: ['vault'], disabled: ['vault'] } },
    ({ state }) => state === 'blocked',
  );
  const question = await give(
    'Which shelf is the ring on?',
    { body: 'Ask somebody who knows.' },
    ({ phase }) => phase === 'waiting_for_answer',
  );
  const approval = await give(
    'Pay the invoice of ACME',
    { project: 'shop' },
    ({ phase }) => phase === 'waiting_for_approval',
  );
  const working = await give('Never ends: watch the record', {}, ({ phase }) => phase === 'working');
  const cancelled = await give(`Never ends: ${long}`, {}, ({ phase }) => phase === 'working');
  await plane.cancelIssue(admin, cancelled);
  const { id: idle } = await plane.createIssue(admin, {
    title: 'Tidy up the shelf',
    body: long.repeat(3),
    org: 'github:acme',
    project: 'shop',
  });
  return { done, failed, blocked, excluded, question, approval, working, cancelled, idle };
}
