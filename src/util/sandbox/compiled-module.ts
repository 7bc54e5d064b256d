/**
 * A module that a child process can import. A built module is imported unchanged. TypeScript sources, which tests run,
 * are first compiled into a folder below `node_modules`, where their imports are found and which every worker can see.
 * A worker cannot compile them itself, because the compiler is native code.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { computedOnce } from '../computed-once.js';

const fromSources = import.meta.url.endsWith('.ts');
const relativeImport = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\()["'](\.{1,2}\/[^"']+\.(?:js|ts))["']/g;

/** From the address of a module to that of its compiled one. Sources do not change while a process of the tests runs. */
const found = computedOnce(() => new Map<string, string>());

/** `address` and the result are `file:` addresses. */
export function findCompiled(address: string): string {
  if (!fromSources || !address.endsWith('.ts')) return address;
  const known = found().get(address);
  if (known !== undefined) return known;
  const compiled = compileAll(address);
  found().set(address, compiled);
  return compiled;
}

/** Compiles the module and everything that it imports. */
function compileAll(address: string): string {
  const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
  const packages = join(root, 'node_modules');
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const folder = join(packages, '.cache', `helve-sources-${name}`);
  mkdirSync(folder, { recursive: true });
  const facts = join(folder, 'package.json');
  if (!existsSync(facts)) writeWhole(facts, '{ "type": "module" }\n');
  const { transformSync } = createRequire(import.meta.url)('@swc/core') as Compiler;

  const done = new Set<string>();
  const pending = [fileURLToPath(address)];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (done.has(path)) continue;
    done.add(path);
    const code = compile(path, join(folder, relative(root, path).replace(/\.ts$/, '.js')), transformSync);
    for (const [, imported = ''] of code.matchAll(relativeImport)) {
      const source = join(dirname(path), imported.replace(/\.js$/, '.ts'));
      if (existsSync(source)) pending.push(source);
    }
  }
  return pathToFileURL(join(folder, relative(root, fileURLToPath(address)).replace(/\.ts$/, '.js'))).href;
}

interface Compiler {
  transformSync(text: string, options: object): { readonly code: string };
}

/** Returns the compiled code. A file that was already compiled from the same text is used again. */
function compile(source: string, target: string, transformSync: Compiler['transformSync']): string {
  const text = readFileSync(source, 'utf8');
  const mark = `// ${createHash('sha256').update(text).digest('hex')}\n`;
  const kept = existsSync(target) ? readFileSync(target, 'utf8') : '';
  if (kept.startsWith(mark)) return kept;
  const { code } = transformSync(text, {
    filename: source,
    swcrc: false,
    sourceMaps: 'inline',
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
  });
  mkdirSync(dirname(target), { recursive: true });
  writeWhole(target, `${mark}${code}`);
  return `${mark}${code}`;
}

/** Another process may read the file, or write the same one, at the same moment. */
function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}
