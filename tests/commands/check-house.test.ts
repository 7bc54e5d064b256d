/** The house check finds what it forbids: a breach is planted in a folder of its own. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/check-house.js', import.meta.url));
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'helve-house-'));
  await mkdir(join(root, 'src/flows/connecting'), { recursive: true });
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** What the check prints about one file below `src/` with this text. */
const check = (name: string, text: string): Promise<string> => checkFile(`src/${name}`, text);

/** What the check prints about one file with this text. Its path starts at the root of the repository. */
async function checkFile(path: string, text: string): Promise<string> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [script, root], (_error, stdout, stderr) => resolve(stdout + stderr));
  });
  await rm(file);
  return said;
}

test('R-registry: URL.canParse is refused in code and in tests, because Node 20 answers it wrongly', async () => {
  const breach = 'export const isAddress = (text: string): boolean => URL.canParse(text);\n';
  for (const name of ['planted.ts', 'planted.test.ts'])
    expect(await check(name, breach)).toContain(`src/${name}: uses URL.canParse`);
  expect(await check('plain.ts', '// Not URL.canParse.\nexport const one = 1;\n')).not.toContain('canParse');
});

test('a flow that imports a value from an adapter is refused, and a type is not', async () => {
  const name = 'flows/connecting/planted.ts';
  const from = "from '../../vault/index.js';\nexport const one = 1;\n";
  expect(await check(name, `import { createVault } ${from}`)).toContain(`src/${name}: imports a value`);
  expect(await check(name, `import { createVault, type Vault } ${from}`)).toContain(`src/${name}: imports a value`);
  for (const types of ['import type { Vault }', 'import { type Vault }'])
    expect(await check(name, `${types} ${from}`)).not.toContain('imports a value');
});

const parameters = (count: number): string => Array.from({ length: count }, (_, at) => `p${at}: number`).join(', ');
const branches = (count: number): string =>
  Array.from({ length: count }, (_, at) => `  if (n === ${at}) return ${at};\n`).join('');
const header = '/** What it is. */\n';
const long = `export const one = 1;\n${'// A line.\n'.repeat(60)}`;

test.each([
  ['a fourth parameter', `export const sum = (${parameters(4)}) => p0;\n`, 'sum has 4 parameters (max 3)'],
  [
    'a sixteenth branch',
    `export function pick(n: number): number {\n${branches(15)}  return -1;\n}\n`,
    'pick has 16 branches (max 15)',
  ],
  [
    'branches in an expression',
    `export const or = (a: boolean) => ${Array(16).fill('a').join(' || ')};\n`,
    'or has 16',
  ],
  ['state of a module', 'export let count = 0;\n', 'count is state of the module'],
  [
    'a literal spread for its layout',
    'const a = 1;\nexport const one = { ...{ a, b: 2 }, c: 3 };\n',
    'spreads a literal',
  ],
  ['a list spread for its layout', 'export const one = [...[1, 2], ...[3, 4]];\n', 'spreads a literal'],
  ['any', 'export const read = (text: any) => text;\n', 'uses any'],
  ['a long file without a header', long, 'does not begin with a comment'],
])('refuses %s', async (_what, text, words) => {
  expect(await check('planted.ts', text)).toContain(words);
});

test('refuses a door without a header, and a comment further down is no header', async () => {
  const door = "export { one } from './one.js';\n";
  expect(await check('flows/connecting/index.ts', door)).toContain('does not begin with a comment');
  expect(await check('flows/connecting/index.ts', `${door}/** Later. */\n`)).toContain('does not begin with a comment');
  expect(await check('flows/connecting/index.ts', `${header}${door}`)).toContain(' 0 problems');
});

