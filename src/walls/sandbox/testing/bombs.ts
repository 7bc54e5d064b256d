/** Programs that try to use up the machine. Each must end by a limit, and within it. */
import type { SandboxLimits } from '../index.js';
import type { Program } from './under-test.js';

const small: Partial<SandboxLimits> = { cpuMs: 250, memoryMb: 16 };

const codes: Readonly<Record<string, string>> = {
  'a loop': 'while (true) {}',
  'a loop that catches': 'while (true) { try { while (true) {} } catch {} finally { continue } }',
  'a loop after a call': 'await tools.nothing(); for (;;);',
  'a loop over short waits': 'while (true) { await sleep(0); for (let i = 0; i < 50_000; i++); }',
  'a loop in a finally': 'try { null.x } finally { while (true); }',
  'a loop in a getter': 'return { get a() { while (true); } }',
  'a loop in toJSON': 'return { toJSON() { while (true); } }',
  'toJSON without end': 'const f = () => ({ a: { toJSON: f } }); return f()',
  'a loop in an argument': 'await tools.echo({ get a() { while (true); } })',
  'a loop in a proxy': 'return new Proxy({}, { ownKeys() { while (true); } })',
  'a loop in a then': 'return { then() { while (true); } }',
  'a loop in an error': 'throw { get message() { while (true); } }',
  'a loop in a message': 'throw { message: { toString() { while (true); } } }',
  'a loop in a log':
    'console.log({ toString() { while (true); } }, new Proxy({}, { getOwnPropertyDescriptor() { while (true); }, ownKeys: () => ["a"] }))',
  'a loop in an iterator': 'for (const a of { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) });',
  'a loop in a generator': 'function* f() { while (true) yield* [1] } for (const a of f());',
  'a loop in hasInstance':
    'Map[Symbol.hasInstance]; Object.defineProperty(Map, Symbol.hasInstance, { value() { while (true); } }); return []',
  'a loop in a callback': '[1].forEach(() => { while (true); })',
  'a loop in a comparison': 'new Array(10).fill(1).sort(() => { while (true); })',
  'a loop in Function': 'new Function("while (true);")()',
  'a loop in eval': 'eval("while (true);")',
  'a loop in a static block': 'class A { static { while (true); } }',
  'a loop in a module': 'await import("endless")',
  'a loop in a timer': 'setTimeout(() => { while (true); }); await sleep(1e6)',
  'endless microtasks': 'const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})',
  'endless queueMicrotask': 'const f = () => queueMicrotask(f); f(); await new Promise(() => {})',
  'microtasks that multiply':
    'const f = () => { queueMicrotask(f); queueMicrotask(f) }; f(); await new Promise(() => {})',
  'await without end': 'while (true) await null',
  'async generators': 'async function* f() { while (true) yield 1 } for await (const a of f());',
  'a regular expression': '/^(a+)+$/.test("a".repeat(50) + "b")',
  'a regular expression that looks ahead': '/^(?=(a+)+b)/.test("a".repeat(50))',
  'a regular expression of alternatives': '/^(a|a|aa)*$/.test("a".repeat(60) + "b")',
  'large bigints': 'let a = 3n; while (true) a = a * a;',
  'a power': 'return String(7n ** 3_000_000n).length',
  'text that doubles': 'let a = "x"; while (true) a += a;',
  'text that is padded': 'const all = []; while (true) all.push("".padEnd(2 ** 28, "ab"))',
  'text that is replaced': 'let a = "aa"; while (true) a = a.replaceAll("a", a);',
  'text that is split': 'const all = []; while (true) all.push("x".repeat(1e6).split(""))',
  'arrays that grow': 'const a = []; while (true) a.push(a.concat(a));',
  'a long array': 'const a = new Array(2 ** 32 - 1); a.fill(1)',
  'a long array joined': 'return new Array(2 ** 31).join("xxxxxxxx")',
  buffers: 'const all = []; while (true) all.push(new ArrayBuffer(2 ** 20))',
  'a large buffer': 'while (true) { try { new Uint8Array(2 ** 31 - 1) } catch {} }',
  'a buffer that is resized':
    'const b = new ArrayBuffer(1, { maxByteLength: 2 ** 30 }); const all = []; while (true) { b.resize(2 ** 30); all.push(b.slice()) }',
  objects: 'const a = {}; for (let i = 0; ; i++) a["k" + i] = {};',
  maps: 'const m = new Map(); for (let i = 0; ; i++) m.set({}, [i]);',
  closures: 'let f = () => 0; while (true) { const g = f; f = () => g }',
  symbols: 'const all = []; while (true) all.push(Symbol("x"))',
  promises: 'const all = []; while (true) all.push(new Promise(() => {}))',
  calls: 'while (true) tools.nothing()',
  'calls that are caught': 'while (true) { try { await tools.nothing() } catch {} }',
  'calls at once': 'await Promise.all(Array(1e5).fill().map(() => tools.nothing()))',
  timers: 'while (true) setTimeout(() => {})',
  'log lines': 'while (true) console.log("x".repeat(1_000))',
  'log lines that are caught': 'while (true) { try { console.log("x".repeat(1_000)) } catch {} }',
  'a deep value': 'let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return a',
  'a deep argument': 'let a = {}; for (let i = 0; i < 1e5; i++) a = { a }; while (true) await tools.echo(a)',
  'a wide value': 'const a = []; for (let i = 0; i < 1e6; i++) a.push(i); return a',
  'a value that is shared': 'let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a',
  'an address': 'while (true) new URL("https://e.com/" + "x".repeat(60_000))',
  parameters: 'const p = new URLSearchParams(); while (true) p.append("a", "b")',
  clones: 'let a = [1]; while (true) a = structuredClone([a, a])',
  'code in code': 'let c = "1"; while (true) { c = "(" + c + ")"; try { new Function(c) } catch {} }',
  'recursion that is caught': 'const f = () => { try { f() } catch { f() } }; f()',
  'recursion of getters': 'const a = { get b() { return a.b } }; while (true) { try { a.b } catch {} }',
  'recursion of proxies':
    'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); while (true) { try { p.x } catch {} }',
  'recursion of JSON': 'const t = "[".repeat(1e6); while (true) { try { JSON.parse(t) } catch {} }',
  'out of memory, caught': 'while (true) { try { const a = []; while (true) a.push("x".repeat(1e5)) } catch {} }',
};

/** Ends by itself, with an error or a limit, or by one of the limits. What counts is how long it took. */
export const bombs: readonly Program[] = Object.entries(codes).map(([name, code]) => ({
  name,
  code,
  limits: small,
  more: { modules: { endless: 'while (true);' } },
  judge: ({ ok, cpuMs, error }) => {
    if (ok) return 'should not succeed';
    if (error?.name === 'SandboxError') return 'should be ended by a limit';
    return cpuMs > 250 * 1.1 + 400 ? 'should end in time' : undefined;
  },
}));

/** Deep recursion alone is an error that a program can catch. */
export const recursion = 'const f = () => f(); try { f() } catch (e) { return e.name }';
