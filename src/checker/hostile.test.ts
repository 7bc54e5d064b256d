/** Programs that want to get past the check, to read files of the host, or to keep it busy. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChecker } from './index.js';
import { known, namespaces } from './testing/namespaces.js';

const folder = mkdtempSync(join(tmpdir(), 'helve-checker-'));
beforeAll(() => {
  // A program whose reference to these is followed gets a `github` that has the misspelt tool.
  const types = 'declare namespace github { function createIsue(input: any): Promise<any> }\n';
  writeFileSync(join(folder, 'planted.d.ts'), types);
  writeFileSync(
    join(folder, 'planted.ts'),
    `export const planted: any = 1;\n${types}declare global { var planted: any }`,
  );
  writeFileSync(join(folder, 'planted.json'), '{ "planted": 1 }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const misspelt = `await github.createIsue({ repo: 'a', title: 'b' });`;

/** Each would call a tool that does not exist, or take what the program must not have. */
const past: Readonly<Record<string, string>> = {
  nocheck: `// @ts-nocheck\n${misspelt}`,
  ignore: `// @ts-ignore\n${misspelt}`,
  'ignore in a block': `/* @ts-ignore */ ${misspelt}\n{ /* \n @ts-ignore */\n${misspelt} }`,
  'expect-error': `// @ts-expect-error it is fine\n${misspelt}`,
  'a reference to a file': `/// <reference path="${folder}/planted.d.ts" />\n${misspelt}`,
  'a reference to types': `/// <reference types="node" />\nreturn process.env;`,
  'a reference to a library': `/// <reference lib="dom" />\nreturn document.title;`,
  'no default library': `/// <reference no-default-lib="true"/>\n${misspelt}`,
  import: `import '${folder}/planted.ts';\nreturn planted;`,
  'import of a value': `import { planted } from '${folder}/planted.ts';\nreturn planted.x;`,
  'import type': `import type { planted } from '${folder}/planted.ts';\nreturn 1 as unknown as typeof planted;`,
  'import as an expression': `const { planted } = await import('${folder}/planted.ts'); return planted.anything();`,
  'import of node': `const fs = await import('node:fs'); return fs.readFileSync('/etc/passwd');`,
  'import as a type': `const x: typeof import('${folder}/planted.ts') = 1 as never; return x.planted.foo;`,
  'import with require': `import fs = require('fs'); return fs;`,
  require: `return require('fs').readFileSync('/etc/passwd', 'utf8');`,
  'export from': `export * from '${folder}/planted.ts';\n${misspelt}`,
  declare: `declare const github: any;\n${misspelt}`,
  'declare a namespace': `declare namespace github { function createIsue(x: unknown): Promise<void> }\n${misspelt}`,
  namespace: `namespace github { export function createIsue(x: unknown) {} }\n${misspelt}`,
  'declare global': `declare global { namespace github { function createIsue(x: any): any } }\n${misspelt}`,
  'declare a module': `declare module 'x' { export const y: any }\n${misspelt}`,
  'declare function': `declare function anything(...x: any[]): any;\nreturn anything();`,
  'a local github': `const github: any = env;\n${misspelt}`,
  'a local github from nothing': `const github: any = {};\n${misspelt}`,
  'a parameter github': `return await (async (github: any) => { ${misspelt} })(1);`,
  'a destructured github': `const { github }: any = env;\n${misspelt}`,
  'a caught github': `try { throw env } catch (github: any) { ${misspelt} }`,
  'a cast': `await (github as any).createIsue({});`,
  'an old cast': `await (<any>github).createIsue({});`,
  'a cast by unknown': `await (github as unknown as { createIsue(x: {}): Promise<void> }).createIsue({});`,
  'a cast in brackets': `await ((github)! as any).createIsue({});`,
  'a cast of env': `await (env as any).github.createIsue({});`,
  'a cast of a member of env': `await (env.github as any).createIsue({});`,
  'a cast of a member by key': `await (env['github'] as any).createIsue({});`,
  'a cast of an alias': `const gh = env.github;\nawait (gh as any).createIsue({});`,
  'a cast of a tool': `await (github.createIssue as any)({ titel: 1 });`,
  'an annotated variable': `const gh: any = github; await gh.createIsue({});`,
  'an annotated default': `async function f(gh: any = github) { await gh.createIsue({}); } await f();`,
  'an argument': `async function f(gh: any) { await gh.createIsue({}); } await f(github);`,
  'an argument of a generic': `function id<T>(x: T): any { return x; } await id(github).createIsue({});`,
  'an assignment': `let gh: any; gh = github; await gh.createIsue({});`,
  'an unannotated variable': `let gh; gh = env as any; await gh.createIsue({});`,
  'a list': `const list: any[] = [github]; await list[0].createIsue({});`,
  'an object': `const o: any = { github }; await o.github.createIsue({});`,
  'a nested object': `const o: { a: any } = { a: { github } }; await o.a.github.createIsue({});`,
  'a map': `const m = new Map<string, any>([['x', github]]); await m.get('x').createIsue({});`,
  'a class': `class A { gh: any = github } await new A().gh.createIsue({});`,
  'an answer of a function': `const f = (): any => github; await f().createIsue({});`,
  JSON: `await JSON.parse(JSON.stringify(github)).createIsue({});`,
  Reflect: `await Reflect.get(github, 'createIsue')({});`,
  'Object.values': `const f: any = Object.values(github)[0]; await f({});`,
  'a type predicate': `function is(x: unknown): x is { createIsue(y: {}): Promise<void> } { return true } const g: unknown = github; if (is(g)) await g.createIsue({});`,
  overloads: `function f(x: typeof github): { createIsue(y: {}): Promise<void> }; function f(x: object): object { return x } await f(github).createIsue({});`,
  'a computed key': `const name: string = 'createIsue'; await github[name]({});`,
  'a computed key of two parts': `await github['create' + 'Isue']({});`,
  'a computed key by cast': `await github['createIsue' as keyof typeof github]({} as never);`,
  'a computed namespace': `const name = 'git' + 'hub'; await env[name].createIsue({});`,
  globalThis: `await (globalThis as any).github.createIsue({});`,
  'globalThis by key': `await globalThis['github'].createIsue({});`,
  'globalThis as a value': `const g: any = globalThis; await g.github.createIsue({});`,
  this: `await (function (this: any) { return this.github.createIsue({}); })();`,
  eval: `return await eval('github.createIsue({})');`,
  'eval by another name': `const e = eval; return await e('github.createIsue({})');`,
  Function: `return await new Function('return github.createIsue({})')();`,
  constructor: `return await (() => {}).constructor('return github.createIsue({})')();`,
  'constructor by key': `return await (() => {})['constructor']('return github.createIsue({})')();`,
  'the end of the wrapper': `});\n${misspelt.replace('await ', 'void ')}\n(async () => {`,
  'an end of the wrapper with a cast': `}) as any; (globalThis as any).github.createIsue({}); (async () => {`,
  'escaped letters': `await g\\u0069thub.createIsue({});`,
  'escaped letters in braces': `await github.create\\u{49}sue({});`,
  'letters that look alike': `await gіthub.createIssue({ repo: 'a', title: 'b' });`,
  'a joiner': `await git\u200dhub.createIssue({ repo: 'a', title: 'b' });`,
  'direction marks': `/* \u202e */ ${misspelt} /* \u202d */`,
  'line separators': `const a = 1; // x\u2028${misspelt}`,
  'a regular expression that looks like a comment': `if (1) /[/*]/.test(''); ${misspelt} /* */`,
  'a division that looks like a regular expression': `const a = 4, g = 2; a++ / 2; ${misspelt} 1 / g;`,
  'a template that looks like an export': `const a = \`\${'x'} export default \`; ${misspelt}`,
  'html comment': `<!-- \n${misspelt}`,
  'a fake default export': `const x = /[\`]/; ${misspelt} export default async () => 1;`,
  with: `with (github) { createIsue({}) }`,
  'JSDoc types': `/** @type {any} */ const gh = github; await gh.createIsue({});`,
  'JSDoc casts': `await (/** @type {any} */ (github)).createIsue({});`,
  'using any of arguments': `function f() { return arguments[0].createIsue({}) } await (f as any)(github);`,
  'a getter': `const o = { get g(): any { return github } }; await o.g.createIsue({});`,
  'unknown and in': `const u: unknown = github; if (u && typeof u === 'object' && 'createIsue' in u) await (u.createIsue as any)({});`,
};

