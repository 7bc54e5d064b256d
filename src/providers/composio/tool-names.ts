/**
 * Helve's names of Composio's actions: the slug without the app, in lower case. `GITHUB_CREATE_ISSUE` of `github` is
 * `create_issue`, and Composio's form of that is the slug again.
 *
 * A slug that does not begin with its app, or is not in capitals, gets a fingerprint of itself. A name therefore depends
 * only on the slug: no later action can take a name that an agent was granted.
 */
import { sha256 } from '../../util/hash.js';

const plainSlug = /^[A-Z0-9]+(?:_[A-Z0-9]+)*$/;

/** Returns the tool name for an action's slug. */
export function toolName(app: string, slug: string): string {
  const prefix = `${app.toUpperCase()}_`;
  const rest = slug.slice(prefix.length);
  if (slug.startsWith(prefix) && plainSlug.test(rest)) return rest.toLowerCase();
  const words = slug.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [...words, sha256(slug).slice(0, 12)].join('_').slice(-120);
}

/** The app of a slug: the longest known one that it begins with, otherwise its first word. Lower case. */
export function appOfSlug(slug: string, known: ReadonlySet<string>): string {
  const text = slug.toLowerCase();
  // `_21RISK_GET`: the first character is part of the app.
  for (let end = text.lastIndexOf('_'); end > 0; end = text.lastIndexOf('_', end - 1)) {
    const app = text.slice(0, end);
    if (known.has(app)) return app;
  }
  const first = text.indexOf('_', 1);
  return first < 0 ? text : text.slice(0, first);
}
