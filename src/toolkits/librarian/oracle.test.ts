/**
 * The embedded engine against answers that BaseX gave: queries after W3C's XML Query Use Cases (XMP, TREE, R) and
 * XMark, paths over many documents, grouping, ordering, functions. The answers are committed, so this checks something
 * without Java; where BaseX is installed, one start of it confirms that the committed answers are its own.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Document, type Element, type Node, parseXmlDocument, serializeToWellFormedString } from 'slimdom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

const root = fileURLToPath(new URL('./oracle', import.meta.url));
const cases: { name: string; query: string; results: string[] }[] = JSON.parse(
  await readFile(join(root, 'queries.json'), 'utf8'),
);
const paths: string[] = [];
for (const folder of await readdir(join(root, 'db'))) {
  for (const name of await readdir(join(root, 'db', folder))) paths.push(`/db/${folder}/${name}`);
}
paths.sort();

/** Two items are the same when only the order of attributes differs, which XML does not have. */
function comparable(item: string): string {
  if (!item.startsWith('<')) return item;
  let document: Document;
  try {
    document = parseXmlDocument(`<item>${item}</item>`);
  } catch {
    return item;
  }
  const visit = (node: Node): void => {
    if (node.nodeType === 1) {
      const element = node as Element;
      const sorted = [...element.attributes].sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const attribute of sorted) element.removeAttributeNode(attribute);
      for (const attribute of sorted) element.setAttributeNode(attribute);
    }
    node.childNodes.forEach(visit);
  };
  visit(document);
  return serializeToWellFormedString(document);
}

let helve: TestHelve;
beforeAll(async () => {
  helve = await createTestHelve({ toolConfig: { librarian_query: { query_timeout_seconds: 20 } } });
  for (const path of paths) {
    const at = path.lastIndexOf('/');
    const content = await readFile(root + path, 'utf8');
    const input = { collection: path.slice(0, at), document_name: path.slice(at + 1), content };
    expect(await helve.call('librarian_store', input)).toMatchObject({ output: { path } });
  }
});
afterAll(() => helve.close());

describe('the embedded engine', () => {
  test('R-librarian: there are at least 60 cases, each with its own name', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBeGreaterThanOrEqual(150);
  });

  test.each(cases)('R-librarian: $name answers as BaseX does', async ({ query, results }) => {
    const given = (await helve.call('librarian_query', { query })) as { output?: { results: string[] } };
    expect(given.output?.results.map(comparable), JSON.stringify(given)).toEqual(results.map(comparable));
  });
});

const oracle = 'basex';

function hasBaseX(): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${oracle}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** One program for all queries: each is evaluated by itself, over all documents or those that it names. */
function program(queryFile: string): string {
  return `declare option output:method 'json';
    declare function local:text($item as item()) as xs:string {
      if ($item instance of attribute()) then string($item)
      else if ($item instance of node())
        then serialize($item, map { 'method': 'xml', 'indent': 'no', 'omit-xml-declaration': 'yes' })
      else if ($item instance of map(*) or $item instance of array(*))
        then serialize($item, map { 'method': 'json', 'indent': 'no' })
      else string($item)
    };
    let $all := (${paths.map((path) => `doc('${root}${path}')`).join(', ')})
    return array { for $query in doc('${queryFile}')/queries/query
      return array { xquery:eval(string($query), map { '': $all }) ! local:text(.) } }`;
}

describe.skipIf(!hasBaseX())('the committed answers (skipped where basex is not installed)', () => {
  test('R-librarian: are the ones that BaseX gives', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'helve-basex-'));
    const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
    const queries = cases.map(({ query }) => query.replace(/\b(doc|collection)\("\/db/g, `$1("${root}/db`));
    const list = queries.map((query) => `<query>${escaped(query)}</query>`).join('');
    await writeFile(join(folder, 'queries.xml'), `<queries>${list}</queries>`);
    await writeFile(join(folder, 'program.xq'), program(join(folder, 'queries.xml')));
    const written = execFileSync(oracle, ['-w', join(folder, 'program.xq')], { encoding: 'utf8', maxBuffer: 1e8 });
    const answers: string[][] = JSON.parse(written);
    expect(answers).toHaveLength(cases.length);
    cases.forEach(({ name, results }, at) => {
      expect(answers[at]?.map(comparable), name).toEqual(results.map(comparable));
    });
    await rm(folder, { recursive: true });
  });
});
