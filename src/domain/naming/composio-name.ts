/**
 * The two flat forms: Composio's `GITHUB_CREATE_ISSUE` and the legacy id `composio-github_create_issue`.
 *
 * Both join toolkit and name with the same `_` that joins words. A fixed list of toolkits (compound-toolkits.ts)
 * determines the boundary; an identity that this rule would read differently carries a fingerprint.
 */
import { toolkitOfFlatForm } from './compound-toolkits.js';
import { fingerprint, looksFingerprinted, naturalLength, readable, type ToolId } from './tool-id.js';

const flatWords = /^_?[a-z0-9]+(?:_[a-z0-9]+)*$/;
const legacyPrefix = 'composio-';

function toFlatName(id: ToolId): string {
  const flat = `${id.toolkit}_${id.name}`;
  const natural =
    flat.length <= 2 * naturalLength &&
    flatWords.test(flat) &&
    !looksFingerprinted(flat) &&
    toolkitOfFlatForm(flat) === id.toolkit;
  if (natural) return flat;
  const words = `${readable(id.toolkit, 'toolkit')}_${readable(id.name, 'tool')}`.toLowerCase();
  return `${words}_${fingerprint(['flat', id.toolkit, id.name])}`;
}

/** Composio's form: `GITHUB_CREATE_ISSUE`. For every tool in Composio's catalogue it is Composio's own slug. */
export function toComposioName(id: ToolId): string {
  return toFlatName(id).toUpperCase();
}

/** The legacy id: `composio-github_create_issue`. */
export function toLegacyId(id: ToolId): string {
  return legacyPrefix + toFlatName(id);
}

/** The Composio form of a legacy id; undefined if `form` is not a legacy id. */
export function legacyToComposio(form: string): string | undefined {
  if (!form.startsWith(legacyPrefix) || form !== form.toLowerCase()) return undefined;
  return form.slice(legacyPrefix.length).toUpperCase();
}
