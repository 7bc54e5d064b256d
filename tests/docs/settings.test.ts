/** Helve accepts the settings and the commands of README and docs unchanged. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { newRecipeBody, newTaskSourceBody } from '../../src/api/index.js';
import { parseConfig } from '../../src/config/config-file.js';
import type { Policy } from '../../src/domain/grant.js';
import type { NewRecipe } from '../../src/domain/recipe.js';
import { createTestHelve } from '../../src/testing/index.js';
import {
  cleanEnvironment,
  killChildren,
  program,
  removeTemporaryFolders,
  run,
  type Server,
  serve,
  temporaryFolder,
} from '../e2e/support/server.js';
import { readSnippets, root } from './snippets.js';

const pages = [
  'README.md',
  ...readdirSync(`${root}docs`).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];
const ofLanguage = (language: string): [page: string, text: string][] =>
  pages.flatMap((page) =>
    readSnippets(page).flatMap((snippet): [string, string][] =>
      snippet.language === language ? [[page, snippet.text]] : [],
    ),
  );

const names = (text: string): string[] => [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
/** Every variable that a page names has a value. */
const valuesFor = (text: string): Record<string, string> =>
  Object.fromEntries(names(text).map((name) => [name, 'value']));

/** A recipe has steps at its top; the other files are helve.yaml. */
const isRecipe = ([, text]: [page: string, text: string]): boolean => /^steps:/m.test(text);
const recipes = ofLanguage('yaml').filter(isRecipe);

test.each(recipes)('R-levels: the recipe that %s shows can be set', async (_page, text) => {
  const helve = await createTestHelve();
  const recipe = newRecipeBody.parse(parse(text)) as NewRecipe;
  const set = await helve.plane.setRecipe(helve.admin, 'shown', recipe);
  expect(set.steps).toEqual(recipe.steps);
  await helve.close();
});

test('R-levels: a recipe is shown', () => {
  expect(recipes.map(([page]) => page)).toContain('docs/tasks.md');
});

describe('helve.yaml', () => {
  test.each(
    ofLanguage('yaml').filter((one) => !isRecipe(one)),
  )('R-tool-config: Helve reads the file that %s shows', (page, text) => {
    const config = parseConfig(text, page, valuesFor(text));
    expect(config).toBeDefined();
  });

  const withAgents = ofLanguage('yaml').filter(([, text]) => /^agents:/m.test(text));
  test.each(withAgents)('R-tool-config: the agents of %s get their tools', async (_page, text) => {
    // A folder that agents may read must exist.
    const readable = text.replaceAll('/data/research', await temporaryFolder('research'));
    const config = names(readable).reduce((all, name) => all.replaceAll(`\${${name}}`, 'value'), readable);
    const helve = await createTestHelve({ config });
    await helve.setUp();
    const { grants } = await helve.plane.grantCatalogue(helve.admin, 'researcher');
    expect(grants.flatMap(({ tools }) => tools).length).toBeGreaterThan(1);
    await helve.close();
  });

  test('R-tool-config: a page with a key that does not exist would be noticed', () => {
    expect(() => parseConfig('agents: []\nnothing: {}\n', 'page')).toThrow('no such key');
  });
});

const [policyPages, rulePages] = [false, true].map((isList) =>
  ofLanguage('json').filter(([, text]) => Array.isArray(JSON.parse(text)) === isList),
);

test.each(rulePages ?? [])('R-sync: the rules of a task source that %s shows are read', (_page, text) => {
  const source = { provider: 'trigger', scope: 'subscription', rules: JSON.parse(text) };
  expect(newTaskSourceBody.parse(source)).toMatchObject(source);
});

test.each(policyPages ?? [])('R-approval: Helve accepts the policies that %s shows', async (_page, text) => {
  const helve = await createTestHelve();
  const { policies } = JSON.parse(text) as { policies: Policy[] };
  const stored = await helve.plane.replacePolicies(helve.admin, policies);
  expect([stored.policies.length, stored.withoutEffect]).toEqual([policies.length, []]);
  await helve.close();
});

/** Lines that call `helve`, without comments. */
const commands = ofLanguage('sh').flatMap(([page, text]) =>
  text.split('\n').flatMap((line): [page: string, command: string][] => {
    const [, command] =
      /^((?:source <\()?(?:node bin\/helve\.js|helve) .*?)\)?\s*(?:#.*|\| source.*)?$/.exec(line) ?? [];
    return command === undefined
      ? []
      : [[page, command.replace('source <(', '').replace(/^node bin\/helve\.js/, 'helve')]];
  }),
);
/** Pages whose commands need an account, a folder or a server elsewhere: only the commands and their options are checked. */
const elsewhere = new Set(['docs/accounts.md', 'docs/github.md', 'docs/marketplace.md', 'docs/operate.md']);

describe('commands', () => {
  const execute = promisify(execFile);
  let server: Server;
  let dataDir: string;
  /** The subcommands and options of each command (`agents create`), as the completion script lists them. */
  let following: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    dataDir = await temporaryFolder('docs-commands');
    server = await serve(dataDir);
    const { stdout } = await run(['completion', 'bash']);
    following = new Map(
      [...stdout.matchAll(/'([a-z -]+)'\) words='(.*)' ;;/g)].map(([, name = '', words = '']) => [
        name,
        words.split(' '),
      ]),
    );
  });
  afterAll(async () => {
    await server?.stop();
    killChildren();
    await removeTemporaryFolders();
  });

  test('R-cli: the commands of all pages are found', () => {
    const found = new Set(commands.map(([page]) => page));
    for (const page of ['README.md', 'docs/cli.md', 'docs/discovery.md', ...elsewhere]) expect(found).toContain(page);
    expect(commands.length).toBeGreaterThan(30);
  });

  const here = commands.filter(([page]) => !elsewhere.has(page));
  test.each([...new Set(here.map(([page]) => page))])('R-cli: the commands of %s run, in their order', async (page) => {
    await run(['agents', 'create', 'researcher', '--data', dataDir]);
    for (const [, command] of here.filter(([of]) => of === page)) {
      const line = `helve() { '${process.execPath}' '${program}' "$@"; }; ${command}`;
      const env = cleanEnvironment({ HELVE_DATA: dataDir });
      const ended = await execute('sh', ['-c', line], { env }).then(
        () => 0,
        (error: { code: number; stderr: string }) => `${error.code}: ${error.stderr}`,
      );
      expect(ended, command).toBe(0);
    }
  }, 120_000);

  test.each(commands.filter(([page]) => elsewhere.has(page)))('R-cli: %s: %s has its options', (_page, command) => {
    const [, ...words] = command.split(/\s+/);
    const first = words.findIndex((word) => word.startsWith('-'));
    const path = words.slice(0, first < 0 ? undefined : first).filter((word) => /^[a-z]+$/.test(word));
    // What follows the words of a command are its arguments.
    const known = [3, 2, 1].map((depth) => path.slice(0, depth).join(' ')).find((name) => following.has(name));
    expect(known, command).toBeDefined();
    const options = words.filter((word) => word.startsWith('--'));
    expect(following.get(known ?? ''), command).toEqual(expect.arrayContaining(options));
  });
});
