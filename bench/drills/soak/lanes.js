// The lanes of the soak: each makes one kind of request after the other, in a mix that repeats, and notes how long each took.
import { Pool } from 'undici';

const program = `const { result } = await math.calculate({ expression: '6 * 7' });
return { result, told: (await math.calculate({ expression: String(result) + ' + 1' })).text };`;
const mix = [
  ...Array.from({ length: 8 }, () => ['calculate', 'echo', 'calculate', 'refused']).flat(),
  ...Array.from({ length: 3 }, () => ['search', 'list']).flat(),
  'approval',
  'program',
];

/** `url`, the token of an agent and a key of the server; answers are checked, and failures are kept by kind. */
export function createLanes({ url, token, key }) {
  const pool = new Pool(url, { connections: 64, pipelining: 1 });
  const seen = new Map();
  const failures = new Map();
  let number = 0;

  async function ask(method, path, body, secret = token) {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const answer = await pool.request({ method, path, headers, body: body && JSON.stringify(body) });
    return answer.body.json();
  }
  const call = (tool, input, more) => ask('POST', '/api/tools/execute', { tool, input, ...more });

  const kinds = {
    async calculate(n) {
      const { ok, output } = await call('calculate', { expression: `${n} + 1` });
      return ok && output.result === n + 1;
    },
    async echo(n) {
      const { ok, output } = await call('upstream__echo', { message: `message ${n}` });
      return ok && JSON.stringify(output).includes(`message ${n} What`);
    },
    async refused(n) {
      const { ok, error } = await call('key_value_delete', { key: `key ${n}` });
      return ok === false && error.code === 'not_granted';
    },
    async search() {
      const { hits } = await ask('GET', '/api/tools/search?q=evaluate+a+sum');
      return hits.some(({ name }) => name === 'calculate');
    },
    async list() {
      const { tools } = await ask('GET', '/api/tools/workspace?all=true');
      return tools.some(({ name }) => name === 'upstream__echo');
    },
    async approval(n) {
      const input = { key: `key ${n % 100}`, value: `value ${n}` };
      const { error } = await call('key_value_set', input);
      const id = error?.details?.approvalId;
      if (id === undefined) return `no approval, ${error?.code}`;
      const { error: undecided } = await ask('POST', `/api/approvals/${id}/decision`, { decision: 'approved' }, key);
      if (undecided) return `not decided, ${undecided.code}`;
      const answer = await call('key_value_set', input, { approvalId: id });
      return answer.ok || answer.error.code;
    },
    async program() {
      const { status, value } = await ask('POST', '/api/runs', { code: program });
      return status === 'succeeded' && value?.told === '43';
    },
  };

  async function make(kind) {
    number += 1;
    const began = performance.now();
    let problem;
    try {
      const answer = await kinds[kind](number);
      if (answer !== true) problem = `another answer than expected${answer ? ` (${answer})` : ''}`;
    } catch (error) {
      problem = error.message;
    }
    if (problem !== undefined) failures.set(`${kind}: ${problem}`, (failures.get(`${kind}: ${problem}`) ?? 0) + 1);
    const times = seen.get(kind) ?? [];
    times.push(performance.now() - began);
    seen.set(kind, times);
  }

  return {
    failures,
    count: () => number,
    /** Resolves when all lanes have made their last request after `ends` (of `performance.now()`). */
    async run(lanes, ends) {
      await Promise.all(
        Array.from({ length: lanes }, async (_, lane) => {
          for (let at = lane; performance.now() < ends; at += 1) await make(mix[at % mix.length]);
        }),
      );
    },
    /** By kind: how many, the median and the 99th percentile in milliseconds. */
    times: () =>
      Object.fromEntries(
        [...seen].map(([kind, times]) => {
          const sorted = times.toSorted((one, other) => one - other);
          const at = (part) => Number(sorted[Math.floor(sorted.length * part)].toFixed(1));
          return [kind, { requests: sorted.length, p50: at(0.5), p99: at(0.99) }];
        }),
      ),
    close: () => pool.close(),
  };
}
