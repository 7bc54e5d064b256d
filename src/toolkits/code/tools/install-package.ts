import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { installPackage as install } from '../packages/install.js';
import { codeSettings, packageName, registryEgress } from '../packages/settings.js';

const maxTold = 200;

export const installPackage = defineTool({
  name: 'install_package',
  title: 'Install a package',
  description:
    'Make an npm package importable in the programs of this workspace. Only packages that the operator allows, in the versions that they name. None of its scripts run.',
  searchWords: 'npm library module dependency add install need lodash',
  inputSchema: z.strictObject({
    name: packageName.describe('Name in the registry'),
    version: z.string().max(100).optional().describe('Refused if it is not the version that is allowed'),
  }),
  outputSchema: z.strictObject({
    name: z.string(),
    version: z.string(),
    bytes: z.int().describe('Size of the bundled module'),
    hash: z.string().describe('SHA-256 of the bundled module'),
    exports: z.array(z.string()).describe('What it exports besides its default, at most 200 names'),
  }),
  settingsSchema: codeSettings,
  annotations: effects.createsOnce,
  idempotency: { by: 'repeatable', how: 'The same version is stored again in the place of the first' },
  capabilities: ['install package'],
  examples: [{ input: { name: 'lodash-es' } }],
  egress: (_config, settings) => registryEgress(settings),
  timeoutMs: 300_000,
  async execute({ name, version: wanted }, context) {
    const { settings } = context;
    const allowed = Object.hasOwn(settings.packages, name) ? settings.packages[name] : undefined;
    if (!allowed)
      throw new HelveError('forbidden', `The package ${name} is not allowed`, {
        hint: `Allowed: ${Object.keys(settings.packages).slice(0, 50).join(', ') || 'none'}. The operator adds packages to toolkits.code.packages in helve.yaml.`,
      });
    if (wanted !== undefined && wanted !== allowed.version)
      throw new HelveError('forbidden', `${name} is allowed in version ${allowed.version} only`, {
        hint: 'Leave out the version.',
      });
    const { http, workers, programs, documents, signal } = context;
    const { names, bytes, hash } = await install({ name, settings, http, workers, programs, documents, signal });
    return { name, version: allowed.version, bytes, hash, exports: names.slice(0, maxTold) };
  },
});
