// How much an operator's own embeddings improve finding, depending on the quality of their model. No model is at hand
// offline, so these are stand-ins: `letters` hashes groups of letters, which is what a poor model does; `a = .2` is an
// oracle, whose vector of a request points to the right tool's by that cosine and is noise for the rest. The columns
// `alone` (finding only by the vectors) show how good such a model is. A real model is measured in the same way if
// HELVE_EMBEDDINGS_URL (`http://127.0.0.1:8080/v1`) and HELVE_EMBEDDINGS_MODEL name one; HELVE_EMBEDDINGS_KEY is its
// key. node bench/discovery/embeddings.js [corpora, comma-separated, or all] [every n-th request] [weights,
// comma-separated]
import { withConnected } from './connected.js';
import { corpora, isHere, readCorpus } from './corpora.js';
import { fromDist } from './dist.js';
import { askModel, letters, oracle } from './embedders.js';
import { measure } from './measures.js';
import { outOfScope } from './out-of-scope.js';

const { compare, createToolIndex, createVectorTable, embeddedText, normalised } = await fromDist('discovery/index.js');
const { atOnce } = await fromDist('util/slices.js');
const [, , given = 'composio,written,bundled', step = '1', weights = '1'] = process.argv;
if (!isHere()) {
  console.log('skipped: no ../shared/data/discovery');
  process.exit(0);
}

/** The models: each gives the vectors of tools, and that of a request whose right tools are known. */
async function createModels(tools, requests) {
  const texts = tools.map(embeddedText);
  if (process.env.HELVE_EMBEDDINGS_URL) {
    const [ofTools, ofRequests] = [await askModel(texts), await askModel(requests.map(({ text }) => text))];
    const byText = new Map(requests.map(({ text }, at) => [text, ofRequests[at]]));
    return { [process.env.HELVE_EMBEDDINGS_MODEL]: { ofTools, ofRequest: ({ text }) => byText.get(text) } };
  }
  const ofTools = texts.map(letters);
  const byId = new Map(tools.map(({ id }, at) => [id, ofTools[at]]));
  const oracles = [0.1, 0.15, 0.2, 0.3].map((cosine) => [
    `a = ${cosine}`,
    { ofTools, ofRequest: ({ relevant }) => oracle(relevant.map((id) => byId.get(id)).filter(Boolean), cosine) },
  ]);
  return { letters: { ofTools, ofRequest: ({ text }) => letters(text) }, ...Object.fromEntries(oracles) };
}

function report(set, { index, tools, models }, requests, toolkitsOf = () => undefined) {
  const run = (find) =>
    measure(requests.map((request) => ({ relevant: request.relevant, ms: 0, ...find(request, toolkitsOf(request)) })));
  const told = ({ hits, abstained, answer }) => {
    return { ids: hits.map(({ id }) => id), abstained, unsure: answer === 'perhaps' };
  };
  const rows = { 'without embeddings': run(({ text }, toolkits) => told(index.search(text, { toolkits }))) };
  for (const [name, { ofTools, ofRequest }] of Object.entries(models)) {
    const table = createVectorTable(ofTools[0].length);
    for (const [at, { id }] of tools.entries()) table.add(id, normalised(Array.from(ofTools[at])));
    const keyed = tools.map(({ id, toolkit }) => ({ id, toolkit, key: id }));
    const byId = new Map(keyed.map((one) => [one.id, one]));
    const nearness = (request, toolkits, weight = 1) => {
      const within = toolkits === undefined ? keyed : keyed.filter(({ toolkit }) => toolkits.includes(toolkit));
      return atOnce(
        compare(normalised(Array.from(ofRequest(request))), {
          table,
          tools: within,
          find: (id) => byId.get(id),
          weight,
        }),
      );
    };
    rows[`${name}, alone`] = run((request, toolkits) => {
      return { ids: nearness(request, toolkits).nearest.map(({ id }) => id), abstained: false };
    });
    for (const weight of weights.split(',').map(Number))
      rows[`${name}${weight === 1 ? '' : ` × ${weight}`}`] = run((request, toolkits) => {
        const found = nearness(request, toolkits, weight);
        const likeness = (text) => (text === request.text ? found : undefined);
        return told(index.search(request.text, { toolkits, likeness }));
      });
  }
  console.log(`\n${set}, ${requests.length} requests`);
  const shown = Object.entries(rows).map(([name, { r1, r3, r5, r10, ndcg10, declined, perhaps }]) => [
    name,
    Object.fromEntries(
      Object.entries({ r1, r3, r5, r10, ndcg10, declined, perhaps }).map(([key, value]) => [
        key,
        Number(value.toFixed(3)),
      ]),
    ),
  ]);
  console.table(Object.fromEntries(shown));
}

console.log(`${new Date().toISOString()}, every ${step}. request`);
for (const corpus of given === 'all' ? corpora : given.split(',')) {
  const { tools, sets } = await readCorpus(corpus);
  const index = await createToolIndex(tools);
  for (const [name, all] of Object.entries(sets)) {
    if (/typo|named|several|languages|one act/.test(name)) continue;
    const requests = all.filter((_, at) => at % Number(step) === 0);
    const parts = { index, tools, models: await createModels(tools, requests) };
    report(name, parts, requests);
    if (name === 'composio text') {
      // For an oracle, a request without a right tool is noise.
      const none = outOfScope.map(({ text }) => ({ text, relevant: [] }));
      report(`out of scope, ${corpus}`, { ...parts, models: await createModels(tools, none) }, none);
    }
    if (name !== 'written' && name !== 'composio text_noapp') continue;
    report(
      `${name}, the right app and nine others`,
      parts,
      withConnected(tools, requests, 'all', 9),
      (one) => one.connected,
    );
    report(`${name}, inside the app`, parts, withConnected(tools, requests, 'all', 0), (one) => one.connected);
  }
}
