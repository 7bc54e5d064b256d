/** The contract besides the types: forms, places, limits, and that no check sees another. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { CodeChecker, NamespaceDeclarations } from '../domain/code.js';
import { wrap } from '../util/program/index.js';
import { createChecker, namesIn } from './index.js';
import type { Outcome } from './place.js';
import { known, namespaces } from './testing/namespaces.js';

describe.each(['native', 'javascript'] as const)('%s', (engine) => {
  const checker = createChecker({ engine, timeoutMs: 20_000 });
  afterAll(() => checker.close());
  const check = async (code: string) => (await checker.check({ code, namespaces, known })).issues;
  const call = `github.getIssue({ repo: 'a', issu: 1 })`;

  test.each([
    ['statements', `const a = 1;\n  await ${call};\nreturn a;`],
    ['a module', `const a = 1;\n  export default async () => { await ${call} };\n`],
    ['a module with a function', `\n\nexport\ndefault async function () { return await ${call}; }`],
    ['an exported name', `async function main() {\n return await ${call};\n}\nexport default main;`],
    ['a module with other exports', `export const a = 1;\nexport default async () => await ${call}`],
    ['an arrow function', `async () => {\n\n   return await ${call};\n}`],
    ['an arrow function with a comment', `// first\nasync (): Promise<unknown> => await ${call}; // last`],
    ['Windows lines', `const a = 1;\r\nreturn await ${call};`],
    ['a byte order mark', `\ufeffreturn await ${call};`],
  ])('says the line and column of %s', async (_, code) => {
    const [issue, ...others] = await check(code);
    const before = code.slice(0, code.indexOf('issu:')).split('\n');
    expect(others).toEqual([]);
    expect(issue).toMatchObject({
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      tool: 'github_get_issue',
      message: expect.stringContaining('did you mean issue?'),
    });
  });

  test.each([
    ['async function main() { return 1 }\nmain();', 'main(…) is not awaited: write await main(…)'],
    [
      '(async () => { await github.listIssues({ repo: "a" }) })();',
      'the function is not awaited: write await the function',
    ],
    [
      'setTimeout(async () => { await github.listIssues({ repo: "a" }) }, 5); return 1;',
      'setTimeout does not wait for an async callback',
    ],
    [
      'const { issues } = await github.listIssues({ repo: "a" }); return issues.filter(async (i) => (await github.getIssue({ repo: "a", issue: i.number })).body);',
      'filter does not wait',
    ],
    [
      'const { issues } = await github.listIssues({ repo: "a" }); return issues.map((i) => github.getIssue({ repo: "a", issue: i.number }));',
      'await Promise.all',
    ],
    [
      'const { issues } = await github.listIssues({ repo: "a" }); await issues.map((i) => github.getIssue({ repo: "a", issue: i.number })); return 1;',
      'await Promise.all',
    ],
    ['return { issue: github.getIssue({ repo: "a", issue: 1 }) };', 'github.getIssue(…) is not awaited'],
    ['async () => ({ issue: github.getIssue({ repo: "a", issue: 1 }) })', 'github.getIssue(…) is not awaited'],
    ['console.log(github.getIssue({ repo: "a", issue: 1 })); return 1;', 'github.getIssue(…) is not awaited'],
    ['return String(github.getIssue({ repo: "a", issue: 1 }));', 'is not awaited'],
    ['void github.getIssue({ repo: "a", issue: 1 }); return 1;', 'github.getIssue(…) is not awaited'],
    ['github.getIssue({ repo: "a", issue: 1 }).then((i) => console.log(i.title)); return 1;', 'is not awaited'],
    ['if (github.getIssue({ repo: "a", issue: 1 })) return 1;', 'write await github.getIssue(…)'],
    ['const input = { repo: "a", state: "open" }; return await github.listIssues(input);', 'add as const'],
  ])('%s', async (code, message) => {
    const issues = await check(code);
    expect(issues).toHaveLength(1);
    expect(issues[0]?.message).toContain(message);
  });

  test('a default export that is no function is an issue', async () => {
    expect(await check('export default 12;')).toHaveLength(1);
  });

  test('the guest has what the sandbox offers, and no more', async () => {
    const offered = "new URL('a:b').href, atob('x'), [1].toSorted(), Object.groupBy([1], String)";
    expect(await check(`console.debug(1); await sleep(5); return [${offered}]`)).toEqual([]);
    // Of a later edition than the one that is promised.
    expect(await check('return await Array.fromAsync([1])')).toHaveLength(1);
    for (const name of [
      'process',
      'fetch',
      'Buffer',
      'window',
      'document',
      'setInterval',
      'queueMicrotask',
      'WebAssembly',
    ])
      expect((await check(`return ${name};`))[0]?.message).toContain(name);
  });

  test('at most twenty issues, in the order of their places', async () => {
    const issues = await check(Array.from({ length: 40 }, (_, index) => `await github.nothing${index}();`).join('\n'));
    expect(issues.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  test('a namespace that is not loaded is not there, and the nearest is named', async () => {
    const issues = (await checker.check({ code: 'return await githb.getIssue({})', namespaces: [], known })).issues;
    expect(issues).toMatchObject([{ message: expect.stringContaining('did you mean github?') }]);
  });

  test('checks that run at the same time see nothing of each other', async () => {
    const own = (tenant: number): NamespaceDeclarations => ({
      namespace: 'crm',
      tools: { [`tool${tenant}`]: `crm_tool_${tenant}` },
      text: `declare namespace crm { interface Row { secret${tenant}: string } function tool${tenant}(input: { a: ${tenant} }): Promise<Row>; }`,
    });
    await Promise.all(
      Array.from({ length: 24 }, async (_, tenant) => {
        const other = (tenant + 1) % 24;
        const right = `const local${tenant} = await crm.tool${tenant}({ a: ${tenant} }); return local${tenant}.secret${tenant};`;
        const namespaces = [own(tenant)];
        expect((await checker.check({ code: right, namespaces, known: ['crm'] })).issues).toEqual([]);
        const wrong = `return [await crm.tool${other}({ a: 1 }), local${other}];`;
        const { issues } = await checker.check({ code: wrong, namespaces, known: ['crm'] });
        expect(issues).toHaveLength(2);
        expect(JSON.stringify(issues)).not.toContain('secret');
      }),
    );
  });
});

describe('limits', () => {
  const open: CodeChecker[] = [];
  afterEach(() => Promise.all(open.splice(0).map((checker) => checker.close())));
  const create = (options: Parameters<typeof createChecker>[0]) => {
    const checker = createChecker(options);
    open.push(checker);
    return checker;
  };

  test('a program over 256 KB is an issue', async () => {
    const { issues } = await create({}).check({ code: `return '${'é'.repeat(131_072)}';`, namespaces, known });
    expect(issues).toMatchObject([{ line: 1, column: 1, message: expect.stringContaining('256 KB') }]);
  });

  test('a cancelled check ends immediately', async () => {
    const checking = create({}).check({ code: 'return 1', namespaces, known }, AbortSignal.timeout(1));
    await expect(checking).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('after its end it checks nothing, and what waits is told', async () => {
    const checker = create({ places: 1 });
    const waiting = [1, 2, 3].map(() => checker.check({ code: 'return 1', namespaces, known }));
    const outcomes = Promise.allSettled(waiting);
    await checker.close();
    for (const outcome of await outcomes)
      expect(outcome.status === 'fulfilled' ? [] : (outcome.reason as { code: string }).code).toBeOneOf([
        [],
        'shutting_down',
      ]);
    await expect(checker.check({ code: 'return 1', namespaces, known })).rejects.toMatchObject({
      code: 'shutting_down',
    });
  });

  test('without a native compiler the other one checks, and the native one is not tried again', async () => {
    const tried: string[] = [];
    const fake = (outcome: (engine: string) => Outcome) =>
      createChecker({}, ({ engine }) => ({
        check: async () => {
          tried.push(engine);
          return outcome(engine);
        },
        close: async () => undefined,
      }));
    const program = { code: 'return 1', namespaces, known };
    const missing = fake((engine) =>
      engine === 'native' ? { is: 'unavailable', reason: 'no' } : { is: 'checked', issues: [] },
    );
    for (const _ of [1, 2]) expect(await missing.check(program)).toEqual({ issues: [] });
    expect(tried.splice(0)).toEqual(['native', 'javascript', 'javascript']);
    const broken = fake((engine) =>
      engine === 'native' ? { is: 'broken', reason: 'x' } : { is: 'checked', issues: [] },
    );
    for (const _ of [1, 2]) expect(await broken.check(program)).toEqual({ issues: [] });
    expect(tried.splice(0)).toEqual(['native', 'javascript', 'native', 'javascript']);
    const neither = fake(() => ({ is: 'unavailable', reason: 'no' }));
    await expect(neither.check(program)).rejects.toMatchObject({
      code: 'tool_failed',
      hint: expect.stringMatching('helve toolkits add code.*typescript-js'),
    });
  });

  test('types that take too long end the compiler, and the next check has a new one', async () => {
    const checker = create({ places: 1, timeoutMs: 700 });
    const slow = `type A<T, N extends unknown[] = []> = N['length'] extends 24 ? T : A<T, [...N, 0]> | A<[T], [...N, 1]>;\nconst x: A<string> = 1 as never; return x;`;
    const [late, next] = await Promise.all([
      checker.check({ code: slow, namespaces, known }),
      checker.check({ code: 'return await github.getIsue()', namespaces, known }),
    ]);
    expect(late.issues).toMatchObject([{ message: expect.stringContaining('longer than 0.7 s') }]);
    expect(next.issues).toMatchObject([{ message: 'github has no tool getIsue; did you mean getIssue?' }]);
  });
});

/** The compilers that this process has started. */
function compilers(): number[] {
  const tasks = readdirSync('/proc/self/task');
  const children = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' '));
  return children.map(Number).filter((id) => id > 0 && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--api'));
}

