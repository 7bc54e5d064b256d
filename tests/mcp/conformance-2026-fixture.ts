/**
 * What the official conformance suite needs from a server at 2026-07-28 besides the shared tools of `conformance-fixture.ts`:
 * tools that ask their client by interim results, log, need a capability, change the list of tools, or mark arguments for
 * headers. The questions have the names that the suite uses.
 */
import { clientCannot } from '../../src/domain/context.js';
import type { JsonSchema } from '../../src/domain/json.js';
import { defineToolkit, type ToolDefinition } from '../../src/domain/tool.js';
import type { McpExtras } from '../../src/surfaces/mcp/index.js';
import { conformanceExtras, fixture, sharedTools, text } from './conformance-fixture.js';

const form = (name: string, type = 'string'): JsonSchema => ({
  type: 'object',
  properties: { [name]: { type } },
  required: [name],
});

const prefix = 'test_input_required_result';

const asking: readonly ToolDefinition[] = [
  fixture(`${prefix}_elicitation`, 'Asks for a name', async (_input, { client }) => {
    const answer = await client?.elicit?.('What is your name?', form('name'), 'user_name');
    const { name } = (answer?.content ?? {}) as { name?: string };
    return text(`Hello, ${name ?? 'stranger'}!`);
  }),
  fixture(`${prefix}_sampling`, 'Asks the client’s model', async (_input, { client }) =>
    text(String(await client?.sample?.('What is the capital of France?', 100, 'capital_question'))),
  ),
  fixture(`${prefix}_list_roots`, 'Asks for the roots', async (_input, { client }) => {
    const roots = await client?.roots?.('client_roots');
    return text(`Roots: ${roots?.map(({ uri }) => uri).join(', ')}`);
  }),
  fixture(`${prefix}_request_state`, 'Asks, and says that the state came back', async (_input, { client }) => {
    await client?.elicit?.('Please confirm', form('ok', 'boolean'), 'confirm');
    // An answer reaches a tool only if its state came back unchanged.
    return text('state-ok');
  }),
  fixture(`${prefix}_tampered_state`, 'Asks, for a client that changes the state', async (_input, { client }) => {
    await client?.elicit?.('Please confirm', form('ok', 'boolean'), 'confirm');
    return text('state-ok');
  }),
  fixture(`${prefix}_multiple_inputs`, 'Asks three things at once', async (_input, { client }) => {
    const answers = await Promise.all([
      client?.elicit?.('What is your name?', form('name'), 'user_name'),
      client?.sample?.('Generate a greeting', 50, 'greeting'),
      client?.roots?.('client_roots'),
    ]);
    return text(JSON.stringify(answers));
  }),
  fixture(`${prefix}_multi_round`, 'Asks twice, one after the other', async (_input, { client }) => {
    const name = await client?.elicit?.('Step 1: What is your name?', form('name'), 'step1');
    const color = await client?.elicit?.('Step 2: What is your favorite color?', form('color'), 'step2');
    return text(JSON.stringify([name, color]));
  }),
  fixture(`${prefix}_capabilities`, 'Asks what the client can answer', async (_input, { client }) => {
    const answers = await Promise.all([
      client?.elicit?.('What is your name?', form('name'), 'user_name'),
      client?.sample?.('Generate a greeting', 50, 'greeting'),
    ]);
    return text(JSON.stringify(answers));
  }),
  fixture('test_streaming_elicitation', 'Reports progress, and then asks', async (_input, { client, progress }) => {
    progress({ progress: 1, total: 2 });
    return text(JSON.stringify(await client?.elicit?.('Go on?', { type: 'object', properties: {} })));
  }),
  fixture('test_missing_capability', 'Needs a client with a model', async (_input, { client }) => {
    if (client?.sample === undefined) throw clientCannot('sampling');
    return text(await client.sample('Hello', 10));
  }),
];

/** The effect of `test_trigger_tool_change`: the test knows whose tools to change. */
export const hooks: { changeTools: () => Promise<void> } = { changeTools: async () => undefined };

const others: readonly ToolDefinition[] = [
  fixture('test_logging_tool', 'Logs while it runs', async (_input, { client }) => {
    for (const line of ['started', 'working', 'completed']) await client?.log('info', line);
    return text('Logged three times.');
  }),
  fixture('test_trigger_tool_change', 'Changes the list of tools', async () => {
    await hooks.changeTools();
    return text('Changed.');
  }),
  fixture('test_headers', 'Has arguments that are repeated in headers', async (input) => text(JSON.stringify(input)), {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      limit: { type: 'integer', 'x-mcp-header': 'Limit' },
      query: { type: 'string' },
    },
    required: ['region'],
  }),
];

/** Their start is recorded before they run, so that calls that the suite never continues are recorded too. */
const withEffects = [...asking, ...others].map((tool) => ({
  ...tool,
  annotations: { ...tool.annotations, readOnlyHint: false },
}));

export const tools2026: readonly ToolDefinition[] = [...sharedTools, ...withEffects];

export const toolkit2026 = defineToolkit({
  slug: 'conformance',
  title: 'Conformance',
  description: 'The tools that the MCP conformance suite calls at 2026-07-28',
  category: 'testing',
  internal: true,
  load: async () => tools2026,
});

const askingPrompt = `${prefix}_prompt`;

export const extras2026: McpExtras = {
  ...conformanceExtras,
  prompts: {
    async list(principal) {
      const known = (await conformanceExtras.prompts?.list(principal)) ?? [];
      return [...known, { name: askingPrompt, description: 'A prompt that asks for its context' }];
    },
    async get(principal, asked) {
      if (asked.name !== askingPrompt) return conformanceExtras.prompts?.get(principal, asked);
      const question = 'What context should the prompt use?';
      const answer = await asked.client.elicit?.(question, form('context'), 'user_context');
      const { context } = (answer?.content ?? {}) as { context?: string };
      return { messages: [{ role: 'user', content: { type: 'text', text: `In the context of ${context}.` } }] };
    },
  },
};
