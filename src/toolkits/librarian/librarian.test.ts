/** The librarian's tools through the whole pipeline: what they give, what they refuse, and whose documents they see. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bearer, endAll, openRealDoor } from '../../../tests/mcp/real-door.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../testing/index.js';

const open: TestHelve[] = [];
afterEach(async () => {
  for (const helve of open.splice(0)) await helve.close();
  await endAll();
});

/** For tables of refusals, which leave nothing behind. */
let empty: TestHelve;
beforeAll(async () => {
  empty = await createTestHelve();
});
afterAll(() => empty.close());

async function start(options: TestHelveOptions = {}): Promise<TestHelve> {
  const allow = [{ id: 'destructive', effect: 'allow', when: {} }] as const;
  const helve = await createTestHelve({ policies: allow, ...options });
  open.push(helve);
  return helve;
}

async function output(helve: TestHelve, tool: string, input: object): Promise<any> {
  const result = await helve.call(`librarian_${tool}`, input);
  return result.ok ? result.output : result.error.code;
}

async function message(helve: TestHelve, tool: string, input: object): Promise<string> {
  const result = await helve.call(`librarian_${tool}`, input);
  return result.ok ? 'no error' : result.error.message;
}

const store = (helve: TestHelve, path: string, content: string) => {
  const at = path.lastIndexOf('/');
  return output(helve, 'store', { collection: path.slice(0, at), document_name: path.slice(at + 1), content });
};
const query = async (helve: TestHelve, text: string, more: object = {}) => {
  const given = await output(helve, 'query', { query: text, ...more });
  return given.results ?? given;
};
const found = async (helve: TestHelve, text: string, more: object = {}) => {
  const given = await output(helve, 'search', { query: text, ...more });
  return given.results?.map(({ path }: { path: string }) => path) ?? given;
};
/** Of one agent whose tools all have this configuration. */
const limited = (config: object) => ({
  toolConfig: Object.fromEntries(
    ['store', 'get', 'query', 'search', 'list', 'delete'].map((tool) => [`librarian_${tool}`, config]),
  ) as never,
});

