/** What a program sees of its caller's tools: the namespaces, and what is printed for each tool. */
import { afterEach, describe, expect, test } from 'vitest';
import { defineToolkit } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const service = { servers: () => ({ default: { url: 'https://service.invalid' } }) };
const schemes = [
  { id: 'token', kind: 'api_key', title: 'Token', fields: [{ name: 'token', title: 'T', secret: true }] },
] as const;
const chat = defineToolkit({
  slug: 'chatter',
  title: 'Chatter',
  description: 'Messages',
  category: 'communication',
  auth: { schemes },
  service,
  load: async () => [
    testTool({
      name: 'send_message',
      description: 'Sends a message.',
      inputSchema: text,
      outputSchema: text,
      risk: 'write',
    }),
    testTool({ name: 'list_channels', description: 'Lists channels.', risk: 'read' }),
    testTool({ name: 'delete', description: 'Deletes a message.', risk: 'destructive', inputSchema: text }),
  ],
});
const weather = testTool({ name: 'get_weather', description: 'The weather of a city.', risk: 'read' });

async function open(options: TestHelveOptions = {}): Promise<TestHelve> {
  helve = await createTestHelve({ nativeToolkits: [chat], tools: [weather], ...options });
  return helve;
}

const connection = (name: string) => ({ toolkit: 'chatter', name, credentials: { token: `of-${name}-12345` } });
const print = (query: object = {}, who = helve.agent) => helve.plane.toolDeclarations(who, query);
const names = async () =>
  (await print()).namespaces.map(({ name, alias }) => [name, alias].filter(Boolean).join(' = '));

describe('R-typedefs: namespaces', () => {
  test('R-typedefs: one for each connection, and one for each toolkit without accounts', async () => {
    await open({ connections: [connection('Work chat'), connection('Personal 2')] });
    expect(await names()).toEqual(['custom', 'personal_2', 'workChat']);
    expect((await print({ only: ['workChat'] })).namespaces).toEqual([
      { name: 'workChat', toolkit: 'chatter', title: 'Chatter', connection: 'work-chat', tools: 2 },
    ]);
  });

  test('R-typedefs: the only connection to a toolkit has the toolkit’s name, too', async () => {
    await open({ connections: [connection('Work')] });
    expect(await names()).toEqual(['custom', 'work = chatter']);
  });

  test('R-typedefs: a connection named like another toolkit, or like a word of the language, has a name of its own', async () => {
    await open({ connections: ['Custom', 'Default', 'Env', 'Call'].map((name) => connection(name)) });
    // `env.call` is a function of the sandbox.
    expect(await names()).toEqual(['custom', 'call_', 'custom$', 'default_', 'env_']);
    const { text: printed } = await print({ only: ['custom$'] });
    expect(printed).toContain('declare namespace custom$ {');
    expect(printed).toContain('function sendMessage(');
  });

  test('R-typedefs: a toolkit means all of its connections', async () => {
    await open({ connections: [connection('Work'), connection('Home')] });
    const found = await print({ only: ['chatter'] });
    expect(found.namespaces.map(({ name }) => name)).toEqual(['home', 'work']);
  });

  test('R-typedefs: a name of which the caller has no tools is an error that names the nearest', async () => {
    await open({ connections: [connection('Work')] });
    await expect(print({ only: ['chater'] })).rejects.toMatchObject({
      code: 'not_found',
      message: 'You have no tools of "chater"',
      hint: 'Did you mean chatter?',
    });
  });

  test.each([
    'sendMessage',
    'work__send_message',
  ])('R-typedefs: for the name of a tool, %s, the error names its namespace', async (name) => {
    await open({ connections: [connection('Work')] });
    await expect(print({ only: [name] })).rejects.toMatchObject({
      code: 'not_found',
      hint: 'That is a tool of the namespace work: ask for work.',
    });
  });
});

describe('R-typedefs: what is printed', () => {
  test('R-typedefs: input, output, description, risk and approval of each tool', async () => {
    await open({ connections: [connection('Work')] });
    const before = await print({ only: ['work'] });
    expect(before.text).toBe(
      [
        '// Chatter, connection work, also as chatter',
        'declare namespace work {',
        '/** Lists channels. */',
        'function listChannels(input?:{[k:string]:unknown}):Promise<unknown>;',
        '/** Sends a message. @write */',
        'function sendMessage(input:{text:string}):Promise<{text:string}>;',
        '}',
      ].join('\n'),
    );
    await helve.plane.replacePolicies(helve.admin, [
      { id: 'ask', effect: 'require_approval', when: { tools: ['chatter.send_message'] } },
    ]);
    expect((await print({ only: ['work'] })).text).toContain('/** Sends a message. @write @needsApproval */');
  });

  test('R-typedefs: a tool that is denied is not printed, and one whose denial ends is', async () => {
    await open({ connections: [connection('Work')] });
    expect((await print()).text).not.toContain('Deletes');
    await helve.plane.replacePolicies(helve.admin, [
      { id: 'allow', effect: 'allow', when: { tools: ['chatter.delete'] } },
    ]);
    expect((await print()).text).toContain('/** Deletes a message. @destructive */\nfunction delete_(');
  });

  test('R-typedefs: the index has a line for each tool, and is what a caller with very many tools gets', async () => {
    const many = Array.from({ length: 201 }, (_, at) =>
      testTool({ name: `tool_${at}`, description: `Tool ${at}.`, inputSchema: text }),
    );
    await open({ tools: many });
    const { format, text: printed } = await print();
    expect(format).toBe('index');
    expect(printed.split('\n').slice(0, 3)).toEqual([
      '// 201 tools: name toolkits, connections or namespaces to see their types',
      '',
      '// Custom',
    ]);
    expect(printed).toContain('\ncustom.tool_7(text: string) Tool 7');
    expect((await print({ only: ['custom'] })).format).toBe('full');
    expect((await print({ format: 'full' })).text.match(/^function /gm)).toHaveLength(201);
  });
});
