/**
 * Lists the contents of a folder, and below it. Every folder on the way down is pinned and checked like a caller's
 * path; links are listed, never followed. Sorted by name, so that equal queries give equal results.
 */
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { FileEntry } from '../../domain/reach.js';
import { child, holding, type Pinned } from './descriptors.js';
import { cancelled, getCode } from './failures.js';
import { compileGlob, type PathGlob } from './glob.js';
import { findEntry, pinFolder } from './read.js';
import { pinFound, type Wall } from './wall.js';

export interface ListOptions {
  readonly pattern?: string;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

export interface Listing {
  readonly entries: readonly FileEntry[];
  readonly truncated: boolean;
}

/** Maximum names examined in one call. */
const maxNames = 200_000;
/** Other work waits no longer than this, whatever the pattern costs. */
const turnMs = 10;
const statsAtOnce = 64;

interface Walk {
  readonly wall: Wall;
  readonly glob: PathGlob;
  readonly top: string;
  readonly options: ListOptions;
  readonly found: FileEntry[];
  looked: number;
  /** Some entries that may match were not examined. */
  missed: boolean;
}

export async function listFolder(wall: Wall, path: string, options: ListOptions): Promise<Listing> {
  const glob = await compileGlob(options.pattern ?? '*');
  return holding(pinFolder(wall, path), async (folder) => {
    const walk: Walk = { wall, glob, top: folder.real, options, found: [], looked: 0, missed: false };
    const waiting = (await lookInto(walk, folder)).reverse();
    while (glob.deep && !isFull(walk)) {
      const next = waiting.pop();
      if (next === undefined) break;
      waiting.push(...(await lookBelow(walk, next)).reverse());
    }
    const truncated = walk.missed || walk.found.length > options.limit;
    return { entries: walk.found.slice(0, options.limit), truncated };
  });
}

function isFull({ found, options, missed }: Walk): boolean {
  return missed || found.length > options.limit;
}

/** A folder that was removed, or may not be read, is skipped. */
async function lookBelow(walk: Walk, real: string): Promise<string[]> {
  const pinned = await pinFound(walk.wall, real).catch(() => undefined);
  return pinned ? holding(Promise.resolve(pinned), (folder) => lookInto(walk, folder).catch(unreadable)) : [];
}

function unreadable(error: unknown): string[] {
  if (getCode(error) === 'EACCES') return [];
  throw error;
}

/** Adds the matches in this folder; returns the folders in it. */
async function lookInto(walk: Walk, folder: Pinned): Promise<string[]> {
  const { wall, glob, top, options } = walk;
  const { names, folders } = await namesIn(walk, folder);
  const hidden = await wall.hidden.namesIn(folder);
  const below = folder.real === top ? '' : `${folder.real.slice(top === '/' ? 1 : top.length + 1)}/`;
  const matching: string[] = [];
  let since = performance.now();
  for (const name of names) {
    if (performance.now() - since > turnMs) {
      await breathe(options.signal);
      since = performance.now();
    }
    if (hidden.has(name) || !wall.places.allows(join(folder.real, name)) || !glob.matches(`${below}${name}`)) continue;
    matching.push(name);
    if (walk.found.length + matching.length > options.limit) break;
  }
  for (let at = 0; at < matching.length; at += statsAtOnce) {
    await breathe(options.signal);
    const some = matching.slice(at, at + statsAtOnce).map((name) => getFacts(folder, name));
    for (const entry of await Promise.all(some)) if (entry) walk.found.push(entry);
  }
  return folders.map((name) => join(folder.real, name));
}

async function namesIn(walk: Walk, folder: Pinned): Promise<{ names: string[]; folders: string[] }> {
  const names: string[] = [];
  const folders: string[] = [];
  for await (const entry of await opendir(folder.via, { bufferSize: 256 })) {
    if (walk.options.signal?.aborted) throw cancelled();
    if (++walk.looked > maxNames) {
      walk.missed = true;
      break;
    }
    names.push(entry.name);
    if (entry.isDirectory()) folders.push(entry.name);
  }
  return { names: names.sort(), folders: folders.sort() };
}

async function getFacts(folder: Pinned, name: string): Promise<FileEntry | undefined> {
  const stats = await lstat(child(folder, name)).catch(() => undefined);
  return stats && findEntry(join(folder.real, name), stats);
}

async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await turn();
  if (signal?.aborted) throw cancelled();
}
