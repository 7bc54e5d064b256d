/**
 * What the official conformance suite needs from a server at 2025-11-25: its own tools, resources, prompts and
 * completions. The tools are ordinary toolkit definitions, so that they run through the real pipeline.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { HelveError } from '../../src/domain/errors.js';
import type { JsonSchema } from '../../src/domain/json.js';
import { defineTool, defineToolkit, ToolContent, type ToolDefinition } from '../../src/domain/tool.js';
import type { McpExtras } from '../../src/surfaces/mcp/index.js';

/** One red pixel. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV file without samples. */
export const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const nothing = z.object({});
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export function fixture(
  name: string,
  description: string,
  execute: ToolDefinition['execute'],
  inputSchema: z.ZodType | JsonSchema = nothing,
): ToolDefinition {
  return defineTool({
    name,
    title: name,
    description,
    inputSchema,
    annotations,
    capabilities: ['test conformance'],
    execute: execute as never,
  });
}

export const text = (value: string) => new ToolContent([{ type: 'text', text: value }]);

/** For both revisions. */
export const sharedTools: readonly ToolDefinition[] = [
  fixture('test_simple_text', 'Returns simple text', async () => text('This is a simple text response for testing.')),
  fixture(
    'test_image_content',
    'Returns an image',
    async () => new ToolContent([{ type: 'image', data: pixel, mimeType: 'image/png' }]),
  ),
  fixture(
    'test_audio_content',
    'Returns audio',
    async () => new ToolContent([{ type: 'audio', data: silence, mimeType: 'audio/wav' }]),
  ),
  fixture(
    'test_embedded_resource',
    'Returns an embedded resource',
    async () =>
      new ToolContent([
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ]),
  ),
  fixture(
    'test_multiple_content_types',
    'Returns several kinds of content',
    async () =>
      new ToolContent([
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: pixel, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: JSON.stringify({ test: 'data', value: 123 }),
          },
        },
      ]),
  ),
  fixture('test_error_handling', 'Always fails', async () => {
    throw new HelveError('tool_failed', 'This tool intentionally returns an error for testing');
  }),
  fixture('test_tool_with_progress', 'Reports progress while it runs', async (_input, { progress }) => {
    for (const done of [0, 50, 100]) {
      progress({ progress: done, total: 100 });
      await sleep(50);
    }
    return text('Progressed three times.');
  }),
  fixture('json_schema_2020_12_tool', 'Tool with JSON Schema 2020-12 features', async () => text('ok'), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
];

const conversations: readonly ToolDefinition[] = [
  fixture('test_tool_with_logging', 'Logs while it runs', async (_input, { client }) => {
    await client?.log('info', 'Tool execution started');
    await sleep(50);
    await client?.log('info', 'Tool processing data');
    await sleep(50);
    await client?.log('info', 'Tool execution completed');
    return text('Logged three times.');
  }),
  fixture('test_reconnection', 'Cuts its stream before it answers', async (_input, { client }) => {
    client?.disconnect?.();
    await sleep(200);
    return text('Answered after the stream was cut.');
  }),
  fixture(
    'test_sampling',
    'Asks the client’s model',
    async (input, { client }) => {
      if (client?.sample === undefined) throw new HelveError('tool_failed', 'The client cannot sample');
      return text(`LLM response: ${await client.sample((input as { prompt: string }).prompt, 100)}`);
    },
    z.object({ prompt: z.string() }),
  ),
];

function asking(name: string, message: string, properties: JsonSchema, required: string[] = []): ToolDefinition {
  return fixture(
    name,
    'Asks the person at the client',
    async (input, { client }) => {
      if (client?.elicit === undefined) throw new HelveError('tool_failed', 'The client cannot elicit');
      const asked = (input as { message?: string }).message ?? message;
      const { action, content } = await client.elicit(asked, { type: 'object', properties, required });
      return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
    },
    z.object({ message: z.string().optional() }),
  );
}

const titled = ['First', 'Second', 'Third'].map((title, index) => ({
  const: `value${index + 1}`,
  title: `${title} Option`,
}));
const options = ['option1', 'option2', 'option3'];

const elicitations: readonly ToolDefinition[] = [
  asking(
    'test_elicitation',
    'Please provide your information',
    {
      username: { type: 'string', description: "User's response" },
      email: { type: 'string', description: "User's email address" },
    },
    ['username', 'email'],
  ),
  asking('test_elicitation_sep1034_defaults', 'Defaults of every kind', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  asking('test_elicitation_sep1330_enums', 'Choices of every kind', {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  }),
];

export const conformanceTools: readonly ToolDefinition[] = [...sharedTools, ...conversations, ...elicitations];

export const conformanceToolkit = defineToolkit({
  slug: 'conformance',
  title: 'Conformance',
  description: 'The tools that the MCP conformance suite calls',
  category: 'testing',
  internal: true,
  load: async () => conformanceTools,
});

const templateForm = /^test:\/\/template\/([^/]+)\/data$/;

export const conformanceExtras: McpExtras = {
  resources: {
    list: async () => [
      { uri: 'test://static-text', name: 'Static text', description: 'A text', mimeType: 'text/plain' },
      { uri: 'test://static-binary', name: 'Static binary', description: 'A picture', mimeType: 'image/png' },
      { uri: 'test://watched-resource', name: 'Watched', description: 'Can be watched', mimeType: 'text/plain' },
    ],
    templates: async () => [
      { uriTemplate: 'test://template/{id}/data', name: 'Template', mimeType: 'application/json' },
    ],
    async read(_principal, uri) {
      if (uri === 'test://static-text') {
        return [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }];
      }
      if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: pixel }];
      if (uri === 'test://watched-resource') return [{ uri, mimeType: 'text/plain', text: 'Watched' }];
      const id = templateForm.exec(uri)?.[1];
      if (id === undefined) return undefined;
      const data = { id, templateTest: true, data: `Data for ID: ${id}` };
      return [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }];
    },
    subscribe: () => () => undefined,
  },
  prompts: {
    list: async () => [
      { name: 'test_simple_prompt', description: 'A simple prompt' },
      {
        name: 'test_prompt_with_arguments',
        description: 'A prompt with arguments',
        arguments: ['arg1', 'arg2'].map((name) => ({ name, description: `Argument ${name}`, required: true })),
      },
      {
        name: 'test_prompt_with_embedded_resource',
        description: 'A prompt with an embedded resource',
        arguments: [{ name: 'resourceUri', description: 'The resource to embed', required: true }],
      },
      { name: 'test_prompt_with_image', description: 'A prompt with an image' },
    ],
    async get(_principal, { name, values }) {
      const say = (...blocks: readonly ToolContent['blocks'][number][]) => ({
        messages: blocks.map((content) => ({ role: 'user' as const, content })),
      });
      switch (name) {
        case 'test_simple_prompt':
          return say({ type: 'text', text: 'This is a simple prompt for testing.' });
        case 'test_prompt_with_arguments':
          return say({ type: 'text', text: `Prompt with arguments: arg1='${values.arg1}', arg2='${values.arg2}'` });
        case 'test_prompt_with_embedded_resource':
          return say(
            {
              type: 'resource',
              resource: {
                uri: values.resourceUri ?? '',
                mimeType: 'text/plain',
                text: 'Embedded resource content for testing.',
              },
            },
            { type: 'text', text: 'Please process the embedded resource above.' },
          );
        case 'test_prompt_with_image':
          return say(
            { type: 'image', data: pixel, mimeType: 'image/png' },
            { type: 'text', text: 'Please analyze the image above.' },
          );
        default:
          return undefined;
      }
    },
  },
  complete: async (_principal, { value }) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
};
