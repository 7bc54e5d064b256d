/** Reads `package.json` inside a package. Runs in a worker. */
import { HelveError } from '../../../domain/errors.js';
import { type PackedPackage, unpackAll } from './unpack.js';

export function listDependencies(packed: PackedPackage): string[] {
  const bytes = unpackAll([packed]).get(`/node_modules/${packed.name}/package.json`);
  try {
    const { dependencies, peerDependencies } = JSON.parse(new TextDecoder().decode(bytes));
    return [...Object.keys(dependencies ?? {}), ...Object.keys(peerDependencies ?? {})];
  } catch (cause) {
    throw new HelveError('invalid_input', `The package ${packed.name} has no package.json that can be read`, { cause });
  }
}
