// Checks what no linter here checks: at most 15 branches and 3 parameters per function, no `any`, no module state, no
// `URL.canParse`, a header on every file that is not trivial and on every door, flows that import only types from adapters, ids of
// requirements only in tests and on their page, decisions in one form, and plain English. Functions with more parameters are listed in `house-exceptions.json`; the list may only shrink.
//   node scripts/check-house.js [folder]   checks the repository in this folder; default: this one
//   … --write                              updates the list of exceptions
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from '@swc/core';

const maxBranches = 15;
const maxParameters = 3;

const folders = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const root = folders[0] ?? new URL('..', import.meta.url).pathname;
const exceptionsFile = join(root, 'scripts/house-exceptions.json');
/** Functions with too many parameters, and how many they may have. */
const exceptions = existsSync(exceptionsFile) ? JSON.parse(readFileSync(exceptionsFile, 'utf8')) : {};
const found = {};
const problems = [];

const isTest = (path) => /\.test\.ts$|(?:^|\/)(?:testing|tests)\//.test(path);

function files(folder, names = /\.ts$/) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

const functionTypes =
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassMethod|MethodProperty|PrivateMethod|Constructor)$/;
const branchTypes = new Set([
  'CatchClause',
  'ConditionalExpression',
  'DoWhileStatement',
  'ForInStatement',
  'ForOfStatement',
  'ForStatement',
  'IfStatement',
  'WhileStatement',
]);

function isBranch({ type, test, operator }) {
  if (type === 'SwitchCase') return Boolean(test);
  if (type === 'BinaryExpression') return operator === '&&' || operator === '||' || operator === '??';
  return branchTypes.has(type);
}

/** Calls `each` for every function under `node`, with its name, parameters and branches; inner functions count separately. */
function eachFunction(node, each) {
  const visit = (current, name, around) => {
    if (!current || typeof current !== 'object') return;
    if (Array.isArray(current)) {
      for (const item of current) visit(item, name, around);
      return;
    }
    const own = current.identifier?.value ?? current.key?.value ?? current.id?.value ?? name;
    let inside = around;
    if (functionTypes.test(current.type)) {
      const { params = [] } = current.function ?? current;
      inside = { name: own ?? 'a function', parameters: params.length, branches: 1 };
    }
    if (inside && isBranch(current)) inside.branches += 1;
    for (const [key, value] of Object.entries(current)) if (key !== 'span') visit(value, own, inside);
    if (inside !== around) each(inside);
  };
  visit(node, undefined, undefined);
}

function checkFunctions(path, body) {
  eachFunction(body, ({ name, parameters, branches }) => {
    if (branches > maxBranches) problems.push(`${path}: ${name} has ${branches} branches (max ${maxBranches})`);
    if (parameters <= maxParameters) return;
    const key = `${path}#${name}`;
    found[key] = Math.max(parameters, found[key] ?? 0);
    if (parameters > (exceptions[key] ?? 0))
      problems.push(`${path}: ${name} has ${parameters} parameters (max ${maxParameters}): give it one object`);
  });
}

/**
 * `let` at the top of a module is state that all its users share and that no test can reset. A constant that is
 * computed at first use is `computedOnce` of util/computed-once.ts.
 */
function checkState(path, body) {
  for (const node of body) {
    const declaration = node.type === 'ExportDeclaration' ? node.declaration : node;
    if (declaration.type !== 'VariableDeclaration' || declaration.kind === 'const') continue;
    for (const { id } of declaration.declarations)
      problems.push(`${path}: ${id.value} is state of the module: let it belong to a value`);
  }
}

/** A literal that is spread into another adds nothing: it only changes the layout. */
function checkSpreads(path, node) {
  if (!node || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const item of node) checkSpreads(path, item);
    return;
  }
  const spread = [...(node.properties ?? []), ...(node.elements ?? [])].some(
    (member) =>
      (member?.type === 'SpreadElement' && member.arguments?.type === 'ObjectExpression') ||
      (member?.spread && member.expression?.type === 'ArrayExpression'),
  );
  if (spread && /Expression$/.test(node.type))
    problems.push(`${path}: spreads a literal into another: list its members`);
  for (const [key, value] of Object.entries(node)) if (key !== 'span') checkSpreads(path, value);
}

