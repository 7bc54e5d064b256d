// The type check of programs: warm, with other declarations each time (another tenant), and from a fresh start. The control is
// TypeScript 7's server alone, on the same texts, in turns with ours. The declarations are synthetic: tools with six parameters (two
// enums, a list, a nested object) and an answer of three levels, about 100 tools in four namespaces.
// `node bench/code/check.js [rounds]`
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { API } from 'typescript/unstable/sync';

const { createChecker } = await import(
  new URL('checker/index.js', new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url))
);
const rounds = Number(process.argv[2] ?? 200);

function declare(namespace, tools, tenant = 0) {
  const names = Array.from({ length: tools }, (_, index) => `tool${index}`);
  const one = (name) =>
    `  /** Does what ${name} of ${namespace} says. @risk write */\n  function ${name}(input: { repo: string; state?: 'open' | 'closed' | 'all'; sort?: 'created' | 'updated'; labels?: string[]; page${tenant}?: number; author?: { login: string; id?: number } }): Promise<{ items: { number: number; title: string; body?: string; user: { login: string; id: number } | null; labels: { name: string }[] }[]; next?: number }>;`;
  return {
    namespace,
    tools: Object.fromEntries(names.map((name) => [name, `${namespace}_${name}`])),
    text: `declare namespace ${namespace} {\n${names.map(one).join('\n')}\n}`,
  };
}
const hundred = (tenant) => ['github', 'slack', 'gmail', 'files'].map((name) => declare(name, 25, tenant));
const three = (turn) => [0, 1, 2].map((index) => declare(`toolkit${(turn * 3 + index) % 1083}`, 12));
const known = Array.from({ length: 1083 }, (_, index) => `toolkit${index}`).concat('github', 'slack', 'gmail', 'files');
const program = (
  turn,
  [a, b, c] = ['github', 'slack', 'gmail'],
) => `const { items } = await ${a}.tool${turn % 10}({ repo: 'acme/web', state: 'open', labels: ['bug'] });
const stale = items.filter((item) => item.number > ${turn} && item.user !== null);
await Promise.all(stale.map((item) => ${b}.tool${(turn + 3) % 10}({ repo: item.title, author: { login: item.user?.login ?? 'nobody' } })));
for (const item of stale) {
  const answer = await ${c}.tool${(turn + 5) % 10}({ repo: item.title, state: 'closed', sort: 'updated' });
  console.log(\`\${answer.items.length} of \${item.title}\`);
}
return stale.length;`;
const wrong = (turn) => program(turn).replace("state: 'open'", "state: 'opened'");

function startControl() {
  const files = new Map();
  files.set(
    '/c/tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'esnext',
        module: 'esnext',
        lib: ['es2023'],
        types: [],
        skipLibCheck: true,
        moduleDetection: 'force',
      },
      files: ['tools.d.ts', 'program.ts'],
    }),
  );
  const own = createRequire(import.meta.url).resolve('typescript/package.json');
  const platform = createRequire(own).resolve(
    `@typescript/typescript-${process.platform}-${process.arch}/package.json`,
  );
  const libraries = join(dirname(platform), 'lib');
  const api = new API({
    cwd: '/c',
    fs: {
      readFile: (path) => files.get(path) ?? (path.startsWith(libraries) ? undefined : null),
      fileExists: (path) => files.has(path) || path.startsWith(libraries),
      directoryExists: (path) => path === '/c',
      getAccessibleEntries: () => ({ files: [], directories: [] }),
      realpath: (path) => path,
    },
  });
  let snapshot;
  return {
    check(namespaces, code) {
      files.set(
        '/c/tools.d.ts',
        `${namespaces.map(({ text }) => text).join('\n')}\ndeclare const console: { log(...values: unknown[]): void };`,
      );
      files.set('/c/program.ts', `(async () => {${code}\n})`);
      const next = api.updateSnapshot(
        snapshot
          ? { fileChanges: { changed: ['/c/tools.d.ts', '/c/program.ts'] } }
          : { openProjects: ['/c/tsconfig.json'] },
      );
      snapshot?.dispose();
      snapshot = next;
      const project = snapshot.getProjects()[0].program;
      return (
        project.getSyntacticDiagnostics('/c/program.ts').length + project.getSemanticDiagnostics('/c/program.ts').length
      );
    },
    close: () => api.close(),
  };
}

const times = new Map();
async function time(name, work) {
  const started = performance.now();
  const result = await work();
  times.set(name, [...(times.get(name) ?? []), performance.now() - started]);
  return result;
}
const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)];
const expectIssues =
  (wanted) =>
  ({ issues }) => {
    if (issues.length !== wanted) throw new Error(`${wanted} issues expected: ${JSON.stringify(issues)}`);
  };

const control = startControl();
const same = hundred(0);
const checkers = {
  native: createChecker({ engine: 'native', places: 1 }),
  javascript: createChecker({ engine: 'javascript', places: 1, timeoutMs: 10_000 }),
};
for (const [name, checker] of Object.entries(checkers))
  await time(`${name}: first check of a checker`, () =>
    checker.check({ code: program(0), namespaces: same, known }).then(expectIssues(0)),
  );
control.check(same, program(0));
for (let turn = 1; turn <= rounds; turn += 1) {
  await time('control, 100 tools', () => control.check(same, program(turn)));
  for (const [name, checker] of Object.entries(checkers)) {
    if (name === 'javascript' && turn > 60) continue;
    const check = (code, namespaces) => checker.check({ code, namespaces, known });
    // The previous check had other declarations.
    await check(program(turn + 1), same);
    await time(`${name}: 100 tools, right`, () => check(program(turn), same).then(expectIssues(0)));
    await time(`${name}: 100 tools, wrong`, () => check(wrong(turn), same).then(expectIssues(1)));
    const other = hundred(turn);
    await time(`${name}: 100 tools of another tenant`, () => check(program(turn), other).then(expectIssues(0)));
    const few = three(turn);
    await time(`${name}: 3 of 1,083 toolkits, others each time`, () =>
      check(
        program(
          turn,
          few.map(({ namespace }) => namespace),
        ),
        few,
      ).then(expectIssues(0)),
    );
  }
}
for (let turn = 0; turn < 8; turn += 1)
  for (const engine of ['native', 'javascript']) {
    const checker = createChecker({ engine, timeoutMs: 10_000 });
    await time(`${engine}: fresh start and first check`, () =>
      checker.check({ code: program(turn), namespaces: same, known }).then(expectIssues(0)),
    );
    await checker.close();
  }
control.close();
for (const checker of Object.values(checkers)) await checker.close();
console.log('| what | median, ms | p95, ms | median ÷ control |\n|---|---|---|---|');
const base = quantile(times.get('control, 100 tools'), 0.5);
for (const [name, values] of times) {
  const median = quantile(values, 0.5);
  console.log(
    `| ${name} | ${median.toFixed(1)} | ${quantile(values, 0.95).toFixed(1)} | ${(median / base).toFixed(1)} |`,
  );
}
