/**
 * One module for every written form of a tool, all of them reversible: in code, as Composio's slug, as the legacy id,
 * in the audit record, and for a model; also the slugs of connections and the aliases of tools.
 */
export { canonicalToolName, findAliasPreset, toolAliases } from './aliases.js';
export { toAppKey, toAppName } from './app-name.js';
export { toAuditName, toCodeName, toIdentifier } from './code-name.js';
export { toComposioName, toLegacyId } from './composio-name.js';
export { type ModelEntry, modelNames, toModelName } from './model-name.js';
export {
  buildNameIndex,
  createNameIndex,
  type IndexedTool,
  type NameForm,
  type NameIndex,
  type ParseOptions,
} from './name-index.js';
export { toNamespace } from './namespace.js';
export { computeSlugs, type SlugSource, slugify, slugLength } from './slug.js';
export { looksFingerprinted, type ToolId } from './tool-id.js';
