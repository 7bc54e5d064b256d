/** The functions of the former service, over a whole plane, with the AI SDK that they were written for. */
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ListedTool } from '../../domain/execution.js';
import { defineToolkit } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import {
  convertComposioToolToDefinition,
  createComposioTools,
  extractComposioActionName,
  isComposioToolId,
  migrateToolId,
} from './index.js';
import { extractToolArguments } from './tool-arguments.js';

const inputSchema = {
  type: 'object',
  properties: { to: { type: 'string', description: 'Whom to write to' }, threadId: { type: 'string' } },
  required: ['to'],
  additionalProperties: false,
};
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const mailer = defineToolkit({
  slug: 'mailer',
  title: 'Mailer',
  description: 'Mail.',
  category: 'communication',
  auth: {
    schemes: [
      {
        id: 'key',
        kind: 'api_key',
        title: 'Key',
        exposed: true,
        fields: [{ name: 'key', title: 'Key', secret: true }],
      },
    ],
  },
  load: async () => [
    testTool({
      name: 'send_mail',
      inputSchema,
      annotations,
      execute: async (input, { connection }) =>
        ({ input, by: (await connection.fields()).key === 'k1' ? 'first' : 'second' }) as never,
    }),
  ],
});

let helve: TestHelve;
let listed: readonly ListedTool[];
const report = vi.fn();
const connect = (name: string, key: string) => ({ toolkit: 'mailer', name, scheme: 'key', credentials: { key } });

beforeAll(async () => {
  helve = await createTestHelve({
    toolkits: [mailer],
    tools: [
      testTool({ name: 'long_text', annotations, execute: async () => 'x'.repeat(30_000) }),
      testTool({ name: 'look_up', annotations, inputSchema }),
      testTool({ name: 'fails', annotations, execute: () => Promise.reject(new Error('broken')) }),
    ],
    connections: [connect('Work', 'k1'), connect('Home', 'k2')],
  });
  listed = await helve.tools({ principal: helve.agent });
});
afterAll(() => helve.close());

const tools = () => createComposioTools(helve, { principalOf: () => helve.agent, report, resultMaxChars: 1_000 });
const accountOf = (name: string): string => listed.find((tool) => tool.name === name)?.connectionId ?? '';

describe('R-schema: legacy ids', () => {
  it('R-schema: are known by their prefix, and read as Composio’s names', () => {
    expect(isComposioToolId('composio-gmail_send_email')).toBe(true);
    expect(isComposioToolId('gmail_send_email')).toBe(false);
    expect(extractComposioActionName('composio-gmail_send_email')).toBe('GMAIL_SEND_EMAIL');
    expect(extractComposioActionName('GMAIL_SEND_EMAIL')).toBe('GMAIL_SEND_EMAIL');
  });

  it('R-schema: lead to today’s names, never to one of several accounts by chance', () => {
    expect(migrateToolId('composio-custom_look_up', listed)).toBe('look_up');
    expect(migrateToolId('CUSTOM_LOOK_UP', listed)).toBe('look_up');
    expect(migrateToolId('work__send_mail', listed)).toBe('work__send_mail');
    expect(migrateToolId('composio-mailer_send_mail', listed, { connectionId: accountOf('home__send_mail') })).toBe(
      'home__send_mail',
    );
    expect(migrateToolId('composio-gmail_send_email', listed)).toBeUndefined();
    expect(() => migrateToolId('composio-mailer_send_mail', listed)).toThrow(
      expect.objectContaining({ code: 'conflict', hint: expect.stringContaining('work__send_mail') }),
    );
  });
});

