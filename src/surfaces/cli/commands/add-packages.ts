/** `helve toolkits add documents`: packages that are not installed with Helve are put into the data folder. */
import type { Command } from 'commander';
import { environmentVariables } from '../../../config/index.js';
import { HelveError } from '../../../domain/errors.js';
import { type PackageSetName, packageSetNames, packageSets } from '../../../util/packages.js';
import { type OfflineContext, offline } from '../offline.js';

interface AddOptions {
  readonly data: string;
  readonly url?: string;
}

type Action = (this: Command, ...given: unknown[]) => Promise<void>;

/** Adds the set of that name, which needs no server. Any other name is an app, and `otherwise` adds it. */
export function addPackagesOr(otherwise: Action): Action {
  const addHere = offline<[PackageSetName, AddOptions]>(addSet);
  return function (this: Command, ...given: unknown[]) {
    const isSet = packageSetNames.some((name) => name === given[0]);
    return isSet ? addHere.call(this, ...given) : otherwise.call(this, ...given);
  };
}

async function addSet(
  { output, signal }: OfflineContext,
  set: PackageSetName,
  { data, url }: AddOptions,
): Promise<void> {
  if (url !== undefined)
    throw new HelveError('invalid_input', 'The packages must be added on the machine that runs the server', {
      hint: 'Run the command there, without --url.',
    });
  const { addPackages } = await import('../../../plane/maintenance/index.js');
  const onProgress = (what: string): void => void process.stderr.write(`${what}\n`);
  const installed = await addPackages(data, set, { environment: environmentVariables(), onProgress, signal });
  const said = installed.length === 0 ? 'All packages are already installed' : `Installed ${installed.join(', ')}`;
  output.value({ set, installed }, `${said}: for ${packageSets[set].purpose}.`);
}
