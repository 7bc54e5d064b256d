/**
 * The librarian in front of an eXist-db. There is none on this machine: the server here is ours, speaks the documented
 * REST forms (PUT, GET, DELETE, the query envelope, `exist:result`) and answers as the test says.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Element, parseXmlDocument } from 'slimdom';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../../testing/index.js';

const ns = 'http://exist.sourceforge.net/NS/exist';
const sx = 'http://exist-db.org/xquery/types/serialized';

interface Hit {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

let hits: Hit[] = [];
let documents = new Map<string, string>();
/** What the next query of the caller gives; undefined: 500. */
let result: { status?: number; body: string } = { body: '' };
let server: Server;
let url = '';

const wrap = (items: readonly string[], count = items.length) =>
  `<exist:result xmlns:exist="${ns}" exist:hits="${count}" exist:start="1" exist:count="${items.length}">${items.join('')}</exist:result>`;
const value = (text: unknown) => `<exist:value exist:type="xs:string">${text}</exist:value>`;

interface Envelope {
  readonly query: string;
  readonly max: string | null;
  readonly variables: Record<string, [string | null, string | null][]>;
}

function read(body: string): Envelope {
  const root = parseXmlDocument(body).documentElement!;
  expect([root.namespaceURI, root.localName]).toEqual([ns, 'query']);
  const variables = root.getElementsByTagNameNS(ns, 'variable').map((variable: Element) => {
    const name = variable.getElementsByTagNameNS(ns, 'localname')[0]!.textContent ?? '';
    const values = variable.getElementsByTagNameNS(sx, 'value');
    return [name, values.map((one) => [one.getAttribute('type'), one.textContent])];
  });
  const query = root.getElementsByTagNameNS(ns, 'text')[0]!.textContent ?? '';
  return { query, max: root.getAttribute('max'), variables: Object.fromEntries(variables) };
}

