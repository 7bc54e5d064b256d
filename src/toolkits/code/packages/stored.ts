/** The modules that a workspace has installed. */
import { createHash } from 'node:crypto';
import { HelveError } from '../../../domain/errors.js';
import type { DocumentStore } from '../../../domain/reach.js';
import { tokenize } from '../../../util/program/index.js';
import type { CodeSettings } from './settings.js';

/** Includes version and integrity, so that another version or another integrity is stored as another module. */
export function packagePath({ packages }: CodeSettings, name: string): string {
  const { version, integrity } = packages[name] as CodeSettings['packages'][string];
  return `/packages/${name}@${version}/${Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')}.js`;
}

/**
 * Returns the source of each allowed and installed package that a program names in a string. Throws `internal` if a
 * stored module was altered.
 */
export async function findModules(
  documents: DocumentStore,
  settings: CodeSettings,
  code: string,
): Promise<Record<string, string>> {
  const named = new Set(tokenize(code).flatMap(({ kind, text }) => (kind === 'string' ? [text] : [])));
  const modules: Record<string, string> = {};
  for (const name of Object.keys(settings.packages).filter((one) => named.has(one))) {
    const stored = await documents.get(packagePath(settings, name));
    if (!stored) continue;
    if (createHash('sha256').update(stored.content).digest('hex') !== stored.hash)
      throw new HelveError('internal', `The stored package ${name} has been changed`, {
        hint: 'Install it again with install_package.',
      });
    modules[name] = stored.content;
  }
  return modules;
}
