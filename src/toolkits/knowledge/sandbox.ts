/**
 * Puts functions of this toolkit into a process of their own (`util/sandbox/process-pool.ts`), as text: there each knows the
 * others by name, and what lies in other files, with the libraries, through the global `kit`.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { ErrorCode } from '../../domain/errors.js';
import { answeredValue, type ProcessAnswer } from '../../util/process-refusal.js';
import type { PooledProcess } from '../../util/sandbox/process-pool.js';

type Parts = Readonly<Record<string, (...of: never[]) => unknown>>;

/** The parts of every kit that no file of ours defines. */
export interface SandboxKit<Libraries extends string> {
  load(library: Libraries): Promise<never>;
  refuse(code: ErrorCode, message: string, hint?: string): never;
  /** Addresses and paths that were handed over. */
  readonly data: Readonly<Record<string, string>>;
}

const require = createRequire(import.meta.url);

/** `answer` is called with each message. */
export function sandboxCode(parts: Parts, answer: (message: never) => unknown): string {
  return `
const loaded = new Map();
const kit = {
  data,
  load(name) {
    if (!loaded.has(name)) loaded.set(name, import(data[name]));
    return loaded.get(name);
  },
  refuse(code, message, hint) { throw Object.assign(new Error(message), { refusal: { code, message, hint } }); },
};
${Object.values(parts)
  .map((part) => part.toString())
  .join('\n')}
Object.assign(kit, { ${Object.keys(parts).join(', ')} });
const answer = ${answer.toString()};
return async (message) => {
  try { return { value: await answer(message) }; }
  catch (error) {
    if (error && error.refusal) return { refusal: error.refusal };
    throw error;
  }
};`;
}

export function addressOf(library: string): string {
  return pathToFileURL(require.resolve(library)).href;
}

export const pathOf = (file: string): string => require.resolve(file);

export async function askSandbox<Value>(
  process: PooledProcess<unknown>,
  message: unknown,
  limits: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Value> {
  return answeredValue(await process.ask<ProcessAnswer<Value>>(message, limits));
}
