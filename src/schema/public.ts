/** The package entry `helve/schema`: raw JSON Schemas, admitted, validated, and in the shapes that others want. */
export { type AdmissionOptions, type AdmittedSchema, admitSchema } from './admit-schema.js';
export type { Draft } from './dialect.js';
export type { Remotes } from './references.js';
export type { SchemaIssue, Verdict } from './run.js';
export type { KernelStandardSchema } from './standard-schema.js';
