// Holds what no linter here holds: files of at most 400 lines, functions of at most 100, no `any`
// outside tests, no `URL.canParse` anywhere, and a header on every file that is not trivial. What is longer
// stands in the list below, which may only shrink. Checks the folder given as an argument, or this repository.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from '@swc/core';

// Lower limits made people cut where no reader looks for a cut: lists that are read by name at 300 lines, and at 70 factories
// whose functions share one state.
const mostFileLines = 400;
const mostFunctionLines = 100;
/** Path, or path#function: the few that may be longer, each with its reason. */
const allowed = new Map([
  // Contract suites: one function is one group of tests, read a test at a time.
  ['src/testing/storage-contract.ts#configuration', 'a group of tests'],
]);

const root = process.argv[2] ?? new URL('..', import.meta.url).pathname;
const problems = [];
const unused = new Set(allowed.keys());

function files(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)));
}

function report(key, text) {
  if (allowed.has(key)) unused.delete(key);
  else problems.push(text);
}

function checkFunctions(path, text) {
  const bytes = Buffer.from(text);
  const tree = parseSync(text, { syntax: 'typescript', target: 'es2022' });
  const base = tree.span.start;
  const lineOf = (offset) => bytes.subarray(0, Math.max(0, offset)).toString().split('\n').length;
  const visit = (node, name) => {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const item of node) visit(item, name);
      return;
    }
    const own = node.identifier?.value ?? node.key?.value ?? node.id?.value ?? name;
    if (
      /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassMethod|MethodProperty|PrivateMethod)$/.test(
        node.type,
      )
    ) {
      const span = node.span ?? node.function?.span;
      const from = lineOf(span.start - base);
      const length = lineOf(span.end - base) - from + 1;
      if (length > mostFunctionLines)
        report(
          `${path}#${own}`,
          `${path}:${from}: ${own ?? 'a function'} has ${length} lines (at most ${mostFunctionLines})`,
        );
    }
    for (const [key, value] of Object.entries(node)) if (key !== 'span') visit(value, own);
  };
  visit(tree.body, undefined);
  if (path.startsWith('src/flows/')) checkFlowImports(path, tree.body);
  if (/[:<,|&(]\s*any\b(?!\w)/.test(stripComments(text))) report(`${path}#any`, `${path}: uses any`);
}

/** What an adapter does reaches a flow as an argument; the import rules cannot tell a type from a value. */
function checkFlowImports(path, body) {
  for (const { type, typeOnly, source, specifiers } of body) {
    if (type !== 'ImportDeclaration' || !/\/(config|vault|walls)\//.test(source.value)) continue;
    if (typeOnly || specifiers.every((specifier) => specifier.isTypeOnly)) continue;
    report(`${path}#flow`, `${path}: imports a value from ${source.value}: a flow may import only types from adapters`);
  }
}

/** On Node 20 it is false for addresses with characters outside ASCII once its caller has been optimised. */
function checkAddresses(path, text) {
  if (/\bcanParse\b/.test(stripComments(text)))
    report(
      `${path}#canParse`,
      `${path}: uses URL.canParse, which Node 20 answers wrongly: use parseUrl of util/parse-url.ts`,
    );
}

function stripComments(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g, "''");
}

let count = 0;
for (const path of files('src')) {
  const text = readFileSync(join(root, path), 'utf8');
  checkAddresses(path, text);
  if (/\.test\.ts$/.test(path)) continue;
  count += 1;
  const lines = text.split('\n').length - 1;
  if (lines > mostFileLines) report(path, `${path}: ${lines} lines (at most ${mostFileLines})`);
  if (lines > 40 && !text.includes('/**')) report(`${path}#header`, `${path}: no header that says what it is and why`);
  checkFunctions(path, text);
}
for (const key of unused)
  problems.push(`scripts/check-house.js: ${key} is allowed and no longer needs to be: take it off the list`);
for (const problem of problems) console.error(problem);
console.log(`house: ${count} files, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
