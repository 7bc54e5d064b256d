// A small issue tracker with an HTTP API, for the walkthrough in docs/code-mode.md. Its issues are in memory. It takes its time
// over each comment, so that there is time to kill Helve meanwhile.
//   node examples/code/issue-tracker.js [port] [seconds for a comment]
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const dayMs = 86_400_000;

/** Issues as of now: number, title, and the days since somebody last wrote something. */
const examples = [
  [1, 'The login page is blank in Safari', 90],
  [2, 'Typo on the start page', 2],
  [3, 'Export to CSV loses umlauts', 45],
  [4, 'Dark mode', 400],
  [5, 'Crash when the disk is full', 1],
  [6, 'Upgrade the database driver', 31],
];

/**
 * Starts the tracker on 127.0.0.1. Returns its address, its comments (`{ issue, body, key }`, in the order in which they were
 * added), and `stop`. `beforeAnswer`, of a comment that was just added, is awaited before the request is answered. A comment
 * with the `Idempotency-Key` of an earlier one is not added again: its request gets the first answer.
 */
export async function startTracker({ port = 0, beforeAnswer = async () => {}, log = () => {} } = {}) {
  const issues = examples.map(([number, title, days]) => {
    const updatedAt = new Date(Date.now() - days * dayMs).toISOString();
    return { number, title, state: 'open', updatedAt };
  });
  const comments = [];

  async function addComment(number, { body }, key) {
    const known = key === undefined ? -1 : comments.findIndex((comment) => comment.key === key);
    if (known >= 0) log(`The same comment on issue ${number} once more: not added again`);
    else {
      comments.push({ issue: number, body, key });
      log(`A comment on issue ${number}: added`);
      await beforeAnswer(comments.at(-1));
    }
    return { id: known >= 0 ? known + 1 : comments.length, issue: number };
  }

  async function answer({ method, url, headers }, body) {
    if (method === 'GET' && url.startsWith('/issues')) return { issues };
    if (method === 'GET' && url === '/comments') return { comments };
    const [, number] = /^\/issues\/(\d+)\/comments$/.exec(url) ?? [];
    const issue = issues.find((one) => one.number === Number(number));
    if (method === 'POST' && issue) return addComment(issue.number, JSON.parse(body), headers['idempotency-key']);
    return undefined;
  }

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const found = await answer(request, body);
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { message: 'There is no such thing' }));
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    comments,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , port = '4871', seconds = '5'] = process.argv;
  const beforeAnswer = () => new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1_000));
  const { url } = await startTracker({ port: Number(port), beforeAnswer, log: console.log });
  console.log(`The issue tracker is at ${url}. All comments: ${url}/comments. Stop with Ctrl-C.`);
}
