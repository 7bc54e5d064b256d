/** Programs are checked against exactly the tools that their caller may use; nothing of them runs. */
import { afterEach, describe, expect, test } from 'vitest';
import { defineToolkit } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
let calls = 0;
const chat = defineToolkit({
  slug: 'chatter',
  title: 'Chatter',
  description: 'Messages',
  category: 'communication',
  auth: {
    schemes: [{ id: 'token', kind: 'api_key', title: 'Token', fields: [{ name: 'token', title: 'T', secret: true }] }],
  },
  service: { servers: () => ({ default: { url: 'https://service.invalid' } }) },
  load: async () => [
    testTool({
      name: 'send_message',
      inputSchema: text,
      outputSchema: text,
      async execute() {
        calls += 1;
        return { text: 'sent' };
      },
    }),
    testTool({ name: 'delete_message', risk: 'destructive', inputSchema: text }),
  ],
});
const connection = (name: string) => ({ toolkit: 'chatter', name, credentials: { token: `of-${name}-12345` } });

async function open(...names: string[]): Promise<void> {
  helve = await createTestHelve({ nativeToolkits: [chat], connections: names.map(connection) });
}
const check = (code: string, who = helve.agent) => helve.plane.checkCode(who, code);
const messages = async (code: string) => (await check(code)).issues.map(({ message }) => message);

describe('R-typedefs: checking programs', () => {
  test('R-typedefs: a right program has no issue in any of its forms, and is not run', async () => {
    await open('Work');
    const call = "work.sendMessage({ text: 'a' })";
    for (const code of [
      `const { text } = await ${call}; return text;`,
      `export default async () => (await env.${call}).text`,
      `async () => { const sent = await chatter.sendMessage({ text: 'a' }); return sent.text; }`,
    ])
      expect(await check(code)).toEqual({ ok: true, issues: [] });
    expect(calls).toBe(0);
    expect(await helve.plane.executions(helve.admin, {})).toEqual([]);
  });

  test('R-typedefs: an issue has its place, its tool, and what is right', async () => {
    await open('Work');
    expect(await check("const a = 1;\nawait work.sendMessage({ txt: 'a' });")).toEqual({
      ok: false,
      issues: [{ line: 2, column: 26, tool: 'work__send_message', message: expect.stringContaining('text') }],
    });
    expect(await messages("await work.sendMesage({ text: 'a' })")).toEqual([
      expect.stringContaining('did you mean sendMessage?'),
    ]);
    expect(await messages("await wrok.sendMessage({ text: 'a' })")).toEqual([
      expect.stringContaining('did you mean work?'),
    ]);
  });

  test('R-typedefs: a tool that the caller may not call is unknown, even to a caller that passes its namespace on', async () => {
    await open('Work');
    for (const code of [
      "await work.deleteMessage({ text: 'a' })",
      "const it = env.work; await it.deleteMessage({ text: 'a' })",
    ])
      expect((await check(code)).ok, code).toBe(false);
    await helve.plane.replacePolicies(helve.admin, [
      { id: 'allow', effect: 'allow', when: { tools: ['chatter.delete_message'] } },
    ]);
    expect(await messages("await work.deleteMessage({ text: 'a' })")).toEqual([]);
    const nobody = await helve.plane.createAgent(helve.admin, { slug: 'nobody' });
    const actor = await helve.plane.actAs(helve.admin, nobody.slug);
    expect((await check("await work.sendMessage({ text: 'a' })", actor)).ok).toBe(false);
  });

  test('R-typedefs: with two accounts, the toolkit’s name is refused and the accounts’ names are not', async () => {
    await open('Work', 'Home');
    expect(await messages("await work.sendMessage({ text: 'a' }); await home.sendMessage({ text: 'b' });")).toEqual([]);
    for (const code of ["await chatter.sendMessage({ text: 'a' })", "await env.chatter.sendMessage({ text: 'a' })"])
      expect(await messages(code)).toEqual(['There are several accounts of chatter: use one of home, work']);
  });
});
