/** Installs a package: from its name to a module that the programs of a workspace can import. */
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { HttpClient } from '../../../domain/context.js';
import { HelveError } from '../../../domain/errors.js';
import type { DocumentStore } from '../../../domain/reach.js';
import type { ProgramRunner } from '../../../domain/sandbox.js';
import type { Workers } from '../../../domain/workers.js';
import { defineWorker } from '../../../util/sandbox/define-worker.js';
import { fetchTarball } from './fetch-tarball.js';
import { createReader } from './read-manifest.js';
import type { CodeSettings } from './settings.js';
import { packagePath } from './stored.js';
import type { PackedPackage } from './unpack.js';

const worker = defineWorker<typeof import('./bundle-files.js')>(import.meta.url, {
  module: './bundle-files.js',
  places: { most: 1, mostOfKey: 1, idleMs: 30_000 },
  residentMb: 1_500,
});

export interface Installation {
  readonly name: string;
  readonly settings: CodeSettings;
  readonly http: HttpClient;
  readonly workers: Workers;
  readonly programs: ProgramRunner;
  readonly documents: DocumentStore;
  readonly signal: AbortSignal;
}

export interface Installed {
  /** The names that it exports besides `default`. */
  readonly names: readonly string[];
  readonly bytes: number;
  readonly hash: string;
}

/** Throws `forbidden` for a package that is not allowed, `invalid_input` for one that cannot run in the sandbox. */
export async function installPackage(installation: Installation): Promise<Installed> {
  const { name, settings, workers, documents, signal } = installation;
  const bundler = await findBundler();
  const packages = await fetchAll(installation);
  const bundle = (names?: readonly string[]): Promise<string> =>
    workers.ask(worker, {
      call: 'bundleFiles',
      message: { bundler, name, packages, ...(names ? { names } : {}) },
      // Only this worker gets access to the folder, which may lie anywhere.
      key: bundler,
      files: [{ source: bundler }],
      heapMb: 512,
      timeoutMs: 60_000,
      signal,
    });
  const names = await readNames(installation, await bundle());
  const content = await bundle(names);
  if (Buffer.byteLength(content) > maxModuleBytes)
    throw new HelveError('too_large', `${name} is larger than ${maxModuleBytes / 1_048_576} MB when it is bundled`);
  const hash = createHash('sha256').update(content).digest('hex');
  await documents.put({ path: packagePath(settings, name), mediaType: 'text/javascript', hash, content });
  return { names, bytes: Buffer.byteLength(content), hash };
}

const maxModuleBytes = 4 * 1_048_576;

/** Returns the folder of `esbuild-wasm`, which Helve does not install by itself because it is large. */
async function findBundler(): Promise<string> {
  try {
    return await realpath(dirname(createRequire(import.meta.url).resolve('esbuild-wasm/package.json')));
  } catch (cause) {
    throw new HelveError('invalid_config', 'Packages cannot be installed: the package esbuild-wasm is missing', {
      hint: 'The operator can add it next to Helve: npm install esbuild-wasm@0.28',
      cause,
    });
  }
}

/**
 * Fetches the package and those of its dependencies that are allowed. A missing dependency matters only if it is
 * imported.
 */
async function fetchAll({ name, settings, http, workers, signal }: Installation): Promise<PackedPackage[]> {
  const readDependencies = createReader(workers, signal);
  const packages: PackedPackage[] = [];
  const known = new Set([name]);
  for (const wanted of known) {
    const found = { name: wanted, tarball: await fetchTarball(http, settings, wanted) };
    packages.push(found);
    for (const dependency of await readDependencies(found))
      if (Object.hasOwn(settings.packages, dependency)) known.add(dependency);
  }
  return packages;
}

/** Loads the package once in the sandbox: only running it shows what it exports, and whether it runs there at all. */
async function readNames({ name, programs }: Installation, source: string): Promise<readonly string[]> {
  const { value, error } = await programs.run({
    code: 'return Object.keys((await import("package")).all)',
    modules: { package: source },
    limits: { memoryMb: 256, cpuMs: 5_000, wallMs: 20_000 },
    call: () => Promise.reject(new Error('There are no tools')),
  });
  if (error)
    throw new HelveError('invalid_input', `${name} does not run in the sandbox: ${error.name}: ${error.message}`, {
      hint: 'The sandbox has ECMAScript, console, URL, TextEncoder and timers, and nothing of Node or of browsers.',
    });
  const identifiers = (value as string[]).filter((one) => one !== 'default' && /^[A-Za-z_$][\w$]*$/.test(one));
  return identifiers.slice(0, maxNames);
}

const maxNames = 5_000;
