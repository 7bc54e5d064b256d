/** Checks the operator's toolkit settings against their schemas at the start, instead of during a call. */
import type { ConfigFile } from '../../config/index.js';
import { HelveError } from '../../domain/errors.js';
import type { Registry } from '../../registry/index.js';
import { nearest, orDidYouMean } from '../../util/nearest.js';
import { placedIssue } from './issue-place.js';

/** Throws `invalid_config` with file, line and key. Loads only the toolkits that have settings. */
export async function checkToolkitSettings(config: ConfigFile, registry: Registry): Promise<void> {
  const slugs = Object.keys(config.toolkits);
  if (slugs.length === 0) return;
  const known = (await registry.toolkits()).map(({ slug }) => slug);
  for (const slug of slugs) {
    if (!known.includes(slug)) {
      const meant = orDidYouMean(nearest(slug, known));
      throw new HelveError('invalid_config', `${config.at(['toolkits', slug])}: there is no toolkit ${slug}${meant}`);
    }
    // Only native toolkits have settings; external ones are read when they are used.
    if ((await registry.findToolkit(slug))?.provider !== 'native') continue;
    try {
      await registry.tools(slug);
    } catch (error) {
      throw placed(config, slug, error);
    }
  }
}

function placed(config: ConfigFile, slug: string, error: unknown): unknown {
  if (!(error instanceof HelveError) || typeof error.details?.path !== 'string') return error;
  const issue = { path: error.details.path, message: String(error.details.message) };
  return new HelveError('invalid_config', placedIssue(issue, ['toolkits', slug], config.at));
}
