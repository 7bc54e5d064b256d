/** What the operator allows: `toolkits.code` in `helve.yaml`. */
import { z } from 'zod';
import type { EgressLimits } from '../../../domain/tool.js';
import { httpEndpoint } from '../../../util/http-endpoint.js';

const publicRegistry = 'https://registry.npmjs.org';

const allowedPackage = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/, 'use one exact version, such as 4.17.21'),
  integrity: z
    .string()
    .regex(/^sha512-[A-Za-z0-9+/]{86}==$/, 'use the sha512-… that the registry gives for this version'),
});

export const packageName = z
  .string()
  .regex(/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/)
  .max(214);

export const codeSettings = z.strictObject({
  registry: z
    .url({ protocol: /^https?$/ })
    .default(publicRegistry)
    .describe('Registry that packages come from'),
  packages: z
    .record(packageName, allowedPackage)
    .default({})
    .describe('What programs may import, by name, each in one version; also what these packages need themselves'),
});

export type CodeSettings = z.infer<typeof codeSettings>;

const maxTarballBytes = 20 * 1_048_576;

/** Only the registry is reached; one that the operator named may stand in a private network. */
export function registryEgress({ registry }: CodeSettings): EgressLimits {
  const endpoint = httpEndpoint(registry);
  return {
    allowedDomains: [endpoint.host],
    ...(registry === publicRegistry ? {} : { operatorHosts: [endpoint] }),
    maxRedirects: 0,
    maxBytes: maxTarballBytes,
    timeoutMs: 60_000,
  };
}
