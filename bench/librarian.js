// Full-text search of the librarian over 1,000 documents, warm, through the whole plane: p50 (target: 20 ms). The control is
// a store without an index, which reads all documents and scans their text, in this process.
import { createHelve } from 'helve';

const count = Number(process.argv[2] ?? 1_000);
const calls = Number(process.argv[3] ?? 300);
const helve = await createHelve({ limits: { perIp: null, perPrincipal: null, perTool: null } });
const { firstToken } = await helve.setUp();
const principal = await helve.plane.authenticate(firstToken);
const call = async (tool, input) => {
  const result = await helve.execute({ principal, tool: `librarian_${tool}`, input });
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.output;
};

/** The same words in every run; frequent words occur many times as often as rare ones. */
let seed = 1;
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};
const syllables = ['ka', 'lo', 'mi', 'ren', 'tu', 'sel', 'vor', 'den', 'pi', 'ga'];
const word = () => {
  const rank = Math.floor(5_000 ** random());
  return String(rank).replace(/\d/g, (digit) => syllables[Number(digit)]);
};
const texts = [];
for (let at = 0; at < count; at++) {
  const messages = Array.from({ length: 20 }, () => {
    const text = Array.from({ length: 25 }, word).join(' ');
    return `<message from="${word()}">${text}</message>`;
  });
  const content = `<thread>${messages.join('')}</thread>`;
  texts.push(content.replace(/<[^>]*>/g, ' '));
  await call('store', { collection: `/db/c${at % 10}`, document_name: `${at}.xml`, content });
}

const began = performance.now();
await call('search', { query: 'ka' });
const first = performance.now() - began;

const scan = (query) => {
  const words = query.split(' ');
  const score = (text) => words.reduce((sum, one) => sum + text.toLowerCase().split(one).length - 1, 0);
  return texts
    .map((text, at) => ({ at, score: score(text) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 10);
};
const seen = { search: [], scan: [] };
for (let at = 0; at < calls; at++) {
  const query = `${word()} ${word()}`;
  let from = performance.now();
  await call('search', { query });
  seen.search.push(performance.now() - from);
  from = performance.now();
  scan(query);
  seen.scan.push(performance.now() - from);
}
await helve.close();
const at = (values, part) => values.sort((a, b) => a - b)[Math.floor(values.length * part)];
console.log({
  documents: count,
  'search p50, ms (≤ 20)': at(seen.search, 0.5).toFixed(1),
  'search p99, ms': at(seen.search, 0.99).toFixed(1),
  'plain scan p50, ms': at(seen.scan, 0.5).toFixed(1),
  'search to scan': (at(seen.search, 0.5) / at(seen.scan, 0.5)).toFixed(2),
  'first search, which builds the index, ms': first.toFixed(0),
});
