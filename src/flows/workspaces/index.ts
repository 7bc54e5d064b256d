/**
 * What a process caches for each workspace (its configuration, its tools), and helpers for every operation of a
 * workspace.
 */
export { draft } from './audit-draft.js';
export { pinUnknown } from './build-catalogue.js';
export { type Catalogues, createCatalogues } from './catalogues.js';
export { changedInLine, changedSince } from './changed-since.js';
export { type ConfigurationCache, createConfigurationCache } from './configurations.js';
export { freshCatalogue, freshWithin } from './fresh-catalogue.js';
export { getOutsideToolkits, isOutside } from './outside-toolkits.js';
export { requireVersion } from './require-version.js';
export { systemActor, systemPrincipal } from './system-principal.js';
export { findWritten, knownToolkit, toolkitFacts, toolkitsInUse } from './toolkit-facts.js';
