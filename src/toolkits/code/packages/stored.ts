/** The modules that a workspace has installed. */
import { createHash } from 'node:crypto';
import { HelveError } from '../../../domain/errors.js';
import type { DocumentStore } from '../../../domain/reach.js';
import { tokenize } from '../../../util/program/index.js';
import type { CodeSettings } from './settings.js';

/** Names what was allowed, so that another version or another integrity is another module. */
export function packagePath({ packages }: CodeSettings, name: string): string {
  const { version, integrity } = packages[name] as CodeSettings['packages'][string];
  return `/packages/${name}@${version}/${Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')}.js`;
}

/**
 * Returns the source of each package that a program names in a string and that is allowed and installed. Throws `internal`
 * if a stored module is not the one that was stored.
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
