// What hostile callers send, by kind: our own bombs, and those of the lists of attacks in tests/data.
// Each is `{ kind, name, tool, input }`; `input` is a function, so that making it (as a door parses a body) counts too.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parseBoundedJson } from '../../dist/util/json-text.js';

const million = 1_000_000;
const repeat = (text, times) => text.repeat(times);

/** A page, a webhook receiver and a broken mail server in one, on the loopback interface. */
export async function startSite() {
  const page = `<html><body>${repeat('<div><p class="a b">text <a href="x">link</a><table><tr><td>', 8_000)}${repeat('<b>', 20_000)}</body></html>`;
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'text/html').end(page);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return {
    port,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What `createTestHelve` needs for them. */
export function optionsFor({ port }) {
  const smtp = { host: '127.0.0.1', port, secure: 'none', from: 'a@corp.example', timeout_seconds: 2 };
  const hostile = [
    `^(${repeat('a?', 200)}${repeat('a', 200)})b$`,
    '(x+x+)+y',
    repeat('(.*a)', 50),
    '((a{1,30}){1,30}b)',
  ];
  return {
    config: JSON.stringify({ toolkits: { email: { smtp } } }),
    egress: { allowedAddresses: ['127.0.0.1'] },
    policies: [{ id: 'all', effect: 'allow', when: {} }],
    toolConfig: {
      run_command: { allowed_commands: ['true', 'cat'], blocked_patterns: hostile },
      send_email: { allowed_recipients: ['*@corp.example'], max_per_hour: 900, max_bytes: 20_000_000 },
      webhook: { allowed_urls: [`https://127.0.0.1:${port}/*`], max_bytes: 10_000_000 },
    },
  };
}

/** Uses `call` to create what some of them need: files, documents, a long result. */
export async function makeBombs({ call, port }) {
  const handle = await longResult(call);
  for (let at = 0; at < 60; at++)
    await call('write_file', { path: `${repeat('a', 200)}${at}.txt`, content: repeat('a', 1_000) });
  await call('librarian_store', {
    collection: '/db/bombs',
    document_name: 'x.xml',
    content: `<x>${repeat('<y a="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!">text</y>', 3_000)}</x>`,
  });
  return [
    ...jsonBombs(),
    ...resultBombs(handle),
    ...patternBombs(),
    ...mathBombs(),
    ...xmlBombs(),
    ...queryBombs(),
    ...pageBombs(port),
    ...messageBombs(port),
    ...sampled(handle),
  ];
}

const bomb = (kind, name, tool, input) => ({
  kind,
  name,
  tool,
  input: typeof input === 'function' ? input : () => input,
});

async function longResult(call) {
  const value = {
    items: Array.from({ length: 4_500 }, (_, at) => ({ at, word: `${repeat('a', 125)}!`, in: { a: { b: at } } })),
  };
  await call('key_value_set', { key: 'long', value });
  const result = await call('key_value_get', { key: 'long' });
  if (!result.handle) throw new Error('The long result has no handle');
  return result.handle.handle;
}

/** Limits inputs as the doors do: one that they refuse before parsing never becomes a call, so it is replaced by an empty one. */
function asDoor(text) {
  try {
    return parseBoundedJson(text);
  } catch {
    return {};
  }
}

function jsonBombs() {
  const sent = (name, tool, text) => bomb('json', name, tool, () => asDoor(text));
  const set = (name, value) => sent(name, 'key_value_set', `{"key":"bomb","value":${value}}`);
  const nested = (levels, open, close) => `${repeat(open, levels)}1${repeat(close, levels)}`;
  const wide = (entries) => Array.from({ length: entries }, (_, at) => `"key${at}":${at}`).join();
  return [
    set('100,000 objects deep', nested(100_000, '{"a":', '}')),
    set('100,000 arrays deep', nested(100_000, '[', ']')),
    set('60 levels of long names', nested(60, `{"${repeat('k', 10_000)}":`, '}')),
    set('100,000 keys', `{${wide(100_000)}}`),
    set('4,000 keys', `{${wide(4_000)}}`),
    set('200,000 numbers', `[${repeat('1e308,', 200_000)}1]`),
    set('29,000 numbers', `[${repeat('1e308,', 29_000)}1]`),
    set('a string of 1 MB', JSON.stringify(repeat('ä', million / 2))),
    set('a string of 4 MB', JSON.stringify(repeat('"\\', million))),
    set('1 MB of small objects', `[${repeat('{"a":[{}]},', 90_000)}1]`),
    set('9,000 small objects', `[${repeat('{"a":[{}]},', 9_000)}1]`),
    sent('unknown keys', 'calculate', `{"expression":"1",${wide(50_000)}}`),
    sent('4,000 unknown keys', 'calculate', `{"expression":"1",${wide(4_000)}}`),
    sent('a wrong type, deep', 'calculate', `{"expression":${nested(50_000, '[', ']')}}`),
  ];
}

function resultBombs(handle) {
  const paths = [
    '$..*',
    `$${repeat('..*', 8)}`,
    `$..[?${repeat('@..[?', 6)}@.at > 1${repeat(']', 7)}`,
    "$..[?match(@.word, '(a+)+b')]",
    "$..[?search(@.word, '(.*a){30}b')]",
    `$[${repeat("'a',", 400)}'b']`,
    '$.items[?$.items[?$.items[?@.at > 5].at > 5].at > 5]',
    `$${repeat('[0:99999:1]', 100)}`,
  ];
  return paths.map((query) => bomb('jsonpath', query.slice(0, 40), 'result_read', { handle, query }));
}

function patternBombs() {
  const globs = [
    repeat('*a', 250),
    repeat('?*', 250),
    repeat('**/', 160),
    repeat('{a,', 150) + repeat('}', 150),
    `${repeat('[a-z]*', 80)}b`,
  ];
  return [
    ...globs.flatMap((pattern) => [
      bomb('glob', `list_dir ${pattern.slice(0, 20)}`, 'list_dir', { pattern }),
      bomb('glob', `search_files ${pattern.slice(0, 20)}`, 'search_files', { pattern, query: 'aab' }),
    ]),
    bomb('blocked_patterns', 'long line', 'run_command', () => ({ argv: ['true', repeat('a', 90_000)] })),
    bomb('blocked_patterns', 'many x', 'run_command', () => ({ argv: ['true', repeat('x', 90_000)] })),
    bomb('blocked_patterns', 'quotes', 'run_command', () => ({ command: `cat ${repeat("'' ", 30_000)}` })),
  ];
}

function mathBombs() {
  const expressions = [
    '9**9**9**9',
    '2**10000000',
    repeat('(', 50_000),
    `${repeat('(', 5_000)}1${repeat(')', 5_000)}`,
    `1${repeat('+1', 50_000)}`,
    `${repeat('-', 50_000)}1`,
    'factorial(100000)',
    '170! ** 1000',
    `${repeat('9', 90_000)} * ${repeat('9', 9_000)}`,
    `${repeat('9', 50_000)} % 7`,
    `sqrt(${repeat('sqrt(', 2_000)}2${repeat(')', 2_001)}`,
    'comb(100000, 50000)',
    'pow(3, 10**7, 10**9 + 7)',
    `max(${repeat('1,', 50_000)}1)`,
    'round(1e308, -400)',
  ];
  return expressions.map((expression) => bomb('maths', expression.slice(0, 24), 'calculate', { expression }));
}

function xmlBombs() {
  const entities = Array.from({ length: 10 }, (_, at) => `<!ENTITY l${at + 1} "${repeat(`&l${at};`, 10)}">`).join('');
  const documents = {
    'billion laughs': `<!DOCTYPE x [<!ENTITY l0 "lol">${entities}]><x>&l10;</x>`,
    'quadratic blow-up': `<!DOCTYPE x [<!ENTITY a "${repeat('a', 50_000)}">]><x>${repeat('&a;', 50_000)}</x>`,
    'external entity': '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
    deep: `${repeat('<a>', 120_000)}${repeat('</a>', 120_000)}`,
    wide: `<x>${repeat('<a/>', 240_000)}</x>`,
    'many attributes': `<x ${Array.from({ length: 60_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
    'many namespaces': `${Array.from({ length: 5_000 }, (_, at) => `<a xmlns:n${at}="u${at}">`).join('')}${repeat('</a>', 5_000)}`,
    'never closed': repeat('<a ', 330_000),
    'long comment': `<x><!--${repeat('- ', 490_000)}--></x>`,
    'character references': `<x>${repeat('&#65;', 190_000)}</x>`,
  };
  return Object.entries(documents).map(([name, content]) =>
    bomb('xml', name, 'librarian_store', { collection: '/db/bombs', document_name: 'bomb.xml', content }),
  );
}

function queryBombs() {
  const queries = [
    'for $a in 1 to 1000000, $b in 1 to 1000000 return $a * $b',
    'declare function local:f($n) { local:f($n + 1) }; local:f(1)',
    '//node()[//node()[//node()[//node()]]]',
    'string-join(for $a in 1 to 5000000 return "aaaaaaaaaaaaaaaa")',
    'matches(string-join(for $a in 1 to 30 return "a"), "(a+)+b")',
    'replace(string-join(for $a in 1 to 50000 return "a"), "(a*)*b", "")',
    `${repeat('(', 20_000)}1${repeat(')', 20_000)}`,
    `1${repeat(' + 1', 12_000)}`,
    'count(//y/preceding::*/following::*)',
    'fold-left(1 to 30, "a", function($a, $b) { concat($a, $a) })',
    repeat('<a>', 15_000),
    `/x${repeat('/*/..', 9_000)}`,
  ];
  return queries.map((query) => bomb('xquery', query.slice(0, 40), 'librarian_query', { query }));
}

function pageBombs(port) {
  const input = { url: `http://127.0.0.1:${port}/`, run_scripts: false };
  return ['markdown', 'text'].map((format) => bomb('html', format, 'fetch_page', { ...input, format }));
}

function messageBombs(port) {
  const to = 'a@corp.example';
  const email = (name, more) => bomb('message', name, 'send_email', () => ({ to, subject: 's', ...more() }));
  return [
    email('plain text', () => ({ body: repeat('a'.repeat(70), 14_000) })),
    email('open tags', () => ({ body: repeat('<', 999_000), html: true })),
    email('nested tags', () => ({ body: repeat('<div><a href="x">', 55_000), html: true })),
    email('comments', () => ({ body: repeat('<!--', 240_000), html: true })),
    email('entities', () => ({ body: repeat('&amp', 240_000), html: true })),
    email('spaces', () => ({ body: `${repeat(' ', 990_000)}x` })),
    email('long word of two bytes', () => ({ body: repeat('ä', 990_000) })),
    bomb('message', 'webhook', 'webhook', () => ({
      url: `https://127.0.0.1:${port}/x`,
      payload: { text: repeat('ä"', 400_000), list: Array.from({ length: 20_000 }, (_, at) => at) },
    })),
  ];
}

function sampled(handle) {
  const rows = (name) =>
    readFileSync(new URL(`../../tests/data/attacks/${name}.jsonl`, import.meta.url), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return [
    ...rows('json-bombs').map(({ id, gen }) =>
      bomb('json', id, 'key_value_set', () => ({ key: 'bomb', value: parsedOr(generated(gen)) })),
    ),
    ...rows('math-malicious').map(({ id, raw, expr }) => bomb('maths', id, 'calculate', { expression: raw ?? expr })),
    ...rows('redos').flatMap(({ id, pattern, prefix, pump, suffix, n }) => {
      const text = `${prefix}${repeat(pump, n * 20)}${suffix}`;
      const quoted = (value) => JSON.stringify(value);
      return [
        bomb('regex', `${id} list_dir`, 'list_dir', { pattern }),
        bomb('regex', `${id} result_read`, 'result_read', {
          handle,
          query: `$..[?search(@.word, ${quoted(pattern)})]`,
        }),
        bomb('regex', `${id} librarian_query`, 'librarian_query', {
          query: 'declare variable $t external; declare variable $p external; matches($t, $p)',
          variables: { t: text, p: pattern },
        }),
      ];
    }),
    ...rows('xml-xquery').map(({ id, kind, payload }) =>
      kind.startsWith('xml')
        ? bomb('xml', id, 'librarian_store', { collection: '/db/bombs', document_name: 'b.xml', content: payload })
        : bomb('xquery', id, 'librarian_query', { query: payload }),
    ),
  ];
}

/** Expands `TEXT*N, N=1e5` and `TEXT x 1e5`, the notation of the samples; any other text stays unchanged. */
function generated(text) {
  const many = /^(.*?)\s*(?:\*N, N=| x )(\d+(?:e\d+)?)$/s.exec(text);
  return many ? repeat(many[1], Math.min(Number(many[2]), million)) : text;
}

/** A body that is not JSON never gets past the door, but its text does as a value. */
function parsedOr(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
