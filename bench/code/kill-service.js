/** The service of the kill campaign: it acts, honours keys, can be probed, and counts every effect. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * Starts it on 127.0.0.1.
 *
 * @param {{ forgets?: boolean }} options `forgets`: it neither honours a key nor finds what it did
 * @returns {Promise<{ url: string, countTwice: (runId: string) => number, hasDone: (runId: string, number: number) => boolean,
 *   close: () => void }>}
 */
export async function startService({ forgets = false }) {
  /** By effect key: what was answered, and how often it was done. */
  const done = new Map();
  const counts = new Map();
  const answerTo = (name) => ({ name, size: name.length });
  const keyFor = (runId, number) => createHash('sha256').update(`${runId}/${number}`).digest('hex').slice(0, 32);

  function act({ kind, name, key }) {
    const isRepeated = done.has(key) && (kind === 'repeatable' || (kind === 'key' && !forgets));
    if (!isRepeated) counts.set(key, (counts.get(key) ?? 0) + 1);
    done.set(key, answerTo(name));
    return answerTo(name);
  }

  const routes = {
    '/read': ({ name }) => answerTo(name),
    '/act': act,
    '/probe': ({ key }) => (forgets ? {} : { found: done.get(key) }),
    '/look': ({ runId, number }) => ({ found: done.get(keyFor(runId, number)) }),
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => response.end(JSON.stringify(routes[request.url](JSON.parse(body)))));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    countTwice: (runId) =>
      Array.from({ length: 100 }, (_, number) => counts.get(keyFor(runId, number)) ?? 0).filter((n) => n > 1).length,
    hasDone: (runId, number) => done.has(keyFor(runId, number)),
    close: () => server.close(),
  };
}
