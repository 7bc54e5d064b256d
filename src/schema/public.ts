/** The package entry `helve/schema`: admits raw JSON Schemas, validates with them, and converts them to other forms. */
export { type AdmissionOptions, type AdmittedSchema, admitSchema } from './admit-schema.js';
export type { Draft } from './dialect.js';
export type { Remotes } from './references.js';
export type { SchemaIssue, Verdict } from './run.js';
export type { KernelStandardSchema } from './standard-schema.js';
