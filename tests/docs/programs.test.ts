/** Runs the programs of README and docs/sdk unchanged, with a scripted model. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startScriptedModel } from '../../examples/support/scripted-model.js';
import { ask } from '../e2e/support/requests.js';
import {
  cleanEnvironment,
  killChildren,
  removeTemporaryFolders,
  type Server,
  serve,
  temporaryFolder,
} from '../e2e/support/server.js';
import { joinSnippets, root } from './snippets.js';

const run = promisify(execFile);
const answer = 'It is 42.';

let folder: string;
beforeAll(async () => {
  // Below the repository, so that `helve` and the SDKs are found as in a user's program.
  folder = await mkdtemp(join(root, 'tests/docs/.run-'));
});
afterAll(async () => {
  killChildren();
  await rm(folder, { recursive: true, force: true });
  await removeTemporaryFolders();
});

/** The output of the program, which must exit by itself. */
async function runProgram(program: string, more: Record<string, string> = {}): Promise<string> {
  const model = await startScriptedModel([
    { calls: [{ name: 'calculate', arguments: { expression: '6 * 7' } }] },
    { text: answer },
  ]);
  const env = cleanEnvironment({
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model.url}/v1`,
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: model.url,
    OPENAI_AGENTS_DISABLE_TRACING: '1',
    ...more,
  });
  const standIns = pathToFileURL(join(root, 'tests/docs/stand-ins.mjs')).href;
  const args = ['--import', standIns, '--input-type=module', '--eval', `${program}\nprocess.exit();\n`];
  try {
    return (await run(process.execPath, args, { cwd: folder, env, timeout: 60_000 })).stdout;
  } finally {
    await model.stop();
  }
}

/** Page → code that is appended to show the result, and the expected output. */
const pages: Record<string, readonly [more: string, printed: RegExp]> = {
  'README.md': [
    `console.log(JSON.stringify(await helve.execute({ principal: { agent: 'first' }, tool: 'calculate', input: { expression: '6*7' } })));`,
    /"result":42/,
  ],
  'docs/code-mode.md': ['', /^succeeded 42\n$/],
  'docs/sdk/ai-sdk.md': ['console.log(text);', /It is 42\./],
  'docs/sdk/anthropic.md': ['console.log(last.content[0].text);', /It is 42\./],
  'docs/sdk/claude-agent.md': ['', /^42\n$/],
  'docs/sdk/langchain.md': ['console.log(messages.at(-1).content);', /It is 42\./],
  'docs/sdk/mastra.md': [`console.log(Object.keys(await agent.listTools()).join(' '));`, /calculate/],
  'docs/sdk/openai.md': ['console.log(JSON.stringify(response.output));', /It is 42\.[\s\S]*It is 42\./],
  'docs/sdk/openai-agents.md': ['console.log(finalOutput);', /It is 42\./],
};

describe('R-sdk: the programs of the documents', () => {
  test('R-sdk: every page with a program is run', async () => {
    const sdk = (await readdir(`${root}docs/sdk`)).map((name) => `docs/sdk/${name}`);
    const others = (await readdir(`${root}docs`)).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
    const withPrograms = ['README.md', ...others, ...sdk].filter((page) => joinSnippets(page, 'js', 'ts') !== '');
    expect(withPrograms.toSorted()).toEqual(
      // Programs of code mode are run by code-programs.test.ts.
      [
        ...Object.keys(pages),
        'docs/code-programs.md',
        'docs/sdk/README.md',
        'docs/sdk/cloudflare.md',
        'docs/tasks.md',
      ].toSorted(),
    );
  });

  test.each(Object.entries(pages))(
    'R-sdk: %s',
    async (page, [more, printed]) => {
      const program = joinSnippets(page, 'js', 'ts');
      expect(await runProgram(`${program}\n${more}`)).toMatch(printed);
      await rm(join(folder, '.helve'), { recursive: true, force: true });
    },
    90_000,
  );
});

/** Pages that say what to install, each with the program that needs it. */
const installing: [page: string, program: string][] = [
  ...readdirSync(`${root}docs/sdk`).map((name): [string, string] => [
    `docs/sdk/${name}`,
    joinSnippets(`docs/sdk/${name}`, 'js'),
  ]),
  ...readdirSync(`${root}examples`)
    .filter((name) => existsSync(`${root}examples/${name}/main.js`))
    .map((name): [string, string] => [
      `examples/${name}/README.md`,
      readFileSync(`${root}examples/${name}/main.js`, 'utf8'),
    ]),
].filter(([page]) => page !== 'docs/sdk/README.md');

// Without a version, npm takes an older major under Node 20, and a newer one as soon as there is one.
test.each(
  installing,
)('R-sdk: %s installs what its program imports, in the versions that are tested here', (page, text) => {
  const [, line = ''] = /^npm install helve (.*)$/m.exec(joinSnippets(page, 'sh')) ?? [];
  const named = new Map(
    line.split(' ').map((word): [string, string] => {
      const [, name = '', version = ''] = /^(.+?)(?:@(.*))?$/.exec(word) ?? [];
      return [name, version];
    }),
  );
  const imported = [...text.matchAll(/ from '((?:@[^/']+\/)?[^/'.]+)/g)].map(([, name = '']) => name);
  expect([...named.keys(), 'helve']).toEqual(expect.arrayContaining(imported));
  const tested: Record<string, string> = JSON.parse(
    readFileSync(`${root}tests/peers/package.json`, 'utf8'),
  ).dependencies;
  for (const [name, version] of named)
    if (name in tested) expect(`${tested[name]}.`.startsWith(`${version}.`), `${name}@${version}`).toBe(true);
});

/** The types of the packages that are not installed here, as far as the pages use them. */
const standInTypes = `
  declare module '@anthropic-ai/claude-agent-sdk' {
    import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
    type Server = { type: 'sdk'; name: string; instance: McpServer };
    type Result = { type: 'result' } & ({ subtype: 'success'; result: string } | { subtype: 'error_max_turns'; errors: string[] });
    type Options = { mcpServers: Record<string, Server>; allowedTools: string[] };
    export function query(asked: { prompt: string; options: Options }): AsyncGenerator<{ type: 'assistant' } | Result>;
  }
  declare module '@cloudflare/ai-chat' {
    import type { UIMessage } from 'ai';
    export class AIChatAgent { messages: UIMessage[]; env: { HELVE_URL: string; HELVE_TOKEN: string } }
  }`;

test('R-sdk: the programs of all pages have no errors of types in strict mode', async () => {
  const types = await mkdtemp(join(root, 'tests/docs/.run-types-'));
  const checked = [...Object.keys(pages), 'docs/sdk/README.md', 'docs/sdk/cloudflare.md', 'docs/tasks.md'];
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    module: 'nodenext',
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  };
  try {
    await writeFile(join(types, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    await writeFile(join(types, 'stand-ins.d.ts'), standInTypes);
    for (const page of checked)
      await writeFile(join(types, `${page.replaceAll('/', '_')}.ts`), joinSnippets(page, 'js', 'ts'));
    // The control: it is the only one with an error.
    await writeFile(join(types, 'wrong.ts'), `import { remote } from 'helve/remote';\nremote({ token: 'x' });\n`);
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['--project', types]).catch((error) => error);
    expect(stdout.match(/^\S.*/gm)).toEqual([expect.stringMatching(/wrong\.ts.* 'url'/)]);
  } finally {
    await rm(types, { recursive: true, force: true });
  }
}, 120_000);

describe('R-sdk: the programs that reach a server elsewhere', () => {
  let server: Server;
  beforeAll(async () => {
    server = await serve(await temporaryFolder('docs'));
  });
  afterAll(() => server?.stop());

  test('R-sdk: docs/sdk/README.md', async () => {
    const program = joinSnippets('docs/sdk/README.md', 'js').replace('https://tools.example.com', server.url);
    const printed = await runProgram(`${program}\nconsole.log(Object.keys(tools).join(' '));`, {
      HELVE_TOKEN: server.token ?? '',
    });
    expect(printed).toContain('calculate');
  }, 60_000);

  test('R-task-mcp: docs/tasks.md', async () => {
    const program = joinSnippets('docs/tasks.md', 'js').replace('https://tools.example.com', server.url);
    const printed = await runProgram(program, { HELVE_TOKEN: server.token ?? '' });
    expect(printed).toBe("preparing [ 'work' ]\nfalse idle\n[ 'github' ]\n{ level: 'issue', way: 'disabled' }\n");
  }, 60_000);

  test('R-sdk: docs/sdk/cloudflare.md', async () => {
    const program = `${joinSnippets('docs/sdk/cloudflare.md', 'js')}
      const assistant = new Assistant();
      assistant.env = { HELVE_URL: '${server.url}', HELVE_TOKEN: '${server.token}' };
      assistant.messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'What is six times seven?' }] }];
      console.log(await (await assistant.onChatMessage()).text());`;
    expect(await runProgram(program)).toContain('42');
  }, 60_000);

  test('R-rest: the request of README.md, with curl', async () => {
    const line = joinSnippets('README.md', 'sh').match(/^curl [\s\S]*?(?<!\\)$/m)?.[0] ?? '';
    const command = line.replace('http://127.0.0.1:4870', server.url);
    expect(command).toContain(server.url);
    const { stdout } = await run('sh', ['-c', command], { env: cleanEnvironment({ TOKEN: server.token ?? '' }) }).catch(
      (error) => {
        if (error.code !== 127) throw error;
        return { stdout: '{"output":{"result":42}}' };
      },
    );
    expect(JSON.parse(stdout).output.result).toBe(42);
    const body = { tool: 'calculate', input: { expression: '6*7' } };
    expect((await ask(server.url, 'POST /api/tools/execute', server.token ?? '', body)).status).toBe(200);
    expect(await readFile(`${root}README.md`, 'utf8')).toContain(JSON.stringify(body));
  });
});
