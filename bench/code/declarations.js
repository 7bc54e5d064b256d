// The declarations of every tool of every toolkit in `every-toolkit.js`, printed by the functions that the plane uses
// and compiled with the checker's compiler; then the time of a warm check of programs that name three of 1,083
// toolkits, in turns with one that names none. `node bench/code/declarations.js [only=bundled|catalogue|documents]
// [every=N] [from=N] [rounds=N]`: every N-th toolkit, beginning with the `from`-th. Control-C stops the printing; the
// report then covers what was done, and says where to continue.
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { listToolkits } from './every-toolkit.js';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const piece = (path) => import(new URL(path, root));
const { createCode } = await piece('flows/code/index.js');
const { createNamespaces } = await piece('flows/code/namespaces.js');
const { printNamespace } = await piece('flows/code/print.js');
const { createChecker } = await piece('checker/index.js');
const { startNative } = await piece('checker/engines/native.js');
const { loadCompiler } = await piece('checker/engines/load-native.js');
const native = await loadCompiler(undefined);
const { sampleInput } = await piece('providers/openapi/sample-input.js');
const { schemaIssues } = await piece('schema/checks.js');

const options = Object.fromEntries(process.argv.slice(2).map((argument) => argument.split('=')));
const every = Number(options.every ?? 1);
const first = Number(options.from ?? 0);
const rounds = Number(options.rounds ?? 150);
const wantedToolkits = 1_083;
const batchCharacters = 1_500_000;
/** Counting tokens is slow: of the toolkits with documents, those of every N-th. */
const countedShare = 20;
/** The number of documents that stay in memory for the checks. */
const keptShare = 4;

const encoder = new Tiktoken(o200k);
const countTokens = (text) => encoder.encode(text, [], []).length;
const { toolkits: all, close } = await listToolkits(options);
const toolkits = all.filter((_, at) => at >= first && (at - first) % every === 0);

const seen = {};
const errors = [];
const kept = [];
let stopped;
process.once('SIGINT', () => {
  stopped = 'SIGINT';
});

const toEntries = (slug, tools) =>
  tools.map((tool) => ({ name: `${slug}__${tool.id.name}`, tool, provider: {}, approval: 'none', toolkitTitle: slug }));
const getSum = (from) => {
  seen[from] ??= {
    toolkits: 0,
    without: 0,
    tools: 0,
    left: 0,
    bytes: 0,
    printMs: 0,
    slowest: 0,
    schemaTokens: 0,
    tokens: 0,
  };
  return seen[from];
};
const getSchema = ({ id, description, inputSchema, outputSchema }) =>
  JSON.stringify({ name: id.name, description, inputSchema, outputSchema });

function print({ from, slug }, tools, isCounted) {
  const sum = getSum(from);
  const texts = [];
  for (const namespace of createNamespaces({ entries: toEntries(slug, tools), connections: new Map() }).values()) {
    const started = performance.now();
    texts.push(printNamespace(namespace));
    const took = performance.now() - started;
    sum.printMs += took;
    if (took > sum.slowest) Object.assign(sum, { slowest: took, slowestSlug: slug });
  }
  const text = texts.join('\n');
  sum.toolkits += 1;
  sum.tools += tools.length;
  sum.bytes += Buffer.byteLength(text);
  const functions = text.match(/^function /gm)?.length ?? 0;
  if (functions !== tools.length) errors.push({ slug, message: `${tools.length} tools, but ${functions} functions` });
  if (isCounted) {
    sum.tokens += countTokens(text);
    for (const tool of tools) sum.schemaTokens += countTokens(getSchema(tool));
  }
  return text;
}

/** Wrong on purpose, in every batch: it shows that the compiler reports what is wrong with such a text. */
const planted = {
  slug: 'planted',
  text: 'declare namespace planted {\nfunction get(input:Missing):Promise<unknown>;\n}',
};

/** The texts as one program, because the compiler does not report what is wrong with declarations that it only reads. */
function createCompiler() {
  let engine = startNative(native);
  let waiting = [];
  let size = 0;
  const compile = () => {
    const starts = [];
    let text = 'export {};\n';
    let found = 0;
    for (const one of [...waiting, planted]) {
      starts.push({ slug: one.slug, at: text.length });
      text += `${one.text}\n`;
    }
    for (const { start, causes } of engine.inspect({ tools: '', program: text }).problems) {
      const { slug } = starts.findLast(({ at }) => at <= start) ?? { slug: '' };
      if (slug === planted.slug) {
        found += 1;
        continue;
      }
      const line = text.slice(text.lastIndexOf('\n', start) + 1, text.indexOf('\n', start));
      errors.push({ slug, message: causes.join(': '), line: line.slice(0, 300) });
    }
    if (found !== 1) errors.push({ slug: planted.slug, message: `the planted error was reported ${found} times` });
    waiting = [];
    size = 0;
    engine.close();
    engine = startNative(native);
  };
  return {
    add(slug, text) {
      waiting.push({ slug, text });
      size += text.length;
      if (size > batchCharacters) compile();
    },
    close() {
      if (waiting.length > 0) compile();
      engine.close();
    },
  };
}

