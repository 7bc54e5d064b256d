import { afterAll, expect, test } from 'vitest';
import { createWorkers } from '../sandbox/workers.js';
import { stripTypes } from './index.js';

const workers = createWorkers();
afterAll(() => workers.close());
const strip = (code: string) => stripTypes(workers, code);

test.each([
  'type A = { b: string };\nconst a: A = { b: "x" } as A; a!.b satisfies string;',
  '(async () => {const f = <T,>(a: T, b?: number): a is T & {} => true; return f<string>("é" as any)\n})',
  'class A<T> extends B<T> implements C { private readonly x?: number = 1; static y!: string; override z(): void {} }',
  'function f(this: A, a?: string): void;\nfunction f(a) {}\ndeclare const x: number;\ninterface B {}\nabstract class C {}',
  'const f = async (a: number):\n  Promise<{ a: string }> => ({ a: String(a) });\nlet y = a as any\n;(b)',
  'type É = { ñ: "日本" }; const s: string = "😀 é" as "😀 é"; // 日本',
  'import { type A, b } from "c";\nimport type D from "d";\nexport default async (): Promise<A> => b;',
])('R-code-tools: what is no type stays where it was: %j', async (program) => {
  const { code } = await strip(program);
  expect(code).toHaveLength(program.length);
  const moved = (code ?? '').split('').filter((character, at) => character !== ' ' && character !== program[at]);
  expect(moved.filter((character) => character !== ';' && character !== ')')).toEqual([]);
  expect(code?.split('\n').length).toBe(program.split('\n').length);
  expect(code).not.toMatch(/\bas\b|interface|implements|satisfies|Promise</);
});

test('R-code-tools: a line that begins with a bracket is not joined to what was before the types', async () => {
  const { code = '' } = await strip('let z = 0\ntype A = string\n[1].map((x: number) => x)\nlet y = 1 as any\n(2)');
  expect(code.replaceAll(' ', '')).toBe('letz=0\n;\n[1].map((x)=>x)\nlety=1;\n(2)');
});

test('R-code-tools: a program that begins with a byte order mark keeps its columns', async () => {
  expect((await strip('\ufeffconst a: A = 1')).code).toBe(' const a    = 1');
});

test.each([
  ['enum A { B }', 1, 1, 'An enum cannot be used'],
  ['\nconst enum A { B }', 2, 1, 'An enum cannot be used'],
  ['class A {\n  constructor(private x: number) {} }', 2, 23, 'A parameter property cannot be used'],
  ['namespace A { export const b = 1 }', 1, 1, 'A namespace cannot be used'],
  ['const a = <any>b', 1, 11, 'write "value as Type"'],
  ['import a = require("b")', 1, 1, '"import … = …" cannot be used'],
  ['const a: = 1', 1, 10, 'Unexpected token'],
  ['const é = "日本"; enum A {}', 1, 1, 'An enum cannot be used'],
])('R-code-tools: %j is an issue with its place', async (program, line, column, message) => {
  const { issue } = await strip(program);
  expect(issue).toMatchObject({ line, column, message: expect.stringContaining(message) });
});

test('R-code-tools: a program that breaks the parser is an issue, and the next is read as ever', async () => {
  for (const depth of [1_500, 5_000, 50_000]) {
    const deep = `${'('.repeat(depth)}1${')'.repeat(depth)}`;
    expect((await strip(deep)).issue?.message).toContain('nested too deeply');
    expect((await strip('const a: number = 1')).code).toBe('const a         = 1');
  }
});
