/**
 * Modules for a separate process: built modules are imported directly; TypeScript sources, which tests run, are
 * compiled by a development dependency on import.
 */

/** Hooks for `node:module`'s `register` that map an import of `x.js` to `x.ts`. Undefined for a built entry. */
export function sourceHooks(entry: string): string | undefined {
  return entry.endsWith('.ts') ? hooksFor(entry) : undefined;
}

const hooksFor = (entry: string): string => `
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
const { transform } = createRequire(${JSON.stringify(entry)})('@swc/core');
export const resolve = (name, context, next) =>
  next(name.startsWith('.') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context);
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const text = await readFile(fileURLToPath(url), 'utf8');
  const { code } = await transform(text, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } });
  return { format: 'module', source: code, shortCircuit: true };
}`;