/** A flow gets the functions of an adapter as arguments; the import rules cannot distinguish types from values. */
function checkFlowImports(path, body) {
  if (!path.startsWith('src/flows/')) return;
  for (const { type, typeOnly, source, specifiers } of body) {
    if (type !== 'ImportDeclaration' || !/\/(config|vault|walls)\//.test(source.value)) continue;
    if (typeOnly || specifiers.every((specifier) => specifier.isTypeOnly)) continue;
    problems.push(`${path}: imports a value from ${source.value}: a flow may import only types from adapters`);
  }
}

function checkHeader(path, text) {
  const isDoor = /(?:^|\/)index\.ts$/.test(path);
  // The title and description of a tool say what it does.
  const isTool = /^src\/toolkits\/.*\/tools\//.test(path);
  if (!isDoor && (isTool || text.split('\n').length <= 41)) return;
  if (!/^(?:#!.*\n)?\s*(?:\/\*\*|\/\/)/.test(text))
    problems.push(`${path}: does not begin with a comment that says what it is and why`);
}

function stripComments(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g, "''");
}

/** Words that the code of a file may not contain. */
function checkCode(path, text) {
  const code = stripComments(text);
  // On Node 20 it returns false for addresses with non-ASCII characters once its caller has been optimised.
  if (/\bcanParse\b/.test(code))
    problems.push(`${path}: uses URL.canParse, which Node 20 answers wrongly: use parseUrl of util/parse-url.ts`);
  if (!isTest(path) && /[:<,|&(]\s*any\b(?!\w)/.test(code)) problems.push(`${path}: uses any`);
}

/** An id does not help a reader of a sentence. Tests cite it so that the tests of each requirement can be found. */
function checkRequirementIds(path, text) {
  if (isTest(path) || path === 'docs/requirements.md') return;
  for (const [index, line] of text.split('\n').entries()) {
    const id = /\bR-[a-z]+(?:-[a-z]+)*/.exec(line)?.[0];
    if (id !== undefined)
      problems.push(
        `${path}:${index + 1}: names the requirement ${id}: say it in words; ids stand in tests and docs/requirements.md only`,
      );
  }
}

const decisionHeadings = 'Context, Choice, Alternatives tried, Consequence';
/** The page can be read in a few minutes; a longer one should be two decisions. */
const maxDecisionLines = 75;

/** Paths must exist in the checked folder, so that a page does not describe files that have gone. */
function checkDecision(path, text) {
  if (!/^docs\/decisions\/.*\.md$/.test(path)) return;
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading).join(', ');
  if (headings !== decisionHeadings)
    problems.push(`${path}: its headings are ${headings || 'none'}; they must be ${decisionHeadings}`);
  const lines = text.split('\n').length - 1;
  if (lines > maxDecisionLines)
    problems.push(`${path}: ${lines} lines (at most ${maxDecisionLines}): split it by subject`);
  for (const [, named] of text.matchAll(/`((?:src|tests|docs|bench|scripts|examples|bin)\/[\w./-]+)`/g))
    if (!existsSync(join(root, named))) problems.push(`${path}: names ${named}, which does not exist`);
}

/** Unclear phrases that this project once used, listed in `forbidden-phrases.json`: use plain words instead. */
const phrasesFile = new URL('forbidden-phrases.json', import.meta.url);
const phrases = new RegExp(`\\b(?:${JSON.parse(readFileSync(phrasesFile, 'utf8')).join('|')})\\b`, 'i');

function checkPhrases(path, text) {
  for (const [at, line] of text.split('\n').entries()) {
    const found = phrases.exec(line)?.[0];
    if (found !== undefined)
      problems.push(`${path}:${at + 1}: ${JSON.stringify(found)} is no plain English: see CONTRIBUTING.md`);
  }
}

let count = 0;
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].filter((name) => existsSync(join(root, name)));
const readable = ['src', 'panel/src', 'tests', 'docs', 'bench', 'examples', 'scripts']
  .flatMap((folder) => files(folder, /\.(?:[cm]?[jt]sx?|md|sh|ya?ml|html)$/))
  .filter((path) => !path.includes('node_modules/'));
for (const path of [...pages, ...readable]) {
  const text = readFileSync(join(root, path), 'utf8');
  checkPhrases(path, text);
  checkDecision(path, text);
  if (!path.startsWith('tests/')) checkRequirementIds(path, text);
}
for (const path of [...files('src'), ...files('panel/src', /\.tsx?$/)]) {
  const text = readFileSync(join(root, path), 'utf8');
  checkCode(path, text);
  const { body } = parseSync(text, { syntax: 'typescript', tsx: path.endsWith('.tsx'), target: 'es2022' });
  checkSpreads(path, body);
  if (/\.test\.ts$/.test(path)) continue;
  count += 1;
  checkHeader(path, text);
  checkFlowImports(path, body);
  if (isTest(path)) continue;
  checkFunctions(path, body);
  checkState(path, body);
}

if (process.argv.includes('--write')) {
  writeFileSync(exceptionsFile, `${JSON.stringify(found, null, 2)}\n`);
} else {
  for (const [key, value] of Object.entries(exceptions)) {
    const now = found[key] ?? 0;
    if (now < value)
      problems.push(
        `scripts/house-exceptions.json: ${key} has ${now || 'few enough'} parameters now: run with --write`,
      );
  }
  for (const problem of problems) console.error(problem);
}
console.log(`house: ${count} files, ${problems.length} problems`);
process.exitCode = problems.length > 0 && !process.argv.includes('--write') ? 1 : 0;
