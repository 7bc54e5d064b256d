/**
 * Ways out of a sandbox: each gives `found`, a list of values that may come from the host. What follows takes a Function of the
 * host from each of them, if there is one, and plants an effect: a file whose path is in `canary`, a global variable, a call.
 */
const ways: Readonly<Record<string, string>> = {
  'the constructor of a tool': 'found.push(tools.echo)',
  'a namespace': 'found.push(tools, env, Object.getPrototypeOf(tools), tools.__lookupGetter__)',
  'the answer of a tool': 'found.push(await tools.echo({ a: { b: [1] } }))',
  'the promise of a tool': 'const p = tools.echo(); found.push(p, p.then, p.constructor); await p',
  'the error of a tool': 'try { await tools.fail() } catch (e) { found.push(e, e.stack, e.message) }',
  'an odd error of a tool': 'try { await tools.failOddly() } catch (e) { found.push(e) }',
  'the error of an unknown tool': 'try { tools.nope } catch (e) { found.push(e) }',
  'the error of a limit':
    'try { await Promise.all(Array(50).fill().map(() => tools.echo())) } catch (e) { found.push(e) }',
  'the console': 'found.push(console, console.log, console.log())',
  timers: 'found.push(setTimeout, sleep, setTimeout(() => {}), sleep(1))',
  addresses:
    'found.push(URL, new URL("http://a"), URLSearchParams, new URLSearchParams().entries()); try { new URL("") } catch (e) { found.push(e) }',
  clones:
    'found.push(structuredClone, structuredClone({}), structuredClone(new Error("x"))); try { structuredClone(() => {}) } catch (e) { found.push(e) }',
  encoders:
    'found.push(TextEncoder, new TextEncoder().encode("a"), new TextDecoder(), atob, btoa); try { atob("*") } catch (e) { found.push(e) }',
  'the constructors of functions':
    'found.push((async () => {}).constructor, (function* () {}).constructor, (async function* () {}).constructor)',
  'the global object':
    'for (const key of Reflect.ownKeys(globalThis)) found.push(globalThis[key]); found.push(globalThis, this)',
  'the caller':
    '(function () { try { found.push(arguments.callee.caller) } catch {} })(); try { found.push((() => {}).caller) } catch {}',
  'the caller of a getter':
    'await tools.echo({ get a() { try { found.push(new Function("return arguments.callee.caller")()) } catch {} return 1 } })',
  'the caller of toJSON': 'await tools.echo({ toJSON() { found.push(this, arguments); return 1 } })',
  'frames of a stack':
    'Error.prepareStackTrace = (e, frames) => { found.push(frames, ...[].concat(frames)); return frames }; found.push(new Error("x").stack); try { null.x } catch (e) { found.push(e.stack) }',
  'frames in the bridge':
    'Error.prepareStackTrace = (e, frames) => { for (const f of [].concat(frames)) { try { found.push(f.getThis(), f.getFunction()) } catch {} } return "" }; try { await tools.fail() } catch (e) { e.stack } try { tools.nope } catch (e) { e.stack }',
  'a captured stack': 'const o = {}; Error.captureStackTrace?.(o); found.push(o.stack, Error.stackTraceLimit)',
  'an overflow':
    'const f = () => { try { f() } catch (e) { found.push(e) } }; f(); found.length = Math.min(found.length, 20)',
  'an overflow in the bridge':
    'const f = (n) => { try { tools.echo({ n }); f(n + 1) } catch (e) { if (found.length < 20) found.push(e) } }; try { f(0) } catch (e) { found.push(e) }',
  'an overflow in an address':
    'const f = () => { try { new URL("http://a"); f() } catch (e) { if (found.length < 20) found.push(e) } }; f()',
  import:
    'for (const name of ["fs", "node:fs", "process", "data:text/javascript,export default 1", "file:///etc/passwd", "./x.js"]) try { found.push(await import(name)) } catch (e) { found.push(e) }',
  'import in a Function':
    'try { found.push(await new Function("return import(\\"node:fs\\")")()) } catch (e) { found.push(e) }',
  WebAssembly: 'found.push(typeof WebAssembly === "undefined" ? 0 : WebAssembly)',
  eval: 'found.push(eval("this"), (0, eval)("this"), (0, eval)("typeof process"))',
  Function: 'found.push(new Function("return this")(), Function("return globalThis")())',
  'the species of a promise':
    'class P extends Promise { constructor(f) { super((a, b) => { found.push(a, b); f(a, b) }) } } P.resolve(tools.echo()); Object.defineProperty(Promise, Symbol.species, { get() { return P } }); await tools.echo().then((x) => x)',
  'the then of a promise':
    'const { then } = Promise.prototype; Promise.prototype.then = function (a, b) { found.push(this, a, b); return then.call(this, a, b) }; await tools.echo(); Promise.prototype.then = then',
  'a value that is awaited':
    'await { then(a, b) { found.push(a, b); a() } }; await tools.echo({ then(a) { found.push(a) } }).catch(() => {})',
  'the constructor of promises':
    'globalThis.Promise = class { constructor(f) { found.push(f); f((x) => found.push(x), (x) => found.push(x)) } }; found.push(tools.echo())',
  'Function.prototype.call':
    'for (const name of ["call", "apply", "bind"]) { const old = Function.prototype[name]; Function.prototype[name] = function (...all) { if (found.length < 50) found.push(this, ...all); return Reflect.apply(old, this, all) } } await tools.echo(); new URL("http://a").href',
  Reflect:
    'const { apply } = Reflect; Reflect.apply = (...all) => { found.push(...all); return apply(...all) }; await tools.echo(); console.log("x")',
  JSON: 'const { parse, stringify } = JSON; JSON.parse = (...all) => { found.push(...all); return parse(...all) }; JSON.stringify = (...all) => { found.push(...all); return stringify(...all) }; await tools.echo(); String(new URLSearchParams("a=1"))',
  'setters of arrays':
    'for (const key of [0, 1, 2, "length2"]) Object.defineProperty(Array.prototype, key, { configurable: true, set(v) { found.push?.(v) } }); try { await tools.echo([1]) } catch {} for (const key of [0, 1, 2]) delete Array.prototype[key]',
  'setters of objects':
    'for (const key of ["answer", "fail", "get", "set", "value", "kind", "id", "text", "calls", "native", "halt", "toJSON"]) Object.defineProperty(Object.prototype, key, { configurable: true, get() { found.push(this) }, set(v) { found.push(v, this) } }); try { await tools.echo({ a: 1 }); tools.nope } catch {} for (const key of ["answer", "fail", "get", "set", "value", "kind", "id", "text", "calls", "native", "halt", "toJSON"]) delete Object.prototype[key]',
  symbols:
    'for (const name of Reflect.ownKeys(Symbol)) if (typeof Symbol[name] === "symbol") { try { found.push(tools[Symbol[name]], tools.echo[Symbol[name]], console.log[Symbol[name]]) } catch {} }',
  toPrimitive:
    'const o = { [Symbol.toPrimitive](hint) { found.push(this, hint); return "echo" } }; try { found.push(tools[o]) } catch {} setTimeout(() => {}, o); sleep(o); new URL(o, "http://a")',
  proxies:
    'const p = new Proxy(() => {}, new Proxy({}, { get: (t, trap) => (...all) => { found.push(...all); return Reflect[trap](...all) } })); try { await tools.echo(p) } catch {} try { await tools.echo({ p: new Proxy({}, new Proxy({}, { get: (t, trap) => (...all) => { found.push(...all); return Reflect[trap](...all) } })) }) } catch {}',
  'a revoked proxy':
    'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); try { await tools.echo(proxy) } catch (e) { found.push(e) } console.log(proxy)',
  generators:
    'const g = (function* () { found.push(yield) })(); g.next(); g.next(tools.echo); found.push(g, Object.getPrototypeOf(g))',
  'async generators':
    'async function* f() { found.push(yield tools.echo()) } const g = f(); found.push(await g.next(), g.return(tools.echo()))',
  iterators:
    'found.push(Object.getPrototypeOf([][Symbol.iterator]()), Object.getPrototypeOf("".matchAll(/a/g)), Iterator.prototype)',
  'weak references':
    'found.push(typeof WeakRef === "undefined" ? 0 : WeakRef, typeof FinalizationRegistry === "undefined" ? 0 : new FinalizationRegistry((x) => found.push(x)))',
  disposal:
    'found.push(typeof DisposableStack === "undefined" ? 0 : DisposableStack, typeof SuppressedError === "undefined" ? 0 : SuppressedError)',
  'new.target and super':
    'class A extends tools.echo.constructor {} try { found.push(new A("return this")()) } catch {} found.push(Reflect.construct(Function, ["return this"], A)())',
  'the realm of a bound function':
    'found.push(Reflect.construct(Object, [], tools.echo.bind()), Object.getPrototypeOf(async () => {}))',
  'labels and comments of the wrapper': 'found.push((() => { try { return eval("arguments") } catch { return 0 } })())',
  'the number of a call':
    'for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) try { found.push(tools[name], env[name], await tools[name]?.({})) } catch {}',
  'a regular expression':
    'RegExp.prototype.exec = function (t) { found.push(this, t); return null }; String.prototype.includes = function (t) { found.push(this, t); return false }; await tools.hostile(); "a".match(/a/)',
  'dates and languages':
    'found.push(new Date().toLocaleString.constructor, Intl_ = typeof Intl === "undefined" ? 0 : Intl)',
  'the source of the bridge':
    'found.push(tools.echo.toString(), console.log.toString(), URL.toString(), Function.prototype.toString.call(sleep))',
};

/** `canary` and `found` are free in the ways above. What a program takes from the host shows in what it returns, too. */
export function attempt(way: string, canary: string): string {
  return `const found = []; let Intl_;
const { getPrototypeOf, getOwnPropertyDescriptor } = Object;
try { ${way} } catch (e) { found.push(e) }
let escaped = 'no';
for (let at = 0; at < found.length && at < 500; at++) {
  for (let value = found[at], step = 0; value !== null && value !== undefined && step < 5; step++) {
    try {
      const F = value.constructor?.constructor ?? value.constructor;
      for (const make of [F, value, value?.constructor]) {
        if (typeof make !== 'function') continue;
        let host;
        try { host = make('return typeof process === "object" && process')() } catch {}
        if (!host || !host.versions) continue;
        escaped = 'yes';
        host.getBuiltinModule('fs').writeFileSync(${JSON.stringify(canary)}, 'escaped');
        host.env.HELVE_SANDBOX_ESCAPED = 'yes';
      }
      value = getPrototypeOf(value);
    } catch { break }
  }
}
return escaped;`;
}

export const escapes: readonly (readonly [name: string, way: string])[] = Object.entries(ways);
