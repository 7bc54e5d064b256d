/** Generates code that tests a value's type. */
import type { TypeName } from '../types.js';

export const tests: Readonly<Record<TypeName, (value: string) => string>> = {
  string: (value) => `typeof ${value} === 'string'`,
  number: (value) => `Number.isFinite(${value})`,
  integer: (value) => `Number.isInteger(${value})`,
  boolean: (value) => `typeof ${value} === 'boolean'`,
  null: (value) => `${value} === null`,
  array: (value) => `isArray(${value})`,
  object: (value) => `(typeof ${value} === 'object' && ${value} !== null && !isArray(${value}))`,
};

export const typeTest = (types: readonly TypeName[], value: string): string =>
  types.map((type) => tests[type](value)).join(' || ');