/** Each keeps a compiler busy, or takes all of its stack or memory. */
const bombs: Readonly<Record<string, string>> = {
  'exponential types': `type A<T, N extends unknown[] = []> = N['length'] extends 24 ? T : A<T, [...N, 0]> | A<[T], [...N, 1]>;\nconst x: A<string> = 1 as never; return x;`,
  'a product of unions': `type D = '0'|'1'|'2'|'3'|'4'|'5'|'6'|'7'|'8'|'9'; type N = \`\${D}\${D}\${D}\${D}\${D}\`; const x: N = 'a'; return x;`,
  'recursive conditional types': `type R<T> = T extends \`\${infer H}\${infer L}\` ? R<\`\${L}\${H}\${H}\`> : T; const x: R<'ab'> = 1; return x;`,
  'deep instantiation': `type F<T> = { a: F<{ x: T }>; b: F<[T]> }; declare2: { let x!: F<1>; let y!: F<2>; x = y as never; const z: F<2> = x; return z; }`,
  'many brackets': `return ${'('.repeat(120_000)}1${')'.repeat(120_000)};`,
  'many lists': `return ${'['.repeat(100_000)}${']'.repeat(100_000)};`,
  'a long sum': `return ${'1+'.repeat(100_000)}1;`,
  'many negations': `return ${'!'.repeat(200_000)}1;`,
  'many arrows': `return ${'x=>'.repeat(80_000)}1;`,
  'a long chain': `return [1]${'.map(x => x)'.repeat(20_000)};`,
  'many conditions': `return ${'1?2:'.repeat(60_000)}3;`,
  'many else-ifs': `${'if (1) {} else '.repeat(15_000)}{}`,
  'unclosed brackets': '{(['.repeat(80_000),
  'unclosed templates': '`${'.repeat(80_000),
  'generic or comparison': `return ${'a<'.repeat(5_000)}b;`,
  'ambiguous arrows': `return ${'(a = '.repeat(150)}1${')'.repeat(150)};`,
  'a large union': `type U = ${Array.from({ length: 12_000 }, (_, index) => `{ k: ${index}; v${index}: 1 }`)
    .join('|')
    .slice(0, 240_000)
    .replace(/\|[^|]*$/, '')};\nconst x: U = { k: -1 }; return x;`,
};

