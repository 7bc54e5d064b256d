/**
 * The control of the test of escapes: runs each program in a realm of its own that has `process`, so the same text has the host
 * at hand. A program of its own, since the programs leave rejections that nothing handles. Arguments: a folder for the files, a
 * port. It prints a JSON list of `[source, chase]` that planted a file.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createContext, runInContext } from 'node:vm';
import { escapes } from './escapes.js';

const [, , folder = '', port = '0'] = process.argv;
process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});
const { versions, env } = process;
// Without what would end this program when a chase calls it.
const host = { versions, env, getBuiltinModule: (name: string) => process.getBuiltinModule(name) };
const answer = async (given: unknown): Promise<unknown> => given;
const fail = (error: unknown) => async (): Promise<never> => {
  throw error;
};
const tools = { echo: answer, hostile: answer, fail: fail(new Error('x')), failOddly: fail(null) };
const web = { setTimeout, sleep, URL, URLSearchParams, structuredClone, TextEncoder, TextDecoder, atob, btoa };

const planted: (readonly [source: string, chase: string])[] = [];
for (const [index, { source, chase, code }] of escapes.entries()) {
  const canary = join(folder, String(index));
  const context = createContext({ tools, env: {}, process: host, console: { log() {}, error() {} }, ...web });
  try {
    const program = `(async () => { ${code({ canary, port: Number(port) })} })()`;
    await Promise.race([runInContext(program, context, { timeout: 20_000 }), sleep(1_000)]);
  } catch {
    // A way may leave its realm unusable after it has planted its effects.
  }
  if (existsSync(canary)) planted.push([source, chase]);
}
console.log(JSON.stringify({ planted, variable: env.HELVE_SANDBOX_ESCAPED }));
// Its connections are still being made.
await sleep(500);
process.exit();
