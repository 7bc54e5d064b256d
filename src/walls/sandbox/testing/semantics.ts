/** What a program of the language that we promise does, and how its mistakes are told. */
import { failsWith, type Program, returns } from './under-test.js';

const at =
  (line: number, column: number): Program['judge'] =>
  ({ error }) =>
    error?.line === line && error.column === column ? undefined : `should fail at ${line}:${column}`;

/** It succeeds with the value, and with one line more in its log. */
const answersWith =
  (wanted: unknown, warning: string): Program['judge'] =>
  (result) =>
    returns(wanted)(result) ??
    (JSON.stringify(result.logs) === JSON.stringify([{ level: 'warn', text: warning }])
      ? undefined
      : `should say ${warning}`);

export const semantics: readonly Program[] = [
  { name: 'a value', code: 'return { a: [1, "x", null, true] }', judge: returns({ a: [1, 'x', null, true] }) },
  { name: 'no value', code: 'const a = 1', judge: ({ ok, value }) => (ok && value === undefined ? undefined : 'no') },
  { name: 'a call', code: 'return await tools.echo({ a: 1 })', judge: returns({ a: 1 }) },
  { name: 'a call without arguments', code: 'return await env.tools.echo()', judge: returns({}) },
  { name: 'a promise is awaited', code: 'return tools.echo({ a: 1 })', judge: returns({ a: 1 }) },
  {
    name: 'calls in order, and in parallel',
    code: 'const all = await Promise.all([3, 1, 2].map((n) => tools.echo({ n }))); return all.map(({ n }) => n)',
    judge: returns([3, 1, 2]),
  },
  {
    name: 'the faster answer first',
    code: `const seen = [];
await Promise.all([300, 20].map(async (ms) => { await tools.wait({ ms }); seen.push(ms); }));
return seen`,
    judge: returns([20, 300]),
  },
  {
    name: 'an error of a tool',
    code: `try { await tools.fail() } catch (e) { return [e instanceof Error, e.name, e.message, e.code, e.hint, Object.keys(e)] }`,
    judge: returns([true, 'HelveError', 'It did not work', 'not_found', 'Look again.', []]),
  },
  {
    name: 'an error that is not caught',
    code: 'await tools.fail()',
    judge: failsWith(/^HelveError: It did not work$/),
  },
  { name: 'an odd error', code: 'await tools.failOddly()', judge: failsWith(/^Error: The call failed$/) },
  { name: 'a tool that is not there', code: 'await tools.missing()', judge: failsWith(/There is no tool missing/) },
  { name: 'a name', code: 'tools.ecko', judge: failsWith(/tools has no tool "ecko"\. Did you mean "echo"\?/) },
  { name: 'a namespace', code: 'env.tols', judge: failsWith(/no namespace "tols"\. Did you mean "tools"\?/) },
  {
    name: 'a namespace is only data',
    code: `return [Object.getPrototypeOf(tools), tools.then, tools[Symbol.iterator], await tools === tools, 'echo' in tools,
  Object.keys(env), Object.isFrozen(tools), Object.isFrozen(tools.echo), tools.constructor]`,
    judge: returns([null, null, null, true, true, ['tools'], true, true, null]),
  },
  { name: 'a namespace cannot be changed', code: 'tools.echo = 1', judge: failsWith(/TypeError/) },
  { name: 'where: a later line', code: '\n\n  null.x', judge: at(3, 3) },
  { name: 'where: the first line', code: '  null.x', judge: at(1, 3) },
  { name: 'where: in a function', code: 'function f() {\n  throw new Error("x");\n}\nf()', judge: at(2, 13) },
  { name: 'where: an error of a tool', code: 'const a = 1;\n  await tools.fail()', judge: at(2, 15) },
  {
    name: 'where: an error of a tool, in a function, at the same time as others',
    code: 'const f = async () => {\n  await tools.echo();\n  await tools.fail();\n};\nawait Promise.all([f(), tools.echo()])',
    judge: at(3, 15),
  },
  { name: 'where: a syntax error on the first line', code: 'let x = ;', judge: at(1, 9) },
  { name: 'where: a syntax error', code: 'const a = 1;\nlet x = ;', judge: at(2, 9) },
  { name: 'closing the function', code: '}})();env;(()=>{({', judge: failsWith(/^SyntaxError/) },
  { name: 'a second function', code: '}, async () => { return 5', judge: failsWith(/^SyntaxError/) },
  { name: 'a comment at the end', code: 'return 1 // done', judge: returns(1) },
  {
    name: 'ECMAScript 2024',
    code: `const { promise, resolve } = Promise.withResolvers(); resolve('a');
return [Object.groupBy([1, 2], (n) => (n % 2 ? 'odd' : 'even')), Map.groupBy([1], String).size, (await promise).isWellFormed(), /[[a-z]--b]/v.test('b'), new ArrayBuffer(1).transfer(2).byteLength]`,
    judge: returns([{ odd: [1], even: [2] }, 1, true, false, 2]),
  },
  {
    name: 'errors in a value and in arguments',
    code: `const lost = await Promise.allSettled([tools.fail(), Promise.reject(Object.assign(new TypeError('no'), { at: 3 }))]);
return [lost, await tools.echo({ error: new RangeError('far') }), JSON.stringify(new Error('as everywhere'))]`,
    judge: returns([
      [
        {
          status: 'rejected',
          reason: { name: 'HelveError', message: 'It did not work', code: 'not_found', hint: 'Look again.' },
        },
        { status: 'rejected', reason: { at: 3, name: 'TypeError', message: 'no' } },
      ],
      { error: { name: 'RangeError', message: 'far' } },
      '{}',
    ]),
  },
  {
    name: 'an error that contains itself, alone or through another one',
    code: `const one = new Error('one'); one.self = one;
const other = new Error('other'); other.cause = Object.assign(new Error('third'), { of: other });
const told = (error) => tools.echo({ error }).catch(String);
return [await told(one), await told(other)];`,
    judge: returns(Array(2).fill('TypeError: A value that contains itself cannot be written as JSON.')),
  },
  {
    name: 'the errors of promises of which none was kept',
    code: `const failing = (text) => Promise.reject(new Error(text));
const { name, errors } = await Promise.any([failing('a'), failing('b')]).catch((error) => tools.echo(error));
return [name, errors];`,
    judge: returns([
      'AggregateError',
      [
        { name: 'Error', message: 'a' },
        { name: 'Error', message: 'b' },
      ],
    ]),
  },
  {
    name: 'an error that is there twice, with methods',
    code: `class Odd extends Error { code() { return 1; } details() { return 2; } }
const odd = new Odd('odd'); return [odd, { odd }];`,
    judge: returns([{ name: 'Error', message: 'odd' }, { odd: { name: 'Error', message: 'odd' } }]),
  },
  { name: 'throwing text', code: 'throw "no"', judge: failsWith(/^Error: The program threw no$/) },
  {
    name: 'what JSON cannot hold in arguments',
    code: `class Point { x = 1; } const told = [];
const around = {}; around.around = around;
for (const given of [{ a: NaN }, -1 / 0, [1n], around, new Map(), new Set(), { f() {} }, Symbol(), [tools.echo()]])
  told.push(await tools.echo(given).catch(String));
return [told, await tools.echo(new Point())];`,
    judge: returns([
      [
        'TypeError: NaN (at "a") cannot be written as JSON.',
        'TypeError: -Infinity cannot be written as JSON.',
        'TypeError: The bigint 1n (at "0") cannot be written as JSON.',
        'TypeError: A value that contains itself cannot be written as JSON.',
        'TypeError: A Map; use Object.fromEntries(map): it cannot be written as JSON.',
        'TypeError: A Set; use [...set]: it cannot be written as JSON.',
        'TypeError: A function (at "f") cannot be written as JSON.',
        'TypeError: A symbol cannot be written as JSON.',
        'TypeError: A Promise; await it first: it (at "0") cannot be written as JSON.',
      ],
      { x: 1 },
    ]),
  },
  {
    name: 'what JSON cannot hold in the answer, after the effects',
    code: `class Point { x = 1; y = 0 / 0; }
return [new Point(), [-1 / 0], 10n ** 20n, new Map([['a', new Set([1, 2n])], ['__proto__', 1]]), new Map([[1, 'b'], ['1', 'c']]), Symbol(), { f() {} }, tools.echo()];`,
    judge: answersWith(
      [
        { x: 1, y: null },
        [null],
        '100000000000000000000',
        { a: [1, '2'] },
        [
          [1, 'b'],
          ['1', 'c'],
        ],
        null,
        {},
        null,
      ],
      'NaN (at "y") cannot be written as JSON: the answer has null in its place. ' +
        '-Infinity (at "0") cannot be written as JSON: the answer has null in its place. ' +
        'The bigint 100000000000000000000n (at "2") cannot be written as JSON: the answer has its text in its place. ' +
        'A Map; use Object.fromEntries(map): it (at "3") cannot be written as JSON: the answer has an object in its place. ' +
        'A Set; use [...set]: it (at "a") cannot be written as JSON: the answer has a list in its place. ' +
        'The same is true of 5 more values.',
    ),
  },
  {
    name: 'an answer that is nothing for JSON',
    code: 'return () => 1',
    judge: answersWith(undefined, 'A function cannot be written as JSON: the answer has nothing in its place.'),
  },
  {
    name: 'an answer that contains itself',
    code: 'const a = { b: 1 }; a.a = [a]; return a',
    judge: answersWith(
      '{ b: 1, a: [ { b: 1, a: [ { b: 1, a: […] } ] } ] }',
      'The answer only describes the value: A value that contains itself cannot be written as JSON.',
    ),
  },
  {
    name: 'an answer whose getter throws',
    code: 'return { a: 1, get b() { throw new Error("no") } }',
    judge: answersWith('{ a: 1, b: [getter] }', 'The answer only describes the value: no'),
  },
  { name: 'undefined inside', code: 'return { a: undefined, b: 1 }', judge: returns({ b: 1 }) },
  { name: 'a date', code: 'return new Date(0)', judge: returns('1970-01-01T00:00:00.000Z') },
  {
    name: 'the log',
    code: 'console.log("a", { b: [1, "c"] }, new Map([[1, 2]])); console.warn(new Error("x")); console.error(1n)',
    judge: ({ logs }) =>
      JSON.stringify(logs) ===
      JSON.stringify([
        { level: 'log', text: 'a { b: [ 1, "c" ] } Map { 1 => 2 }' },
        { level: 'warn', text: 'Error: x' },
        { level: 'error', text: '1n' },
      ])
        ? undefined
        : 'should log three lines',
  },
  {
    name: 'the log before an error',
    code: 'console.log("before"); null.x',
    judge: ({ ok, logs }) => (!ok && logs[0]?.text === 'before' ? undefined : 'should log one line'),
  },
  {
    name: 'timers',
    code: `const seen = [];
setTimeout((x) => seen.push(x), 40, 'late'); clearTimeout(setTimeout(() => seen.push('never'), 5));
setTimeout(() => seen.push('early')); await sleep(80); return seen`,
    judge: returns(['early', 'late']),
  },
  { name: 'an error in a timer', code: 'setTimeout(() => null.x); await sleep(500)', judge: failsWith(/TypeError/) },
  { name: 'waiting for nothing', code: 'await new Promise(() => {})', judge: failsWith(/nothing will settle/) },
  {
    name: 'the web',
    code: `const u = new URL('../x?q=1&q=2#h', 'https://u:p@e.com:8080/b/c/');
u.searchParams.append('ü', 'a b'); u.pathname = '/p'; u.hash = '';
const p = new URLSearchParams({ a: '1', b: '&' }); p.set('a', '2'); p.delete('b'); p.append('c', '3');
return [u.href, u.searchParams.getAll('q'), String(p), [...p], URL.canParse('no'), atob(btoa('hi')),
  new TextDecoder().decode(new TextEncoder().encode('é€')), [...structuredClone(new Set([1]))]]`,
    judge: returns([
      'https://u:p@e.com:8080/p?q=1&q=2&%C3%BC=a+b',
      ['1', '2'],
      'a=2&c=3',
      [
        ['a', '2'],
        ['c', '3'],
      ],
      false,
      'hi',
      'é€',
      [1],
    ]),
  },
  { name: 'a bad address', code: 'new URL("nowhere")', judge: failsWith(/TypeError: Invalid URL: nowhere/) },
  {
    name: 'languages and time zones, which would be ignored',
    code: `const told = [];
for (const given of [() => (1.5).toLocaleString('de'), () => 1n.toLocaleString('de'), () => [1].toLocaleString('de'),
  () => new Date(0).toLocaleDateString(undefined, { timeZone: 'Asia/Tokyo' }), () => 'a'.localeCompare('b', 'de'),
  () => 'I'.toLocaleLowerCase('tr')]) try { told.push(given()) } catch (error) { told.push(error.message.split(' ', 3).join(' ')) }
return [told, (1.5).toLocaleString(), [1, 2].toLocaleString(), 'a'.localeCompare('b'), 'I'.toLocaleLowerCase(undefined)]`,
    judge: returns([
      [
        'toLocaleString does not',
        'toLocaleString does not',
        'toLocaleString does not',
        'toLocaleDateString does not',
        'localeCompare does not',
        'toLocaleLowerCase does not',
      ],
      '1.5',
      '1,2',
      -1,
      'i',
    ]),
  },
  {
    name: 'what it has not',
    code: `return ['process', 'require', 'fetch', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry',
  'performance', 'navigator', 'XMLHttpRequest', 'Worker', 'module', 'Buffer', 'setInterval'].filter((name) => name in globalThis)`,
    judge: returns([]),
  },
  {
    name: 'modules',
    code: `const [{ add, counted }, again, other] = [await import('sum'), await import('sum'), await import('@a/b/c')];
counted.push(1); return [add(1, 2), again.counted, Object.keys(again), other.default, typeof globalThis.leaked]`,
    more: {
      modules: {
        sum: 'var leaked = 1; export const counted = []; export function add(a, b) { return a + b }',
        '@a/b/c': 'import { add } from "sum"; export default add(2, 3)',
      },
    },
    judge: returns([3, [1], ['add', 'counted'], 5, 'undefined']),
  },
  {
    name: 'the modules of the guest itself are not there',
    code: `const tried = [];
for (const name of ['open-door.js', './open-door.js', 'guest:open-door.js', 'kit.js', './kit.js', 'guest:kit.js', 'package:kit.js'])
  try { await import(name); tried.push(name) } catch (e) { if (!e.message.startsWith('There is no package')) tried.push(e.message) }
return [tried, (await import('guest:bridge.js')).default]`,
    more: { modules: { 'guest:bridge.js': 'export default "its own"' } },
    judge: returns([[], 'its own']),
  },
  {
    name: 'modules that there are not',
    code: `const tried = [];
for (const name of ['sums', 'fs', 'node:fs', './sum', '/etc/passwd', 'toString', '__proto__', 'data:text/javascript,1', ''])
  try { await import(name); tried.push('yes') } catch (e) { tried.push(e.name + ': ' + e.message + (e.stack ?? '').includes('/')) }
return [tried[0], tried.filter((text) => text.startsWith('Error: There is no package')).length]`,
    more: { modules: { sum: 'export {}' } },
    judge: returns(['Error: There is no package "sums" here. Did you mean sum?false', 9]),
  },
  {
    name: 'a module that fails',
    code: 'const a = 1;\nconst { b } = await import("bad");',
    more: { modules: { bad: '\n\nnull.x' } },
    judge: failsWith(/^TypeError/),
  },
  {
    name: 'a module that is no code',
    code: 'await import("bad")',
    more: { modules: { bad: 'let =' } },
    judge: failsWith(/^SyntaxError/),
  },
  {
    name: 'constants',
    code: 'try { input.a.b = 2 } catch {} return input',
    more: { globals: { input: { a: { b: 1 } } } },
    judge: returns({ a: { b: 1 } }),
  },
  {
    name: 'a fixed clock',
    code: 'const a = Date.now(); await sleep(20); return [a, Date.now(), new Date().getTimezoneOffset()]',
    more: { now: 1_000 },
    judge: returns([1_000, 1_000, 0]),
  },
  {
    name: 'a clock of the caller',
    code: 'const a = Date.now(); await sleep(0); return Date.now() - a',
    more: {
      now: (
        (time) => () =>
          (time += 1_000)
      )(0),
    },
    judge: returns(1_000),
  },
  {
    name: 'a clock that stands still in a turn',
    code: 'const a = Date.now(); for (let i = 0; i < 300_000; i++); return Date.now() - a',
    judge: returns(0),
  },
  {
    name: 'sleep of the caller',
    code: 'await sleep(1e9); return 1',
    more: { sleep: async () => undefined },
    judge: returns(1),
  },
  {
    name: 'a call by name',
    code: 'return [await env.call("echo", { a: 1 }), await env.call("echo"), Object.keys(env), Object.isFrozen(env.call)]',
    judge: returns([{ a: 1 }, {}, ['tools'], true]),
  },
  { name: 'a name that no tool has', code: 'await env.call("ecko")', judge: failsWith(/There is no tool ecko/) },
  { name: 'a name of everything', code: 'await env.call("toString")', judge: failsWith(/There is no tool toString/) },
  { name: 'a name that is no text', code: 'env.call(tools)', judge: failsWith(/TypeError: .*must be a string/) },
  { name: 'a name without end', code: 'env.call("x".repeat(201))', judge: failsWith(/more than 200 characters/) },
  {
    name: 'a namespace named call',
    code: 'return [await env.call("a", 1), await call.echo({ b: 2 })]',
    more: {
      namespaces: { call: { echo: 'echo' } },
      call: async (name, given) => JSON.stringify([name, JSON.parse(given)]),
    },
    judge: returns([
      ['a', 1],
      ['echo', { b: 2 }],
    ]),
  },
  {
    name: 'what an error of a tool says besides',
    code: `const seen = [];
for (const given of [{ a: [1] }, null, { a: 'x'.repeat(9_000) }, JSON.parse('{"__proto__":{"b":1},"c":2}')])
  try { await tools.failInDetail(given) } catch (e) { seen.push([e.retryable, e.details]) }
return [seen, ({}).b]`,
    judge: returns([
      [
        [true, { a: [1] }],
        [true, null],
        [true, null],
        [true, { c: 2 }],
      ],
      null,
    ]),
  },
  {
    name: 'what the host answers has no __proto__',
    code: `const a = await tools.hostile(); return [Object.keys(a), a.polluted, ({}).polluted, Object.getPrototypeOf(a) === Object.prototype]`,
    judge: returns([['constructor', 'then'], null, null, true]),
  },
  {
    name: 'what the program gives has no __proto__',
    code: 'return await tools.echo({ ["__proto__"]: { polluted: 1 }, a: 1 })',
    judge: returns({ a: 1 }),
  },
  {
    name: 'what the program returns has no __proto__',
    code: 'return JSON.parse(\'{"__proto__":{"polluted":1},"a":1}\')',
    judge: (result) =>
      returns({ a: 1 })(result) ?? (Object.hasOwn(result.value as object, '__proto__') ? 'has __proto__' : undefined),
  },
  {
    name: 'the bridge does not use what a program can change',
    code: `const places = []; const { ownKeys } = Reflect;
for (const owner of [Array, Object, String, Promise, Function, Map, JSON, Reflect, Number, Error])
  for (const place of [owner, owner.prototype])
    if (place) places.push(place);
const all = places.flatMap((place) => ownKeys(place).map((key) => ({ place, key })));
for (let at = 0; at < all.length; at++) {
  const { place, key } = all[at];
  try { if (typeof place[key] === 'function' && key !== 'constructor') place[key] = () => 'changed' } catch {}
}
console.log('x', [1]);
return await tools.echo({ a: 1 })`,
    judge: (result) => returns({ a: 1 })(result) ?? (result.logs[0]?.text === 'x [ 1 ]' ? undefined : 'should log'),
  },
];
