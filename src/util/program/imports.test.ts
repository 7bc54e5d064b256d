import { expect, test } from 'vitest';
import { awaitImports } from './index.js';

test.each([
  ["import a from 'x';", 'const { default: a } = await import("x");'],
  ['import { a, b as c } from "x"', 'const { a, b: c } = await import("x");'],
  ['import * as a from "x";', 'const a = await import("x");'],
  ['import a, { b } from "x";', 'const { default: a, b } = await import("x");'],
  ['import a, * as b from "x";', 'const b = await import("x"); const { default: a } = b;'],
  ['import "x";', 'await import("x");'],
  ['import { type A, b } from "x";', 'const { b } = await import("x");'],
  ['import { "c-d" as e } from "x";', 'const { "c-d": e } = await import("x");'],
  ['import type { A } from "x";', ''],
  ['import type A from "x";', ''],
  ['import type from "x";', 'const { default: type } = await import("x");'],
  ['import {\n  a,\n  b,\n} from "x";\na', 'const { a, b } = await import("x");\n\n\n\na'],
  ['const a = await import("x"); a.import; import.meta'],
  ['"import a from \'x\'"; // import b from "y"\n`import c from "z"`'],
  ['import a from b'],
  ['import { a b } from "x"'],
  ['import'],
])('R-code-tools: %j is awaited', (program, code = program) => {
  expect(awaitImports(program)).toBe(code);
});