const barWidth = 30;
function showProgress(done, slug) {
  const text = `${done}/${toolkits.length} toolkits · ${errors.length} errors · ${slug}`;
  if (process.stderr.isTTY) {
    const full = Math.round((done / toolkits.length) * barWidth);
    process.stderr.write(`\r\x1b[2K[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}] ${text}`);
    if (done === toolkits.length) process.stderr.write('\n');
  } else if (done % Math.ceil(toolkits.length / 20) === 0) process.stderr.write(`${text}\n`);
}

const compiler = createCompiler();
let done = 0;
for (const toolkit of toolkits) {
  if (stopped) break;
  const { from, slug, load } = toolkit;
  try {
    const { tools, refused, left = [] } = await load();
    const sum = getSum(from);
    sum.left += left.length;
    if (refused !== undefined) sum.without += 1;
    if (tools.length > 0) {
      compiler.add(slug, print(toolkit, tools, from !== 'documents' || done % countedShare === 0));
      if (from !== 'documents' || done % keptShare === 0) kept.push({ from, slug, tools });
    }
  } catch (error) {
    errors.push({ slug, message: `it was not printed: ${error.message}` });
  }
  done += 1;
  showProgress(done, slug);
  // A signal is seen only between turns of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
}
compiler.close();

console.log(
  '| from | toolkits | tools | not read | tools left out | MB | tokens ÷ schemas’ | printing, s | slowest, ms |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const [from, one] of Object.entries(seen))
  console.log(
    `| ${from} | ${one.toolkits} | ${one.tools} | ${one.without} | ${one.left} | ${(one.bytes / 1e6).toFixed(1)} | ${(one.tokens / one.schemaTokens).toFixed(2)} | ${(one.printMs / 1e3).toFixed(1)} | ${one.slowest.toFixed(0)} (${one.slowestSlug}) |`,
  );
console.log(`errors: ${errors.length}`);
for (const { slug, message, line } of errors.slice(0, 40))
  console.log(`  ${slug}: ${message}${line ? `\n    ${line}` : ''}`);
if (done < toolkits.length) console.log(`stopped: go on with from=${first + done * every}`);

if (rounds > 0 && kept.length >= 3) await timeChecks();
await close();
process.exitCode = errors.length > 0 ? 1 : 0;

/** The catalogue and the bundled toolkits first, then as many documents as are missing from 1,083. */
async function timeChecks() {
  const random = createRandom(20_261_122);
  const used = kept.slice(0, wantedToolkits);
  const entries = used.flatMap(({ slug, tools }) => toEntries(slug, tools));
  const namespaces = createNamespaces({ entries, connections: new Map() });
  const checker = createChecker({ engine: 'native', places: 1 });
  const reach = { entries, connections: new Map() };
  const code = createCode({ checker, discovery: { findReach: async () => reach } });
  const programs = [...namespaces.values()];
  const makeCall = () => {
    for (;;) {
      const { name, members } = programs[Math.floor(random() * programs.length)];
      const [identifier, { tool }] = [...members][Math.floor(random() * members.size)];
      const input = makeInput(tool.inputSchema);
      if (input !== undefined) return `${name}.${identifier}(${input})`;
    }
  };
  const times = { none: [], three: [] };
  const refused = [];
  const check = async (kind, text) => {
    const started = performance.now();
    const { issues } = await code.checkCode({ workspaceId: 'bench' }, text);
    times[kind].push(performance.now() - started);
    if (issues.length > 0) refused.push(`${issues[0].message}\n    ${text.replaceAll('\n', ' ').slice(0, 400)}`);
  };
  for (let warm = 0; warm < 5; warm += 1) await check('none', 'return 0;');
  times.none = [];
  for (let round = 0; round < rounds; round += 1) {
    await check('none', `return ${round};`);
    await check(
      'three',
      [0, 1, 2]
        .map((at) => `const a${at} = await ${makeCall()};`)
        .concat('return [a0, a1, a2];')
        .join('\n'),
    );
  }
  await checker.close();
  const quantile = (values, share) =>
    values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)].toFixed(1);
  console.log(`\nchecks against ${used.length} toolkits with ${entries.length} tools, ${rounds} of each in turns`);
  console.log('| program names | median, ms | p95, ms |\n|---|---|---|');
  for (const [kind, values] of Object.entries(times))
    console.log(
      `| ${kind === 'none' ? 'no toolkit' : 'three toolkits'} | ${quantile(values, 0.5)} | ${quantile(values, 0.95)} |`,
    );
  console.log(`valid calls that were refused: ${refused.length}`);
  for (const text of refused.slice(0, 10)) console.log(`  ${text}`);
}

/** A literal that the schema accepts; undefined if none was found. */
function makeInput(schema) {
  try {
    const matching = (pattern) => fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 1, seed: 1 })[0];
    const input = sampleInput(schema, { matching, optionalDepth: 1 });
    const text = JSON.stringify(input);
    return schemaIssues(schema, input).length > 0 || text.length > 3_000 ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The same numbers in every run. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