test.runIf(existsSync('/proc/self/task'))(
  'a compiler that the machine lets wait is not ended, and its program not blamed',
  async () => {
    const others = compilers();
    const checker = createChecker({ engine: 'native', places: 1, timeoutMs: 700 });
    const check = () => checker.check({ code: 'return 1', namespaces, known });
    await check();
    const [id = 0] = compilers().filter((one) => !others.includes(one));
    process.kill(id, 'SIGSTOP');
    const checked = check();
    // Longer than the limit.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    process.kill(id, 'SIGCONT');
    expect(await checked).toEqual({ issues: [] });
    expect(compilers()).toContain(id);
    await checker.close();
  },
);

describe('wrap', () => {
  test.each([
    ['statements', 'return 1'],
    ['statements', 'const f = async () => 1; return f()'],
    ['statements', '(async () => { return 1 })()'],
    ['statements', 'async () => {}\nfoo()'],
    ['statements', 'const a = { export: 1, default: 2 }'],
    ['module', 'export default async () => 1'],
    ['module', 'const a = 1\nexport default async function f() { return a }'],
    ['function', 'async () => 1'],
    ['function', `  async x => { return \`\${x}}\` };`],
    ['function', 'async function main() { return 1 }'],
    ['function', '(async (a = {}) => { return a })'],
  ])('%s: %s', (form, code) => {
    const wrapped = wrap(code);
    expect(wrapped.form).toBe(form);
    expect(wrapped.body).toHaveLength(code.length);
    expect(wrapped.text).toBe(wrapped.prefix + wrapped.body + wrapped.suffix);
  });

  test.each([
    ['return 7'],
    ['const a = 3; export default async () => a + 4'],
    ['export default async function f() { return 7 }\nconst after = 1;'],
    ['export default main; async function main() { return 7 }'],
    ['async () => 7;'],
    ['async () => { return 7 } // seven'],
    ['(async function () { return 7 })'],
  ])('what it gives runs: %s', async (code) => {
    const run = runInThisContext(wrap(code).text) as () => Promise<unknown>;
    expect(await run()).toBe(7);
  });
});

test('the names in a program', () => {
  const names = (code: string) =>
    namesIn(code)
      .filter((name) => [...known, 'results'].includes(name))
      .sort();
  expect(names(`await github.listIssues({ repo: 'slack' }); // linear`)).toEqual(['github']);
  expect(
    names(`await env.github.x(); await env?.slack.y(); await env['linear'].z(); await env[\`stripe\`].z()`),
  ).toEqual(['github', 'linear', 'slack', 'stripe']);
  expect(names('const { github, slack: s } = env;')).toEqual(['github', 'slack']);
  expect(names('const e = env; await e.github.x();')).toEqual(['github']);
  expect(names('await globalThis.env.github.x()')).toEqual(['github']);
  expect(names('return answer.files.results')).toEqual([]);
  expect(names(`const x = \`\${slack.y} github\`; /git/.test(x)`)).toEqual(['slack']);
  expect(names('await g\\u0069thub.x()')).toEqual(['github']);
  expect(names('let n = 2; n++ / github.x / 3')).toEqual(['github']);
  expect(names('await github.x( { [ ( `')).toEqual(['github']);
});
