/**
 * Our names of Composio's actions: what follows the app in the slug, in lower case. `GITHUB_CREATE_ISSUE` of `github` is
 * `create_issue`, and Composio's form of that is the slug again.
 *
 * A slug that does not begin with its app, or is not in capitals, gets a fingerprint of itself. So a name depends on
 * nothing but the slug: no other action, whenever it comes, can take a name that somebody was granted.
 */
import { sha256 } from '../../util/hash.js';

const plainSlug = /^[A-Z0-9]+(?:_[A-Z0-9]+)*$/;

export function toolName(app: string, slug: string): string {
  const prefix = `${app.toUpperCase()}_`;
  const rest = slug.slice(prefix.length);
  if (slug.startsWith(prefix) && plainSlug.test(rest)) return rest.toLowerCase();
  const words = slug.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [...words, sha256(slug).slice(0, 12)].join('_').slice(-120);
}

/** The app that a slug belongs to: the longest known one that it begins with, else its first word. Lower case. */
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
