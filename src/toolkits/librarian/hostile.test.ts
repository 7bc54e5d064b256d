/**
 * Hostile queries and documents through the pipeline: each ends within its budget with an answer or an error, leaves
 * the event loop free and other calls answered, and the engine works afterwards.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAttacks } from '../../../tests/data/attacks.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

const secret = 'the other workspace';
let helve: TestHelve;
beforeAll(async () => {
  const limits = { query_timeout_seconds: 0.3, memory_mb: 128 };
  helve = await createTestHelve({
    toolConfig: { librarian_query: limits, librarian_store: limits },
    resultMaxChars: 1_000_000,
  });
  const { grants } = await helve.plane.grantCatalogue(helve.admin, 'tester');
  await helve.plane.createAgent(helve.admin, { slug: 'patient' });
  const config = { librarian_query: { ...limits, query_timeout_seconds: 20 } };
  const [own] = grants.filter(({ toolkit }) => toolkit === 'librarian');
  await helve.plane.replaceGrants(helve.admin, 'patient', [
    { toolkit: 'librarian', tools: own?.tools ?? [], limits: {}, config },
  ]);
  const content = `<root>${'<a n="1"><b>text</b><c/></a>'.repeat(500)}</root>`;
  const input = { collection: '/db/x', document_name: '1.xml', content };
  expect(await helve.call('librarian_store', input)).toMatchObject({ ok: true });
  process.env.HELVE_TEST_MASTERKEY = secret;
});
afterAll(async () => {
  delete process.env.HELVE_TEST_MASTERKEY;
  await helve.close();
});

/** While the call runs: how late the event loop was at worst, and how many other calls were answered. */
async function beside(work: Promise<unknown>): Promise<{ late: number; answered: number }> {
  let running = true;
  let late = 0;
  let answered = 0;
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    late = Math.max(late, now - before - 20);
    before = now;
  }, 20);
  const others = (async () => {
    while (running) {
      expect(await helve.call('calculate', { expression: '6 * 7' })).toMatchObject({ ok: true });
      answered += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  await work.finally(() => {
    running = false;
  });
  await others;
  clearInterval(timer);
  return { late, answered };
}

const double = (times: number, start = '"x "') => `fold-left(1 to ${times}, ${start}, function($a, $b) { $a || $a })`;

/** What a query may cost, with what may come of it. In a thread, some of these aborted the whole program. */
const bombs: [string, string, RegExp][] = [
  ['counting far', 'sum(1 to 1000000000)', /timeout|too_large/],
  ['everything for everything', '//node()[count(//node()[count(//node()) > 0]) > 0]', /timeout|too_large/],
  ['//node() in //node()', '//node()[//node()[//node()[//node()]]]', /timeout|too_large|ok/],
  [
    'a join of everything with everything',
    'for $a in //a, $b in //a, $c in //a return <x>{$a, $b, $c}</x>',
    /timeout|too_large/,
  ],
  ['recursion without end', 'declare function local:f($x) { local:f($x + 1) }; local:f(1)', /too_large|timeout/],
  ['recursion that grows', 'declare function local:f($x) { local:f($x || $x) }; local:f("ab")', /too_large|timeout/],
  [
    'two functions that call each other',
    'declare function local:a($x) { local:b($x) }; declare function local:b($x) { local:a($x) }; local:a(1)',
    /too_large|timeout/,
  ],
  ['a string doubled 40 times', `string-length(${double(40)})`, /too_large|timeout/],
  ['codepoints of a long string', `count(string-to-codepoints(${double(24)}))`, /too_large|timeout/],
  ['a replacement that grows', `string-length(replace(${double(24)}, "x", "${'y'.repeat(60)}"))`, /too_large|timeout/],
  ['an array of much', 'array:size(array { 1 to 50000000 })', /too_large|timeout/],
  ['a map of much', 'map:size(map:merge((1 to 20000000) ! map { . : . }))', /too_large|timeout/],
  [
    'a deep tree',
    'declare function local:f($n) { <a>{ if ($n = 0) then () else local:f($n - 1) }</a> }; local:f(1000000)',
    /too_large|timeout/,
  ],
  [
    'groups of everything',
    'for $a in //node(), $b in //node() group by $k := $a/.. return count($b)',
    /timeout|too_large|invalid_input/,
  ],
  ['brackets', `${'('.repeat(20_000)}1${')'.repeat(20_000)}`, /timeout|too_large|invalid_input/],
  ['nested predicates', `//a${'[//a'.repeat(300)}${']'.repeat(300)}`, /timeout|too_large|invalid_input|ok/],
];

/** Regular expressions that take others for ever: any answer within the time will do. */
const patterns = ['(a+)+$', '(a|aa)+$', '([a-zA-Z]+)*$', '(.*a){25}', '((a{1,100}){1,100}){1,100}'];

describe('hostile queries', () => {
  test.each(bombs)('R-librarian: %s ends, and nothing else waits for it', async (_what, query, expected) => {
    const started = performance.now();
    const call = helve.call('librarian_query', { query });
    const { late, answered } = await beside(call);
    const result = await call;
    expect(result.ok ? 'ok' : result.error.code, JSON.stringify(result).slice(0, 300)).toMatch(expected);
    // A third of a second for the query, the rest for a new process on a busy machine.
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(late).toBeLessThan(1_500);
    expect(answered).toBeGreaterThan(0);
    expect(await helve.call('librarian_query', { query: 'count(//a)' })).toMatchObject({
      output: { results: ['500'] },
    });
  });

  test('R-librarian: no pattern of matches, replace or tokenize takes longer than the limit', async () => {
    const text = `${'a'.repeat(50)}!`;
    for (const pattern of patterns) {
      const query =
        'matches($t, $p), count(tokenize($t, concat($p, "x"))), string-length(replace($t, concat($p, "x"), "-"))';
      const started = performance.now();
      const call = helve.call('librarian_query', { query, variables: { t: text, p: pattern } });
      expect((await beside(call)).late).toBeLessThan(1_500);
      const result = await call;
      expect(result.ok ? 'ok' : result.error.code, pattern).toMatch(/^(ok|timeout|invalid_input|too_large)$/);
      expect(performance.now() - started).toBeLessThan(20_000);
    }
  });

  test('R-librarian: a query is ended when its caller goes away', async () => {
    const gone = new AbortController();
    setTimeout(() => gone.abort(), 150);
    const call = helve.call('librarian_query', { query: 'sum(1 to 1000000000)' }, { signal: gone.signal });
    expect(await call).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});

/** Through the same processes, with more time: a machine may be busy. */
const patient = (query: string, variables: Record<string, string> = {}) =>
  helve.execute({ principal: { agent: 'patient' }, tool: 'librarian_query', input: { query, variables } });

/** Functions and expressions that leave the documents, in every spelling of a name. */
const reaching = [
  'doc("/etc/passwd")',
  'doc("file:///etc/passwd")',
  'fn:doc("http://169.254.169.254/latest/meta-data")',
  'Q{http://www.w3.org/2005/xpath-functions}doc("file:///etc/passwd")',
  'let $f := doc#1 return $f("/etc/passwd")',
  '"/etc/passwd" => doc()',
  'for-each("/etc/passwd", doc#1)',
  'collection("file:///etc")',
  'uri-collection("/")',
  'unparsed-text("file:///etc/passwd")',
  'unparsed-text-lines("/etc/passwd")',
  'unparsed-text-available("/etc/passwd")',
  'environment-variable("HELVE_TEST_MASTERKEY")',
  'fn:environment-variable("HELVE_TEST_MASTERKEY")',
  '"HELVE_TEST_MASTERKEY" => environment-variable()',
  'available-environment-variables()',
  'json-doc("file:///etc/passwd")',
  'function-lookup(xs:QName("fn:doc"), 1)("/etc/passwd")',
  'put(<a/>, "file:///tmp/x")',
  'trace("x")',
  'fn:transform(map { "stylesheet-location": "file:///x" })',
  'load-xquery-module("x")',
  'import module namespace file = "http://expath.org/ns/file"; file:read-text("/etc/passwd")',
  'declare namespace f = "http://fontoxml.com/fontoxpath"; f:evaluate("1", map { })',
  '"1" => fontoxpath:evaluate(map { })',
  'Q{http://fontoxml.com/fontoxpath}fetch("http://127.0.0.1/")',
  'Q{urn:helve:librarian}documents()',
  'declare namespace h = "urn:helve:librarian"; h:neighbours()',
  'let $f := Q{urn:helve:librarian}documents#0 return $f()',
  'util:eval("1")',
  'system:get-version()',
  'file:read("/etc/passwd")',
  'http:send-request(())',
  'xmldb:store("/db", "x.xml", <a/>)',
  'sql:execute("select 1")',
  'proc:system("id")',
  'java:java.lang.Runtime.getRuntime()',
  'insert node <x/> into /root',
  'delete nodes //a',
  'replace value of node (//b)[1] with "x"',
  'rename node (//b)[1] as "y"',
  'copy $c := /root modify delete node $c/a return $c',
  'update insert <x/> into /root',
  'validate { /root }',
];

test('R-librarian: nothing leads out of the documents, and nothing changes them', async () => {
  for (const query of reaching) {
    const result = await patient(query);
    const said = JSON.stringify(result);
    if (result.ok) expect(result.output, query).toEqual({ results: [] });
    else expect(result.error.code, query).toMatch(/^(invalid_input|not_found)$/);
    expect(said.includes('root:') || said.includes(secret), query).toBe(false);
  }
  expect(await patient('count(//a/b[. = "text"])')).toMatchObject({
    output: { results: ['500'] },
  });
});

describe('the attack samples', () => {
  const rows = readAttacks<{ id: string; kind: string; payload: string }>('xml-xquery');

  test.each(rows)('R-librarian: $id, $kind', async ({ kind, payload }) => {
    const started = performance.now();
    let code: string;
    if (/inject/.test(kind)) {
      const query = '//a[@n = $value]';
      const result = await patient(query, { value: payload });
      expect(result).toMatchObject({ ok: true, output: { results: [] } });
      code = 'ok';
    } else if (/xquery/.test(kind)) {
      const result = await helve.call('librarian_query', { query: payload });
      code = result.ok ? 'ok' : result.error.code;
      expect(JSON.stringify(result)).not.toContain(secret);
    } else {
      const input = { collection: '/db/attacks', document_name: 'x.xml', content: payload };
      const result = await helve.call('librarian_store', input);
      code = result.ok ? 'ok' : result.error.code;
    }
    expect(code).toMatch(/^(ok|invalid_input|not_found|too_large|timeout)$/);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

/** A billion laughs, an external entity, a quadratic blow-up and their like. */
const documents: [string, string][] = [
  [
    'a billion laughs',
    `<!DOCTYPE l [<!ENTITY a "lol">${Array.from({ length: 20 }, (_, at) => `<!ENTITY ${String.fromCharCode(98 + at)} "&${String.fromCharCode(97 + at)};&${String.fromCharCode(97 + at)};">`).join('')}]><l>&u;</l>`,
  ],
  ['a quadratic blow-up', `<!DOCTYPE l [<!ENTITY a "${'x'.repeat(50_000)}">]><l>${'&a;'.repeat(50_000)}</l>`],
  ['an external entity', '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><l>&a;</l>'],
  ['a parameter entity', '<!DOCTYPE l [<!ENTITY % a SYSTEM "http://127.0.0.1/x.dtd"> %a;]><l/>'],
  ['a doctype after a long comment', `<!--${'-'.repeat(1)} ${'x'.repeat(900_000)}-->\n<!DOCTYPE l><l/>`],
  ['half a million open tags', '<a>'.repeat(300_000)],
  ['a long row of open angles', '<'.repeat(900_000)],
  ['a quote without end', `<a b="${'x'.repeat(900_000)}`],
  ['a comment without end', `<a><!--${'-'.repeat(900_000)}`],
  ['many attributes', `<a ${Array.from({ length: 40_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`],
  ['many namespaces', `<a ${Array.from({ length: 20_000 }, (_, at) => `xmlns:a${at}="u${at}"`).join(' ')}/>`],
];

test.each(documents)('R-librarian: %s is refused immediately', async (_what, content) => {
  const started = performance.now();
  const call = helve.call('librarian_store', { collection: '/db/bad', document_name: 'x.xml', content });
  expect((await beside(call)).late).toBeLessThan(1_500);
  const result = await call;
  expect(result.ok ? 'ok' : result.error.code).toMatch(/^(invalid_input|too_large|timeout)$/);
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(await helve.call('librarian_get', { path: '/db/bad/x.xml' })).toMatchObject({ error: { code: 'not_found' } });
});
