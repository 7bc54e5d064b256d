/** A registry of packages on 127.0.0.1, which serves tarballs that npm has made. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const installed = new URL('../../../../node_modules/', import.meta.url);

export interface Registry {
  readonly url: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** By name: what `toolkits.code.packages` says of it. */
  readonly packages: Record<string, { version: string; integrity: string }>;
  /** Packs a package that is installed here. */
  addInstalled(name: string): void;
  /** Packs files, whose `package.json` gets the name and the version 1.0.0. */
  add(name: string, files: Readonly<Record<string, string>>): void;
  /** The folder of a package that was added. */
  sourceOf(name: string): string;
  /** Serves other bytes under a known name from now on. */
  replace(name: string, bytes: Uint8Array): void;
  close(): Promise<void>;
}

export async function startRegistry(): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), 'helve-registry-'));
  const served = new Map<string, Uint8Array>();
  const packages: Registry['packages'] = {};
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const bytes = served.get(request.url ?? '');
    response.statusCode = bytes ? 200 : 404;
    response.setHeader('content-type', 'application/octet-stream');
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const pathOf = (name: string, version: string): string => `/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
  const pack = (name: string, from: string): void => {
    const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { version: string };
    const options = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const [packed] = JSON.parse(execFileSync('npm', options, { cwd: from, encoding: 'utf8', stdio: 'pipe' }));
    const bytes = readFileSync(join(folder, packed.filename));
    served.set(pathOf(name, version), bytes);
    packages[name] = { version, integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` };
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    packages,
    addInstalled: (name) => pack(name, fileURLToPath(new URL(name, installed))),
    add(name, files) {
      const from = join(folder, 'sources', name);
      const { 'package.json': manifest = '{}', ...others } = files;
      const whole = { name, version: '1.0.0', ...(JSON.parse(manifest) as object) };
      for (const [path, text] of Object.entries({ ...others, 'package.json': JSON.stringify(whole) })) {
        mkdirSync(dirname(join(from, path)), { recursive: true });
        writeFileSync(join(from, path), text);
      }
      pack(name, from);
    },
    sourceOf: (name) => join(folder, 'sources', name),
    replace: (name, bytes) => served.set(pathOf(name, packages[name]?.version ?? ''), bytes),
    async close() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}