function answer(envelope: Envelope): { status?: number; body: string } {
  const first = (name: string) => envelope.variables[name]?.[0]?.[1] ?? '';
  if (/doc-available\(\$path\)/.test(envelope.query)) return { body: wrap([value(documents.has(first('path')))]) };
  if (/^declare variable \$collection external;\s*for \$document/.test(envelope.query)) {
    const paths = [...documents.keys()].filter((path) => path.startsWith(`${first('collection')}/`)).sort();
    return { body: wrap(paths.slice(0, Number(envelope.max)).map(value), paths.length) };
  }
  return result;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      hits.push({ method, url: target, headers, body });
      const path = decodeURIComponent(target.replace('/exist/rest', ''));
      const send = (status: number, text = '') => response.writeHead(status).end(text);
      if (headers.authorization !== `Basic ${Buffer.from('helve:geheim').toString('base64')}`) return send(401);
      if (method === 'PUT') return documents.set(path, body) && send(201);
      if (method === 'GET') return documents.has(path) ? send(200, documents.get(path)) : send(404);
      if (method === 'DELETE') return send(documents.delete(path) ? 200 : 404);
      const { status = 200, body: given } = answer(read(body));
      return send(status, given);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/exist/rest`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const open: TestHelve[] = [];
beforeEach(() => {
  hits = [];
  documents = new Map();
  result = { status: 500, body: 'no such query' };
});
let usual: TestHelve;
beforeAll(async () => {
  usual = await create();
});
afterAll(() => usual.close());
afterEach(async () => {
  for (const helve of open.splice(0)) await helve.close();
});

async function start(options?: TestHelveOptions, exist?: object): Promise<TestHelve> {
  if (!options) return usual;
  const helve = await create(options, exist);
  open.push(helve);
  return helve;
}

async function create(options: TestHelveOptions = {}, exist: object = {}): Promise<TestHelve> {
  const settings = { url, user: 'helve', password: 'geheim', ...exist };
  const policies = [{ id: 'destructive', effect: 'allow', when: {} }] as const;
  const config = JSON.stringify({ toolkits: { librarian: { exist: settings } } });
  return createTestHelve({ config, policies, ...options });
}
async function output(helve: TestHelve, tool: string, input: object): Promise<any> {
  const given = await helve.call(`librarian_${tool}`, input);
  return given.ok ? given.output : given.error.code;
}
const limited = (...allowed: string[]) => ({
  toolConfig: Object.fromEntries(
    ['store', 'get', 'query', 'search', 'list', 'delete'].map((tool) => [
      `librarian_${tool}`,
      { allowed_collections: allowed },
    ]),
  ),
});

describe('documents', () => {
  test('R-librarian: eXist: are stored by PUT, read by GET, listed and deleted', async () => {
    const helve = await start();
    const content = '<thread><m>Grüße &amp; mehr</m></thread>';
    const where = { collection: '/db/agents/größe 1', document_name: 'a b.xml' };
    const path = '/db/agents/größe 1/a b.xml';
    expect(await output(helve, 'store', { ...where, content })).toEqual({ path });
    expect(hits[0]).toMatchObject({
      method: 'PUT',
      url: '/exist/rest/db/agents/gr%C3%B6%C3%9Fe%201/a%20b.xml',
      body: content,
    });
    expect(hits[0]?.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(await output(helve, 'get', { path })).toEqual({ content });
    expect(await output(helve, 'list', {})).toEqual({ documents: [{ path }], truncated: false });
    expect(await output(helve, 'delete', { path })).toEqual({ deleted: true });
    expect([await output(helve, 'get', { path }), await output(helve, 'delete', { path })]).toEqual([
      'not_found',
      { deleted: false },
    ]);
  });

  test('R-librarian: eXist: a collection is neither read nor deleted as if it were a document', async () => {
    const helve = await start();
    documents.set('/db/agents/1.xml', '<a/>');
    expect(await output(helve, 'get', { path: '/db/agents' })).toBe('not_found');
    expect(await output(helve, 'delete', { path: '/db/agents' })).toEqual({ deleted: false });
    expect(hits.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  test('R-librarian: eXist: what is not XML, or not below /db, does not leave', async () => {
    const helve = await start();
    const where = { collection: '/db/a', document_name: 'x.xml' };
    expect(await output(helve, 'store', { ...where, content: '<a>' })).toBe('invalid_input');
    expect(await output(helve, 'store', { ...where, content: '<!DOCTYPE a><a/>' })).toBe('invalid_input');
    expect(await output(helve, 'store', { ...where, collection: '/srv', content: '<a/>' })).toBe('invalid_input');
    expect(hits).toEqual([]);
  });
});

describe('queries', () => {
  test('R-librarian: eXist: go out in the envelope with typed variables, and come back item by item', async () => {
    const helve = await start();
    result = {
      body: wrap(
        [
          '<message from="a">x &amp; y</message>',
          value('plain &lt; text'),
          '<exist:value exist:type="element()"><b xmlns="urn:b">1</b></exist:value>',
        ],
        5,
      ),
    };
    const input = {
      query: 'for $m in //message where $m/@n > $since and "]]>" ne "&amp;" return $m',
      collection: '/db/agents',
      variables: { since: '2024 <&>', n: 3, part: 1.5, yes: true, list: ['a', 'b'], none: null },
    };
    expect(await output(helve, 'query', input)).toEqual({
      results: ['<message from="a">x &amp; y</message>', 'plain < text', '<b xmlns="urn:b">1</b>'],
      truncated: 2,
    });
    const [hit] = hits;
    expect([hit?.method, hit?.url]).toEqual(['POST', '/exist/rest/db/agents']);
    expect(read(hit?.body ?? '')).toEqual({
      query: input.query,
      max: '1000',
      variables: {
        since: [['xs:string', '2024 <&>']],
        n: [['xs:integer', '3']],
        part: [['xs:double', '1.5']],
        yes: [['xs:boolean', 'true']],
        list: [
          ['xs:string', 'a'],
          ['xs:string', 'b'],
        ],
        none: [],
      },
    });
  });

  test('R-librarian: eXist: its own full text may be used', async () => {
    const helve = await start();
    result = { body: wrap(['<p>x</p>']) };
    expect(await output(helve, 'query', { query: '//p[ft:query(., "x")]' })).toEqual({ results: ['<p>x</p>'] });
  });

  test.each([
    'util:eval("1")',
    'xmldb:store("/db", "x.xml", <a/>)',
    'file:read("/etc/passwd")',
    'http:send-request(())',
    'Q{http://exist-db.org/xquery/util}eval("1")',
    'declare namespace u = "http://exist-db.org/xquery/util"; u:eval("1")',
    'import module namespace u = "http://exist-db.org/xquery/util"; 1',
    'let $f := doc#1 return $f("/db/x.xml")',
    'doc(concat("/db/", "x.xml"))',
    'collection($c)',
    '"/db/x.xml" => doc() => util:eval()',
    'unparsed-text("file:///etc/passwd")',
    'environment-variable("PATH")',
    'delete node //a',
    'update delete //a',
    'fn:function-lookup(xs:QName("util:eval"), 1)("1")',
  ])('R-librarian: eXist: %s does not leave', async (query) => {
    const helve = await start();
    expect(await output(helve, 'query', { query })).toBe('invalid_input');
    expect(hits).toEqual([]);
  });

  test('R-librarian: eXist: the limit of collections is held on this side', async () => {
    const helve = await start(limited('/db/agents'));
    result = { body: wrap([]) };
    expect(await output(helve, 'query', { query: '//a' })).toEqual({ results: [] });
    expect(await output(helve, 'query', { query: '//a', collection: '/db/agents/x' })).toEqual({ results: [] });
    expect(hits.map(({ url: target }) => target)).toEqual(['/exist/rest/db/agents', '/exist/rest/db/agents/x']);
    hits = [];
    for (const query of [
      'doc("/db/secret/1.xml")',
      'collection("/db/secret")',
      'collection("/db")',
      'doc("/db/agents2/x")',
    ])
      expect(await output(helve, 'query', { query }), query).toBe('forbidden');
    for (const query of ['doc("/db/agents/../secret/1.xml")', 'doc("file:///etc/passwd")', 'doc("http://127.0.0.1/")'])
      expect(await output(helve, 'query', { query }), query).toBe('invalid_input');
    for (const tool of ['query', 'search', 'list'])
      for (const collection of ['/db', '/db/secret'])
        expect(await output(helve, tool, { ...(tool !== 'list' && { query: 'x' }), collection }), tool).toBe(
          'forbidden',
        );
    expect(await output(helve, 'get', { path: '/db/secret/1.xml' })).toBe('forbidden');
    expect(hits).toEqual([]);
    expect(await output(helve, 'query', { query: 'doc("/db/agents/1.xml")' })).toEqual({ results: [] });
    const two = await start(limited('/db/agents', '/db/team'));
    expect(await output(two, 'query', { query: '//a' })).toBe('invalid_input');
    expect(await output(two, 'query', { query: '//a', collection: '/db/team' })).toEqual({ results: [] });
  });
});

test('R-librarian: eXist: search asks for the words as variables and reads path, score and place', async () => {
  const helve = await start();
  result = { body: wrap([value('/db/a/1.xml\n3.5\nerror handling here')]) };
  expect(await output(helve, 'search', { query: 'Error "handling"', num_results: 3 })).toEqual({
    results: [{ path: '/db/a/1.xml', score: 3.5, snippet: 'error handling here' }],
  });
  expect(read(hits[0]?.body ?? '')).toMatchObject({
    max: '3',
    variables: {
      collection: [['xs:string', '/db']],
      words: [
        ['xs:string', 'error'],
        ['xs:string', 'handling'],
      ],
    },
  });
});

describe('when eXist does not do as asked', () => {
  const query = { query: '//a' };
  test.each([
    [400, '<exception><message>err:XPST0003 unexpected token</message></exception>', 'invalid_input'],
    [403, '', 'forbidden'],
    [404, '', 'not_found'],
    [500, 'down', 'upstream_failed'],
    [302, '', 'upstream_failed'],
    [200, 'no xml', 'upstream_failed'],
    [200, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'upstream_failed'],
  ])('R-librarian: eXist: %i %s', async (status, body, code) => {
    const helve = await start();
    result = { status, body };
    expect(await output(helve, 'query', query)).toBe(code);
  });

  test('R-librarian: eXist: a wrong password, and no server, are said to be so', async () => {
    const wrong = await start({}, { password: 'falsch' });
    expect(await wrong.call('librarian_query', query)).toMatchObject({
      error: { code: 'invalid_config', message: expect.stringContaining('toolkits.librarian.exist') },
    });
    const nobody = await start({}, { url: 'http://127.0.0.1:9/exist/rest' });
    expect(await output(nobody, 'query', query)).toBe('upstream_failed');
    expect(JSON.stringify(await wrong.audited())).not.toContain('falsch');
  });
});
