/** The schema kernel: admits raw JSON Schemas, validates with them, and converts them to other forms. */
export { type AdmissionOptions, type AdmittedSchema, admitSchema } from './admit-schema.js';
export { satisfies, schemaIssues, withDefaults } from './checks.js';
export type { Draft } from './dialect.js';
export { isUsablePattern } from './patterns/index.js';
export { acceptsNoObject, closeListed, mayHaveProperty, namedProperties } from './properties.js';
export type { Remotes } from './references.js';
export type { SchemaIssue, Verdict } from './run.js';
export { findSecretMarks, type SecretMarks } from './secret-marks.js';
export type { KernelStandardSchema } from './standard-schema.js';
export { type FunctionEntry, printFunctions } from './typescript/index.js';