describe('store, get, list, delete', () => {
  test('R-librarian: a document comes back byte for byte, is replaced, listed and deleted', async () => {
    const helve = await start();
    const content = '<?xml version="1.0"?>\n<thread >\n  <m a=\'1\'>schön &amp; gut</m><!-- x --></thread>\n';
    expect(await store(helve, '/db/agents/greeter/1.xml', content)).toEqual({ path: '/db/agents/greeter/1.xml' });
    expect(await output(helve, 'get', { path: '/db/agents/greeter/1.xml' })).toEqual({ content });
    await store(helve, '/db/agents/greeter/1.xml', '<thread/>');
    expect(await output(helve, 'get', { path: '//db/agents//greeter/1.xml/' })).toEqual({ content: '<thread/>' });
    await store(helve, '/db/other/2.xml', '<a/>');
    expect(await output(helve, 'list', {})).toMatchObject({
      documents: [{ path: '/db/agents/greeter/1.xml' }, { path: '/db/other/2.xml' }],
      truncated: false,
    });
    expect(await output(helve, 'list', { limit: 1 })).toMatchObject({ documents: [{}], truncated: true });
    expect(await output(helve, 'list', { collection: '/db/other' })).toMatchObject({
      documents: [{ path: '/db/other/2.xml', updated_at: expect.stringMatching(/^\d{4}-/) }],
    });
    expect(await output(helve, 'list', { collection: '/db/oth' })).toMatchObject({ documents: [] });
    const path = '/db/agents/greeter/1.xml';
    expect(await output(helve, 'delete', { path })).toEqual({ deleted: true });
    expect([await output(helve, 'delete', { path }), await output(helve, 'get', { path })]).toEqual([
      { deleted: false },
      'not_found',
    ]);
  });

  test.each([
    ['..', '/db/../etc', 'x.xml', 'invalid_input'],
    ['.', '/db/./a', 'x.xml', 'invalid_input'],
    ['...', '/db/...', 'x.xml', 'invalid_input'],
    ['no slash', 'db/a', 'x.xml', 'invalid_input'],
    ['nothing', '///', 'x.xml', 'invalid_input'],
    ['a control character', '/db/a\u0000b', 'x.xml', 'invalid_input'],
    ['a line break', '/db/a\nb', 'x.xml', 'invalid_input'],
    ['an invisible character', '/db/a\u200bb', 'x.xml', 'invalid_input'],
    ['a lone surrogate', '/db/\ud800', 'x.xml', 'invalid_input'],
    ['a backslash', '/db/a\\b', 'x.xml', 'invalid_input'],
    ['a name with a slash', '/db/a', 'b/x.xml', 'invalid_input'],
    ['a name that is ..', '/db/a', '..', 'invalid_input'],
    ['a name of spaces', '/db/a', ' ', 'invalid_input'],
  ])('R-librarian: a path with %s is refused', async (_what, collection, document_name, code) => {
    const helve = empty;
    expect(await output(helve, 'store', { collection, document_name, content: '<a/>' })).toBe(code);
    expect(await output(helve, 'list', {})).toMatchObject({ documents: [] });
  });

  test('R-librarian: two spellings of a name are one document', async () => {
    const helve = await start();
    await store(helve, '/db/caf\u00e9/1.xml', '<a/>');
    expect(await output(helve, 'get', { path: '/db/cafe\u0301/1.xml' })).toEqual({ content: '<a/>' });
  });

  test.each([
    ['an open tag', '<a>\n  <b></a>', 'invalid_input', 'at line 2, column'],
    ['text alone', 'hello', 'invalid_input', 'line 1'],
    ['two roots', '<a/><b/>', 'invalid_input', 'line 1'],
    ['an unknown entity', '<a>&nbsp;</a>', 'invalid_input', 'line 1, column 4'],
    ['a reference to nothing', '<a>&#0;</a>', 'invalid_input', 'line 1'],
    ['an undeclared prefix', '<p:a/>', 'invalid_input', 'line 1'],
    ['a doctype', '<!DOCTYPE a>\n<a/>', 'invalid_input', 'document type or an entity at line 1, column 1'],
    [
      'an entity',
      '<?xml version="1.0"?><!-- - -->\n<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
      'invalid_input',
      'line 2, column 1',
    ],
    ['257 levels', '<a>'.repeat(257) + '</a>'.repeat(257), 'too_large', 'deeper than 256'],
    ['a million levels', '<a>'.repeat(250_000), 'too_large', 'deeper than 256'],
    [
      '600 attributes',
      `<a ${Array.from({ length: 600 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
      'too_large',
      '512 attributes',
    ],
    ['too many bytes', `<a>${'x'.repeat(1_000_001)}</a>`, 'too_large', 'at most 1000000'],
  ])('R-librarian: %s is not stored, and it is said where', async (_what, content, code, said) => {
    const helve = empty;
    expect(await store(helve, '/db/a/1.xml', content)).toBe(code);
    const input = { collection: '/db/a', document_name: '1.xml', content };
    expect(await message(helve, 'store', input)).toContain(said);
    expect(await output(helve, 'list', {})).toMatchObject({ documents: [] });
  });

  test('R-librarian: what looks like a doctype or like depth inside text and comments is fine', async () => {
    const helve = await start();
    const deep = '<a>'.repeat(256) + '</a>'.repeat(256);
    const odd = `<a b="<!-- &gt; ' >".replace('<','')</a>`;
    for (const content of [
      '<a><![CDATA[<!DOCTYPE x [ <b><c> ]]></a>',
      '<a><!-- <!DOCTYPE x> <b> --></a>',
      `<a b="1 > 0" c='"/>'/>`,
      '<?go <b> <!DOCTYPE ?><a/>',
      deep,
    ])
      expect(await store(helve, '/db/a/1.xml', content), content).toEqual({ path: '/db/a/1.xml' });
    expect(await store(helve, '/db/a/1.xml', odd)).toBe('invalid_input');
  });
});

const threads = {
  '/db/agents/greeter/1.xml':
    '<thread><message from="greeter" timestamp="2024-01-10T00:00:00Z">Good morning</message><message from="bob" timestamp="2024-02-10T00:00:00Z">yo</message></thread>',
  '/db/agents/greeter/2.xml':
    '<thread><message from="greeter" timestamp="2024-03-10T00:00:00Z">Café crème</message></thread>',
  '/db/secret/3.xml': '<thread><message from="al" timestamp="2023-03-10T00:00:00Z">hidden morning</message></thread>',
};

async function withThreads(options?: TestHelveOptions): Promise<TestHelve> {
  const helve = await start(options);
  for (const [path, content] of Object.entries(threads)) await store(helve, path, content);
  return helve;
}

describe('query', () => {
  test('R-librarian: the two examples of the native-tools document', async () => {
    const helve = await withThreads();
    expect(await query(helve, '//message[@from="greeter"]')).toEqual([
      '<message from="greeter" timestamp="2024-01-10T00:00:00Z">Good morning</message>',
      '<message from="greeter" timestamp="2024-03-10T00:00:00Z">Café crème</message>',
    ]);
    const since = 'for $m in //message where $m/@timestamp > $since return $m/@from/string()';
    expect(await query(helve, since, { variables: { since: '2024-01-15T00:00:00Z' } })).toEqual(['bob', 'greeter']);
  });

  test('R-librarian: a path begins at every document, in the order of their paths, and inside a predicate at its own', async () => {
    const helve = await withThreads();
    expect(await query(helve, 'count(//message), count(/)')).toEqual(['4', '3']);
    expect(await query(helve, '//message/base-uri()')).toEqual([
      '/db/agents/greeter/1.xml',
      '/db/agents/greeter/1.xml',
      '/db/agents/greeter/2.xml',
      '/db/secret/3.xml',
    ]);
    expect(await query(helve, '(//message)[last()]/root()/document-uri(.)')).toEqual(['/db/secret/3.xml']);
    expect(await query(helve, '//message[//@from = "bob"]/@from')).toEqual(['greeter', 'bob']);
    expect(await query(helve, 'let $all := collection() return count($all//message/..)')).toEqual(['3']);
    expect(await query(helve, '(//message/@from ! string(.))[3]', { collection: '/db/agents' })).toEqual(['greeter']);
    expect(await query(helve, 'count(//message)', { collection: '/db/agents/greet' })).toEqual(['0']);
    expect(await query(helve, 'doc("/db/secret/3.xml")//message/@from')).toEqual(['al']);
    expect(await query(helve, 'doc("/db/secret/3.xml")', { collection: '/db/agents' })).toBe('not_found');
  });

  test('R-librarian: a query sees what was stored, replaced and deleted since the last one', async () => {
    const helve = await withThreads();
    expect(await query(helve, 'count(//message)')).toEqual(['4']);
    await store(helve, '/db/new/4.xml', '<thread><message/><message/></thread>');
    await store(helve, '/db/secret/3.xml', '<thread/>');
    await output(helve, 'delete', { path: '/db/agents/greeter/2.xml' });
    expect(await query(helve, 'count(//message)')).toEqual(['4']);
    expect(await query(helve, '//thread/base-uri()')).toEqual([
      '/db/agents/greeter/1.xml',
      '/db/new/4.xml',
      '/db/secret/3.xml',
    ]);
  });

  test('R-librarian: variables keep their type, and are never text of the query', async () => {
    const helve = await withThreads();
    const variables = {
      text: 'bob',
      number: 2,
      part: 1.5,
      yes: true,
      none: null,
      list: ['bob', 'al'],
      numbers: [1, 2.5],
    };
    const typed =
      '$text instance of xs:string, 1 to $number, $part * 2, $yes, count($none), //message[@from = $list]/@from, sum($numbers)';
    expect(await query(helve, typed, { variables })).toEqual(['true', '1', '2', '3', 'true', '0', 'bob', 'al', '3.5']);
    const day = 'declare variable $day as xs:date external; $day + xs:dayTimeDuration("P1D")';
    expect(await query(helve, day, { variables: { day: '2024-02-28' } })).toEqual(['2024-02-29']);
    expect(await query(helve, day, { variables: { day: 'x' } })).toBe('invalid_input');
    expect(await query(helve, 'declare variable $size external := 7; $size')).toEqual(['7']);
    const senders = ['greeter', 'bob', 'al'];
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme' }).filter((text) => !senders.includes(text)),
      fc.constantFrom(
        '" or 1=1 or "',
        "' or '1'='1",
        'ancestor::*',
        '") | //* | ("',
        '{//*}',
        '$list',
        '&quot; or true()',
      ),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        expect(await query(helve, '//message[@from = $value]', { variables: { value } })).toEqual([]);
        expect(await query(helve, '$value', { variables: { value } })).toEqual([value]);
      }),
      { numRuns: 25 },
    );
    expect(await query(helve, '1', { variables: { 'a b': 1 } })).toBe('invalid_input');
    expect(await query(helve, '1', { variables: { mixed: [1, 'x'] } })).toBe('invalid_input');
  });

  test.each([
    ['try { 1 } catch * { 2 }', 'try/catch is not supported'],
    ['for tumbling window $w in (1, 2) start when true() return $w', 'a window clause is not supported'],
    ['for $x in 1 to 3 count $n return $n', 'the count clause is not supported'],
    ['//a[. contains text "b"]', 'full text (contains text)'],
    ['for $x allowing empty in () return 1', 'allowing empty is not supported'],
    ['document { <a/> }', 'the document { … } constructor is not supported'],
    ['validate { <a/> }', 'validate is not supported'],
    ['import module namespace x = "y"; 1', 'import module is not supported'],
    ['analyze-string("a", "b")', 'analyze-string with 2 arguments is not supported'],
    ['format-integer(7, "00")', 'The function format-integer is not supported'],
    ['12345678901234567890', 'The integer 12345678901234567890 is too large'],
    ['util:eval("1")', 'The function util:eval is not supported'],
    ['//a[ft:query(., "x")]', 'The function ft:query is not supported'],
    ['1 +', 'syntax error at line 1, column 4'],
    ['let $x := 1\nreturn $y', 'variable y is not in scope'],
    ['message', 'a context item where there is none'],
    ['function($x) { $x }', 'string'],
    ['error(xs:QName("oops"), "by hand")', 'oops: by hand'],
    ['doc("http://127.0.0.1/")', 'There is no document http://127.0.0.1/'],
  ])('R-librarian: %s is refused by name', async (text, said) => {
    const helve = empty;
    expect(await message(helve, 'query', { query: text })).toContain(said);
  });

  test('R-librarian: more than 1,000 items are cut and counted', async () => {
    const helve = await start({ resultMaxChars: 1_000_000 });
    const given = await output(helve, 'query', { query: '1 to 1234' });
    expect([given.results.length, given.results.at(-1), given.truncated]).toEqual([1_000, '1000', 234]);
    expect(await output(helve, 'query', { query: '1 to 1000' })).not.toHaveProperty('truncated');
  });

  test('R-librarian: maps and arrays are given as JSON, attributes by value, text as XML', async () => {
    const helve = await start();
    const text = 'map { "a": (1, 2.5), "b": <x y="1"/>, "c": [true(), ()] }, attribute q { "<" }, text { "<" }, "<"';
    expect(await query(helve, text)).toEqual(['{"a":[1,2.5],"b":"<x y=\\"1\\"/>","c":[true,null]}', '<', '&lt;', '<']);
  });
});

describe('search', () => {
  test('R-librarian: ranked, with the words around the place; case and accents do not matter', async () => {
    const helve = await withThreads();
    const long = `${'Filler words go on and on. '.repeat(60)}Here the ERROR handling of the parser is described. ${'More and more filler. '.repeat(60)}`;
    await store(helve, '/db/docs/long.xml', `<doc><p>${long}</p></doc>`);
    await store(helve, '/db/docs/both.xml', '<doc><t>Error handling</t><t>error handling again</t></doc>');
    await store(helve, '/db/docs/one.xml', '<doc>an error elsewhere</doc>');
    const { results } = await output(helve, 'search', { query: 'error handling' });
    expect(results.map(({ path }: { path: string }) => path)).toEqual([
      '/db/docs/both.xml',
      '/db/docs/long.xml',
      '/db/docs/one.xml',
    ]);
    expect(results[0].score).toBeGreaterThan(results[2].score);
    expect(results[1].snippet).toContain('the ERROR handling of the parser');
    expect(results[1].snippet.length).toBeLessThan(260);
    expect(results[0].snippet).toBe('Error handling error handling again');
    expect(await found(helve, 'cafe CREME')).toEqual(['/db/agents/greeter/2.xml']);
    expect(await found(helve, 'morning', { collection: '/db/agents' })).toEqual(['/db/agents/greeter/1.xml']);
    expect(await found(helve, 'error', { num_results: 2 })).toHaveLength(2);
    expect(await found(helve, 'bob')).toEqual(['/db/agents/greeter/1.xml']);
    expect([await found(helve, 'nowhere'), await found(helve, '?!')]).toEqual([[], []]);
    expect(await found(helve, 'x', { num_results: 0 })).toBe('invalid_input');
  });

  test('R-librarian: the index follows what is stored, replaced and deleted', async () => {
    const helve = await withThreads();
    expect(await found(helve, 'morning')).toHaveLength(2);
    await store(helve, '/db/secret/3.xml', '<thread>nothing</thread>');
    expect(await found(helve, 'morning')).toEqual(['/db/agents/greeter/1.xml']);
    await output(helve, 'delete', { path: '/db/agents/greeter/1.xml' });
    expect(await found(helve, 'morning')).toEqual([]);
    await store(helve, '/db/agents/greeter/1.xml', '<a>morning again</a>');
    expect(await found(helve, 'morning')).toEqual(['/db/agents/greeter/1.xml']);
  });

  test('R-librarian: an index in one process sees what another process wrote', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'helve-librarian-'));
    const one = await start({ dataDir });
    await store(one, '/db/a/1.xml', '<a>first</a>');
    expect(await found(one, 'first')).toEqual(['/db/a/1.xml']);
    const { createHelve } = await import('../../helve.js');
    const other = await createHelve({ dataDir });
    const input = { collection: '/db/a', document_name: '2.xml', content: '<a>second</a>' };
    const principal = { agent: 'tester', workspace: 'default' };
    expect(await other.execute({ principal, tool: 'librarian_store', input })).toMatchObject({ ok: true });
    await other.close();
    expect(await found(one, 'second')).toEqual(['/db/a/2.xml']);
    expect(await query(one, 'count(//a)')).toEqual(['2']);
    await rm(dataDir, { recursive: true });
  });
});

describe('who sees what', () => {
  const allowed = limited({ allowed_collections: ['/db/agents', '/db/*/public/**'] });

  test('R-librarian: every tool is held to the allowed collections', async () => {
    const helve = await start(allowed);
    await store(helve, '/db/agents/1.xml', '<a>plain morning</a>');
    await store(helve, '/db/team/public/2.xml', '<a>public morning</a>');
    const outside = ['/db/secret/3.xml', '/db/agents2/3.xml', '/db/team/3.xml', '/db/public/3.xml'];
    for (const path of outside) {
      expect(await store(helve, path, '<a/>'), path).toBe('forbidden');
      expect(await output(helve, 'get', { path }), path).toBe('forbidden');
      expect(await output(helve, 'delete', { path }), path).toBe('forbidden');
    }
    const { grants } = await helve.plane.grantCatalogue(helve.admin, 'tester');
    await helve.plane.replaceGrants(
      helve.admin,
      'tester',
      grants.map(({ toolkit, tools }) => ({ toolkit, tools, limits: {}, config: {} })),
    );
    for (const path of outside) await store(helve, path, '<a>secret morning</a>');
    expect(await query(helve, 'count(//a)')).toEqual(['6']);
    const config = { allowed_collections: ['/db/agents', '/db/*/public/**'] };
    await helve.plane.replaceGrants(
      helve.admin,
      'tester',
      grants.map(({ toolkit, tools }) => ({
        toolkit,
        tools,
        limits: {},
        config: toolkit === 'librarian' ? Object.fromEntries(tools.map((tool) => [tool, config])) : {},
      })),
    );
    // The very process that just held all six documents answers under the limit.
    const seen = ['/db/agents/1.xml', '/db/team/public/2.xml'];
    expect(await query(helve, '//a/base-uri()')).toEqual(seen);
    expect(await query(helve, 'collection("/db/secret")')).toEqual([]);
    expect(await query(helve, 'collection()/base-uri()')).toEqual(seen);
    expect(await query(helve, 'doc("/db/secret/3.xml")')).toBe('not_found');
    expect(await query(helve, 'doc-available("/db/secret/3.xml")')).toEqual(['false']);
    expect((await found(helve, 'morning')).sort()).toEqual(seen);
    expect(await found(helve, 'morning', { collection: '/db/team' })).toEqual(['/db/team/public/2.xml']);
    expect((await output(helve, 'list', {})).documents.map(({ path }: { path: string }) => path)).toEqual(seen);
    for (const tool of ['query', 'search', 'list'])
      expect(await output(helve, tool, { ...(tool !== 'list' && { query: '1' }), collection: '/srv' }), tool).toBe(
        'forbidden',
      );
  });

  test('R-librarian: two workspaces with the same paths do not see each other', async () => {
    const { helve, alice, outsider } = await openRealDoor();
    const run = async (who: typeof alice, tool: string, input: object): Promise<any> => {
      const given = await helve.execute({ principal: who.principal, tool: `librarian_${tool}`, input });
      return given.ok ? given.output : given.error.code;
    };
    const input = { collection: '/db/same', document_name: '1.xml' };
    await run(alice, 'store', { ...input, content: '<a>of alice</a>' });
    await run(outsider, 'store', { ...input, content: '<a>of the outsider</a>' });
    for (const [who, own] of [
      [alice, 'of alice'],
      [outsider, 'of the outsider'],
      [alice, 'of alice'],
    ] as const) {
      expect(await run(who, 'get', { path: '/db/same/1.xml' })).toEqual({ content: `<a>${own}</a>` });
      expect(await run(who, 'query', { query: '//a/string()' })).toEqual({ results: [own] });
      expect(await run(who, 'search', { query: 'alice outsider' })).toMatchObject({ results: [{ snippet: own }] });
      expect(await run(who, 'list', {})).toMatchObject({ documents: [{ path: '/db/same/1.xml' }] });
    }
  });

  test('R-librarian: a configuration with what there is not is refused', async () => {
    const helve = await start(limited({ allowed_collections: [] })).catch((error: unknown) => error);
    if (helve instanceof Error) expect(helve.message).toContain('allowed_collections');
    else expect(await output(helve as TestHelve, 'list', {})).toBe('invalid_config');
  });
});

test('R-librarian: deleting is denied without a policy that allows it', async () => {
  const helve = await start({ policies: [] });
  await store(helve, '/db/a/1.xml', '<a/>');
  expect(await output(helve, 'delete', { path: '/db/a/1.xml' })).toBe('denied_by_policy');
  expect(await output(helve, 'get', { path: '/db/a/1.xml' })).toEqual({ content: '<a/>' });
});

test('R-librarian: through a real MCP client, each tool answers and refuses', async () => {
  const { alice } = await openRealDoor();
  const client = new Client({ name: 'test', version: '0.0.0' });
  const requestInit = { headers: bearer(alice) };
  await client.connect(new StreamableHTTPClientTransport(new URL(alice.address), { requestInit }) as Transport);
  const call = async (tool: string, input: Record<string, unknown>) =>
    (await client.callTool({ name: `librarian_${tool}`, arguments: input })) as {
      isError?: boolean;
      structuredContent?: unknown;
    };
  const where = { collection: '/db/agents/greeter', document_name: 'conversation-001.xml' };
  const path = '/db/agents/greeter/conversation-001.xml';
  const content = '<thread><message from="greeter">error handling</message></thread>';
  const good: [string, Record<string, unknown>, unknown][] = [
    ['store', { ...where, content }, { path }],
    ['get', { path }, { content }],
    ['query', { query: '//message[@from="greeter"]/string()' }, { results: ['error handling'] }],
    [
      'search',
      { query: 'error handling', collection: '/db/agents' },
      { results: [{ path, snippet: 'error handling' }] },
    ],
    ['list', {}, { documents: [{ path }], truncated: false }],
  ];
  for (const [tool, input, expected] of good)
    expect(await call(tool, input), tool).toMatchObject({ structuredContent: expected });
  const bad: [string, Record<string, unknown>][] = [
    ['store', { ...where, content: '<a>' }],
    ['get', { path: '/db/none.xml' }],
    ['query', { query: '1 +' }],
    ['search', { query: 'x', collection: '..' }],
    ['list', { collection: '/db/../x' }],
    ['delete', { path }],
  ];
  for (const [tool, input] of bad) expect(await call(tool, input), tool).toMatchObject({ isError: true });
  await client.close();
});
