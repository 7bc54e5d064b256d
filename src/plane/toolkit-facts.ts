/** A toolkit as others may know it: how it signs in has its own question, and what the operator set for it is not told. */
import type { Toolkit } from '../spec/tool.js';

export function toolkitFacts(toolkit: Toolkit): Toolkit {
  const { slug, title, description, category, provider, needsConnection, internal } = toolkit;
  return { slug, title, description, category, provider, needsConnection, internal };
}
