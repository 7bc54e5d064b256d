// Issues with the machines of tasks and scripted agents, each of which makes six effects on a counterpart in an attempt, while the
// processes that drive them are killed at random moments. Each issue must have exactly the events and effects of its story, in order.
// With --control the counterpart ignores the keys of effects: then effects must be found twice.
//   node bench/tasks/kills.js [--control] [issues] [kills] [store]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, workspaceId } from './machine.js';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const { machines } = await import(new URL('tasks/index.js', root));
const { killWhileIssuesAreDone } = await import(new URL('testing/issue-kills.js', root));

const ignoreKeys = process.argv[2] === '--control';
const [issues = 500, kills = 200, place] = process.argv.slice(ignoreKeys ? 3 : 2);
const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-issues-'));
const location = place ?? join(folder, 'store.db');
const storage = await open(location);
const program = { folder: import.meta.dirname, parameters: ['kills-child.js', location] };
const { problems, ...report } = await killWhileIssuesAreDone({
  storage,
  workspaceId,
  machine: machines.issue,
  program,
  issues: Number(issues),
  kills: Number(kills),
  ignoreKeys,
});
await storage.close();
rmSync(folder, { recursive: true, force: true });
console.log({ issues, kills, ...report, problems: problems.length });
for (const problem of problems.slice(0, 20)) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