describe.each(['native', 'javascript'] as const)('%s', (engine) => {
  const checker = createChecker({ engine, places: 2, timeoutMs: engine === 'native' ? 2_000 : 4_000 });
  afterAll(() => checker.close());

  test.each(Object.entries(past))('refuses %s', async (_, code) => {
    const { issues } = await checker.check({ code, namespaces, known });
    expect(issues.length).toBeGreaterThan(0);
    for (const { message } of issues) expect(message).not.toMatch(/too deep|longer than/);
    if (process.env.SHOW) console.log(issues.map((one) => `${one.line}:${one.column} ${one.message}`).join(' || '));
  });

  test.each(Object.entries(bombs))('answers in time, and lets the host answer: %s', async (name, code) => {
    await checker.check({ code: 'return 1', namespaces, known });
    let longest = 0;
    let last = performance.now();
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const started = performance.now();
    const { issues } = await checker.check({ code, namespaces, known });
    clearInterval(watch);
    if (process.env.SHOW)
      console.log(name, Math.round(performance.now() - started), 'stall', Math.round(longest), issues[0]?.message);
    // Well beyond the limit and the start of another compiler, on a busy machine too.
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(longest).toBeLessThan(1_500);
    expect(issues.length).toBeLessThanOrEqual(20);
    // The next program is checked as if nothing had been.
    expect(
      (await checker.check({ code: 'return await github.createIsue({})', namespaces, known })).issues,
    ).toHaveLength(1);
  });
});
