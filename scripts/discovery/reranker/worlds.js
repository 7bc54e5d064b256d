// The catalogues that requests are put to, as different as those of installations: a large one of documentation, one of
// real apps with requests that people wrote, the bundled tools, and one without apps, whose tools all belong to one toolkit.
import { readFileSync } from 'node:fs';
import { bundledRequests, readBundledTools } from '../bundled.js';
import { drawRequest, openCatalogue } from './examine.js';
import { makeQuestion, makeRequest } from './requests.js';
import { createSpoken, drawSpoken, toSpokenTool, withTypos } from './spoken.js';

const here = (name) => new URL(`../${name}`, import.meta.url);
const linesOf = (name) => readFileSync(here(name), 'utf8').trim().split('\n');
const flatTools = 1_500;

/** Texts that no tool of any app serves. */
export const strangers = linesOf('strangers.txt');
/** Requests that need an app, such as a calendar: no bundled tool serves them. */
export const errands = linesOf('errands.txt');

/** Some names, often few as often as many. */
export function drawSome(names, most, luck) {
  const count = Math.floor(most ** luck.next());
  return Array.from({ length: count }, () => luck.pick(names));
}

/** Where a written request is put to: inside its app, among some apps, or to all. */
function drawScope({ names }, { needed, isNamed }, luck) {
  const pick = luck.next();
  if (pick < (isNamed ? 0.4 : 0.06)) return undefined;
  if (pick < 0.45) return needed;
  const others = Array.from({ length: pick < 0.75 ? 1 + luck.below(14) : 15 + luck.below(50) }, () => luck.pick(names));
  return [...new Set([...needed, ...others])];
}

async function openSpoken({ tools, requests }, vectors) {
  const catalogue = await openCatalogue(tools.map(toSpokenTool), vectors);
  const twins = JSON.parse(readFileSync(here('twins.json'), 'utf8'));
  const spoken = createSpoken(requests, catalogue.tools, twins);
  const draw = (luck) => {
    const request = drawSpoken(spoken, luck);
    return { ...request, toolkits: drawScope(catalogue, request, luck) };
  };
  return { ...catalogue, draw };
}

async function openWritten(pairs, vectors) {
  const catalogue = await openCatalogue(pairs, vectors);
  const draw = (words) => (luck) => {
    const request = drawRequest(catalogue, words, luck);
    return { ...request, needed: [request.toolkit], isNamed: request.isAnonymous !== true };
  };
  return { ...catalogue, draw };
}

/** Tools of many APIs without their names. Half of the requests ask for several. */
async function openFlat(pairs, vectors, luck) {
  const drawn = new Set(Array.from({ length: flatTools }, () => luck.pick(pairs)));
  const tools = [...drawn].map((tool) => ({
    ...tool,
    toolkit: 'tools',
    title: 'tools',
    description: tool.description || (luck.chance(0.7) ? tool.query : ''),
  }));
  const catalogue = await openCatalogue(tools, vectors);
  const drawAs = (isTalk) => (from) => {
    const tool = from.pick(tools);
    const others = from.chance(0.45)
      ? Array.from({ length: 1 + from.below(3) }, () => from.pick(tools)).filter(({ id }) => id !== tool.id)
      : [];
    const made = makeRequest({ ...tool, title: '' }, others, from);
    const question = isTalk && others.length === 0 && from.chance(0.4) ? makeQuestion(tool, from) : undefined;
    const { text, relevant } = question === undefined ? made : { text: question, relevant: [tool.id] };
    const bare = text.replace(/ (?:in|on|using|via|with|from) (?=\.|$)/, '').replace(/^: /, '');
    const said = isTalk && from.chance(0.2) ? `${from.pick(strangers)}. ${bare}` : bare;
    return {
      text: from.chance(0.05) ? withTypos(said, from) : said,
      relevant: [...new Set(relevant)],
      toolkit: 'tools',
      needed: ['tools'],
      isNamed: false,
    };
  };
  return { ...catalogue, draw: drawAs(false), drawTalk: drawAs(true) };
}

export async function openBundled(vectors) {
  const tools = await readBundledTools();
  const catalogue = await openCatalogue(tools, vectors);
  const known = new Set(tools.map(({ id }) => id));
  const requests = bundledRequests.filter(({ relevant }) => relevant.every((id) => known.has(id)));
  const draw = (luck) => {
    const { text, relevant } = luck.pick(requests);
    const needed = [...new Set(relevant.map((id) => id.split('/')[0]))];
    const toolkits = luck.chance(0.6) ? undefined : [...new Set([...needed, ...drawSome(catalogue.names, 20, luck)])];
    return {
      text: luck.chance(0.12) ? withTypos(text, luck) : text,
      origin: text,
      relevant,
      toolkit: needed[0],
      needed,
      toolkits,
      isNamed: false,
    };
  };
  return { ...catalogue, draw };
}

/**
 * All worlds by name. Each has `draw(luck)`, which gives a request with its right tools and the toolkits it may use; some have
 * `drawTalk(luck)`, which puts it as people talk to each other.
 */
export async function openWorlds({ tools, written, words, vectors, luck }) {
  const documented = await openWritten(tools, vectors);
  return {
    documented: { ...documented, draw: documented.draw(words) },
    spoken: await openSpoken(written, vectors),
    flat: await openFlat(tools, vectors, luck),
    bundled: await openBundled(vectors),
  };
}