test.each([
  ['three parameters', `export const sum = (${parameters(3)}) => p0;\n`],
  ['fifteen branches', `export function pick(n: number): number {\n${branches(14)}  return -1;\n}\n`],
  [
    'branches of a function inside another',
    `export const out = () => {\n  const pick = (n: number) => {\n${branches(10)}  };\n${branches(10)}};\n`,
  ],
  ['state of a function', 'export function count(): number {\n  let n = 0;\n  n += 1;\n  return n;\n}\n'],
  [
    'a spread of a value, and of a choice',
    'const a = { b: 1 };\nexport const c = { ...a, ...(a.b ? { d: 2 } : {}) };\n',
  ],
  ['the word any in a string', "export const text = ': any';\n"],
  ['a long file with a header', `${header}${long}`],
])('allows %s', async (_what, text) => {
  expect(await check('planted.ts', text)).toContain(' 0 problems');
});

test('refuses phrases that are no plain English, in comments and in code', async () => {
  const phrase = ['is there', 'no more'].join(' ');
  expect(await check('planted.ts', `// Everybody ${phrase}.\nexport const one = 1;\n`)).toContain(
    `src/planted.ts:1: "${phrase}"`,
  );
  expect(await check('planted.test.ts', `export const text = 'It ${phrase}';\n`)).toContain('is no plain English');
});

test('a decision has its four headings in order, and names only paths that exist', async () => {
  const headings = ['Context', 'Choice', 'Alternatives tried', 'Consequence'];
  const page = (list: readonly string[], text = 'Some words.'): string =>
    `# A decision\n\n${list.map((heading) => `## ${heading}\n\n${text}\n`).join('\n')}`;
  const path = 'docs/decisions/planted.md';
  expect(await checkFile(path, page(headings))).not.toContain(path);
  for (const wrong of [headings.slice(1), headings.toReversed(), [...headings, 'Notes']])
    expect(await checkFile(path, page(wrong)), wrong.join()).toContain(`${path}: its headings are`);
  expect(await checkFile(path, page(headings, 'See `src/gone.ts`.'))).toContain(`${path}: names src/gone.ts`);
  expect(await checkFile(path, page(headings, 'See `src/flows/connecting/`.'))).not.toContain(path);
  expect(await checkFile(path, page(headings, 'Words.\n'.repeat(30)))).toContain(`${path}: `);
});

test('a requirement id outside tests and docs/requirements.md is refused', async () => {
  const cite = '// R-stream: calls a tool and follows it.\nexport const one = 1;\n';
  const problem = ':1: names the requirement R-stream';
  for (const path of [
    'src/planted.ts',
    'docs/planted.md',
    'docs/decisions/planted.md',
    'scripts/planted.js',
    'bench/planted.md',
    'examples/planted/main.ts',
    'README.md',
  ])
    expect(await checkFile(path, cite), path).toContain(`${path}${problem}`);
  for (const path of ['src/planted.test.ts', 'src/testing/planted.ts', 'tests/planted.ts', 'docs/requirements.md'])
    expect(await checkFile(path, cite), path).not.toContain('names the requirement');
  expect(await checkFile('docs/planted.md', 'A POUR-over, STR-ing and R-2 are no ids.\n')).not.toContain('names the');
});

test('a decision has its four headings in order, and names only paths that exist', async () => {
  const headings = ['Context', 'Choice', 'Alternatives tried', 'Consequence'];
  const page = (list: readonly string[], text = 'Some words.'): string =>
    `# A decision\n\n${list.map((heading) => `## ${heading}\n\n${text}\n`).join('\n')}`;
  const path = 'docs/decisions/planted.md';
  expect(await checkFile(path, page(headings))).not.toContain(path);
  for (const wrong of [headings.slice(1), headings.toReversed(), [...headings, 'Notes']])
    expect(await checkFile(path, page(wrong)), wrong.join()).toContain(`${path}: its headings are`);
  expect(await checkFile(path, page(headings, 'See `src/gone.ts`.'))).toContain(`${path}: names src/gone.ts`);
  expect(await checkFile(path, page(headings, 'See `src/flows/connecting/`.'))).not.toContain(path);
  expect(await checkFile(path, page(headings, 'Words.\n'.repeat(30)))).toContain(`${path}: `);
});