describe('R-schema: tools by binding', () => {
  it('R-schema: act with the account that is bound, through the plane', async () => {
    for (const [name, by] of [
      ['work__send_mail', 'first'],
      ['home__send_mail', 'second'],
    ] as const) {
      const binding = { toolId: 'MAILER_SEND_MAIL', connectionId: accountOf(name), toolkitSlug: 'MAILER' };
      const tool = await tools().getConnectionToolExecutable('user', binding);
      expect(await tool?.execute({ to: 'a', resourceId: 'r', memory: {}, threadId: 'own' })).toEqual({
        input: { to: 'a', threadId: 'own' },
        by,
      });
    }
    const finished = (await helve.audited()).filter(({ type }) => type === 'execution.finished');
    expect(finished.length).toBeGreaterThanOrEqual(2);
  });

  it('R-schema: without an account only a tool that needs none is found', async () => {
    expect(await tools().getConnectionToolExecutable('user', { toolId: 'composio-custom_look_up' })).toBeDefined();
    expect(await tools().getConnectionToolExecutable('user', { toolId: 'MAILER_SEND_MAIL' })).toBeUndefined();
    const stranger = { toolId: 'MAILER_SEND_MAIL', connectionId: 'another' };
    expect(await tools().getConnectionToolExecutable('user', stranger)).toBeUndefined();
    const elsewhere = { toolId: 'composio-custom_look_up', toolkitSlug: 'github' };
    expect(await tools().getConnectionToolExecutable('user', elsewhere)).toBeUndefined();
    expect(report).toHaveBeenCalledWith(expect.stringContaining('MAILER_SEND_MAIL'));
  });

  it('R-schema: by legacy id only', async () => {
    const tool = await tools().getComposioToolById('composio-custom_look_up', 'user');
    expect(tool).toMatchObject({ id: 'composio-custom_look_up', description: 'The test tool look_up' });
    expect(await tools().getComposioToolById('look_up', 'user')).toBeUndefined();
    expect(await tools().getComposioToolById('composio-no_such', 'user')).toBeUndefined();
  });

  it('R-schema: failures are thrown as messages, and long results cut with a notice', async () => {
    const failing = await tools().getComposioToolById('composio-custom_fails', 'user');
    await expect(failing?.execute({})).rejects.toMatchObject({ code: 'tool_failed' });
    const wrong = await tools().getComposioToolById('composio-custom_look_up', 'user');
    await expect(wrong?.execute({ to: 5 })).rejects.toMatchObject({ code: 'invalid_input' });
    const long = await (await tools().getComposioToolById('composio-custom_long_text', 'user'))?.execute({});
    expect(long).toMatch(/^x{500,}/);
    expect(long).toContain('[Cut: the first');
    expect(String(long).length).toBeLessThan(1_300);
  });

  it('R-schema: the AI SDK shows the model the tool’s own schema, and calls it', async () => {
    const tool = await tools().getComposioToolById('composio-custom_look_up', 'user');
    const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'lookUp', input: '{"to":"me"}' };
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV4({
      doGenerate: [
        { content: [call], finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage, warnings: [] },
        {
          content: [{ type: 'text', text: 'done' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          usage,
          warnings: [],
        },
      ],
    });
    const answer = await generateText({
      model,
      prompt: 'look',
      tools: { lookUp: tool as never },
      stopWhen: stepCountIs(2),
    });
    expect(answer.text).toBe('done');
    expect(answer.steps[0]?.toolResults[0]).toMatchObject({ output: { echoed: { to: 'me' } } });
    expect(model.doGenerateCalls[0]?.tools?.[0]).toMatchObject({ name: 'lookUp', inputSchema });
  });
});

describe('R-schema: convertComposioToolToDefinition', () => {
  it.each([
    ['its API', { slug: 'GMAIL_SEND_EMAIL', description: 'Sends', input_parameters: inputSchema }],
    [
      'function calling',
      { type: 'function', function: { name: 'GMAIL_SEND_EMAIL', description: 'Sends', parameters: inputSchema } },
    ],
  ])('R-schema: a tool as %s has it', async (_, tool) => {
    const run = vi.fn(async () => ({ sent: true }));
    const definition = convertComposioToolToDefinition(tool, run);
    expect(definition).toMatchObject({ id: 'composio-gmail_send_email', description: 'Sends' });
    expect(definition.inputSchema.safeParse({}).success).toBe(false);
    expect(await definition.execute({ to: 'a', memory: 1 })).toEqual({ sent: true });
    expect(run).toHaveBeenCalledWith('GMAIL_SEND_EMAIL', { to: 'a' }, {});
  });

  it('R-schema: a result that is too long is cut; a tool without a name is refused', async () => {
    const long = convertComposioToolToDefinition({ slug: 'A_B' }, async () => ({ text: 'y'.repeat(20_000) }));
    const shown = String(await long.execute(undefined));
    expect(shown.length).toBeLessThanOrEqual(10_000);
    expect(shown).toContain('The rest was not stored');
    expect(() => convertComposioToolToDefinition({}, async () => null)).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    );
  });
});

describe('R-schema: injected context', () => {
  it.each<[string, unknown, unknown]>([
    ['keys of the framework', { to: 'a', resourceId: 1, runtimeContext: {} }, { to: 'a' }],
    ['keys that the tool declares stay', { to: 'a', threadId: 't' }, { to: 'a', threadId: 't' }],
    ['arguments under context', { context: { to: 'a', memory: 1 }, runId: 'r' }, { to: 'a' }],
    ['no object', 'text', {}],
    ['nothing', undefined, {}],
  ])('R-schema: %s', (_, input, expected) => {
    expect(extractToolArguments(input, inputSchema)).toEqual(expected);
  });
});
