import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpClient } from '../../../domain/context.js';
import { HelveError } from '../../../domain/errors.js';
import type { CodeSettings } from './settings.js';

/**
 * Fetches one allowed package from the registry. Throws `upstream_failed` if the registry does not have it, and
 * `egress_blocked` if what it sends is not what the operator allowed.
 */
export async function fetchTarball(http: HttpClient, settings: CodeSettings, name: string): Promise<Uint8Array> {
  const { version, integrity } = settings.packages[name] as CodeSettings['packages'][string];
  const file = `${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;
  const url = `${settings.registry.replace(/\/+$/, '')}/${name}/-/${file}`;
  const { status, body, truncated } = await http.fetch({ url, headers: { accept: 'application/octet-stream' } });
  if (status !== 200)
    throw new HelveError('upstream_failed', `The registry answered ${status} for ${name} ${version}`, {
      hint: 'Ask the operator to correct the version in toolkits.code.packages.',
    });
  if (truncated) throw new HelveError('too_large', `The package ${name} is larger than 20 MB`);
  const found = createHash('sha512').update(body).digest();
  if (!timingSafeEqual(found, Buffer.from(integrity.slice('sha512-'.length), 'base64')))
    throw new HelveError('egress_blocked', `What the registry sent for ${name} ${version} is not what was allowed`, {
      hint: 'Ask the operator to compare its integrity hash. Nothing was installed.',
    });
  return body;
}
