/** The engine's WebAssembly, compiled once in each thread or process, if it is the version that was examined. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ExtensionDescriptor } from 'quickjs-wasi';
import { type GuestFiles, openGuestFiles } from './module-names.js';

/** SHA-256 of the files of quickjs-wasi 3.6.2. */
const engine = ['quickjs.wasm', 'd4c9375f2b1ca4dc95f72c8aa2982a7a9951ac8011490d79c6582df732b4bbd9'] as const;
const extensions = [
  ['encoding', 'd501aa2a8410ee07c196103f0d169b226ec61c922883713510fd723fe14036c3'],
  ['structured-clone', '0ac5a36c0545c659ba6f9f8de5af11862df84546d151d0f15ec5184c95fd6cb3'],
] as const;

/** The part of WebAssembly that is used: Node's types lack it. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<WasmModule> };
type WasmModule = object;

export interface EngineModules {
  readonly wasm: WasmModule;
  readonly extensions: ExtensionDescriptor[];
  readonly guestFiles: GuestFiles;
}

export async function loadModules(): Promise<EngineModules> {
  const [wasm, ...others] = await Promise.all([
    load(...engine),
    ...extensions.map(async ([name, hash]) => ({ name, wasm: await load(`${name}.so`, hash) })),
  ]);
  return { wasm, extensions: others, guestFiles: openGuestFiles() };
}

/** Exported for its test. */
export async function load(file: string, sha256: string): Promise<WasmModule> {
  const bytes = await readFile(createRequire(import.meta.url).resolve(`quickjs-wasi/${file}`));
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Error(`${file} of quickjs-wasi is not the file that this version of Helve was made with`);
  return WebAssembly.compile(bytes);
}
