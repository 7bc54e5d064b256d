// Requests as people may write them, made from the documentation of operations. One seeded random source makes all choices,
// so the same pairs always give the same requests.
import { synonyms, verbClasses } from './language.js';

const thirdPerson = [
  [/^(?:returns|gets|retrieves|fetches) (?:a |the )?(?:paged |paginated |complete |full )?list of\b/i, 'list'],
  [/^lists\b/i, 'list'],
  [/^(?:returns|gets|retrieves|fetches)\b/i, 'get'],
  [/^(?:creates|adds)\b/i, (word) => word.slice(0, -1).toLowerCase()],
  [
    /^(?:deletes|removes|updates|modifies|sets|sends|cancels|starts|stops|searches|finds|uploads|downloads|moves|copies)\b/i,
    toBase,
  ],
  [/^([a-z]{3,})s\b(?= (?:a|an|the|all|one|your|this)\b)/i, toBase],
];
const openings = [
  '',
  '',
  '',
  '',
  '',
  '',
  'please ',
  'I want to ',
  'I need to ',
  'can you ',
  'help me ',
  'could you please ',
  'I would like to ',
];
const closings = [
  '',
  '',
  '',
  '',
  '',
  ' for me',
  ' please',
  ' today',
  ' so that I can share it with my team',
  ' for our project',
];
const joins = [' and ', ', then ', '. Also ', '. Additionally, ', '. Then, ', ' and also '];
const contexts = [
  'I am preparing a report for my company.',
  'We are planning an event next month.',
  'My team is working on a new project.',
  'As a manager, I need some help with this.',
  'I am doing some research for a friend.',
];
const values = [
  ' "Summer 2026"',
  ' named Alpha',
  ' with ID 83f2a1',
  ' 42',
  " called 'Weekly sync'",
  ' for jane@example.com',
  ' from last week',
];
const before = ['in ', 'in ', 'in ', 'on ', 'using ', 'via ', 'with ', 'from '];

function toBase(word) {
  const lower = word.toLowerCase();
  if (/(?:ches|shes|sses|xes|zes)$/.test(lower)) return lower.slice(0, -2);
  if (/[^aeiou]ies$/.test(lower)) return `${lower.slice(0, -3)}y`;
  return lower.slice(0, -1);
}

/** The first sentence as an instruction: `Returns a list of users.` becomes `list users`. Empty if it says too little. */
function toInstruction(text) {
  let sentence =
    text
      .replace(/\s+/g, ' ')
      .trim()
      .split(/(?<=[a-z)])[.;](?:\s|$)/)[0] ?? '';
  sentence = sentence.replace(
    /^(?:this (?:operation|endpoint|method|api|call) |description:? |purpose:? |use this (?:operation|endpoint|method|api) to )/i,
    '',
  );
  for (const [form, base] of thirdPerson) {
    if (!form.test(sentence)) continue;
    sentence = sentence.replace(form, base);
    break;
  }
  const words = sentence.split(' ');
  return words.length < 2
    ? ''
    : words
        .slice(0, 22)
        .join(' ')
        .replace(/[.:,]+$/, '');
}

const groups = new Map();
for (const group of [...verbClasses, ...synonyms]) for (const word of group) groups.set(word, group);

/** Replaces some words and leaves out others, because requests seldom use the words of the documentation. */
function vary(text, { chance, pick }, strength) {
  const words = text.split(' ');
  const kept = words.filter((_, at) => at === 0 || words.length < 5 || !chance(0.1 * strength));
  return kept
    .map((word) => {
      const group = groups.get(word.toLowerCase());
      return group !== undefined && chance(0.35 * strength) ? pick(group) : word;
    })
    .join(' ');
}

/** How guides tell people to look something up, regardless of the operation's name. */
const lookups = [
  (thing) => `find the ${thing} ID`,
  (thing) => `look up ${thing} IDs`,
  (thing) => `check if ${thing} already exists`,
  (thing) => `find the target ${thing}`,
  (thing) => `identify the right ${thing}`,
  (thing) => `verify ${thing}`,
  (thing) => `review ${thing}`,
  (thing) => `browse available ${thing}`,
  (thing) => `see what ${thing} there is`,
  (thing) => `${thing} overview`,
  (thing) => `drill into ${thing}`,
  (thing) => `what is the ${thing}`,
  (thing) => `which ${thing} are there`,
  (thing) => `tell me the ${thing}`,
];
const tails = [
  ' before updating',
  ' if unknown',
  ' (optional)',
  ' before the next step',
  ' by name',
  ' with filters and pagination',
  ' to confirm the result',
  ' for later use',
  ' after creation',
  ' when needed',
];
const readers = /^(?:get|list|fetch|retrieve|find|search|read|show|view|query|lookup|browse)$/i;
const narrowing = /^(?:by|for|in|from|of|with|to|that|which|on|and|or|using|based|given)$/;
const fillers = /\b(?:a|an|the|all|your|specific|new|existing)\b ?/g;

/** A step as a guide writes it: `find the project ID`, `verify webhook if unknown`. Undefined if there is nothing to name. */
function makeStep(pair, luck) {
  const [verb = ''] = toInstruction(pair.query).split(' ');
  const thing = thingOf(pair.query, 4);
  if (thing === undefined) return undefined;
  const said = readers.test(verb) && luck.chance(0.6) ? luck.pick(lookups)(thing) : `${verb} ${thing}`;
  return `${vary(said, luck, 0.5)}${luck.chance(0.5) ? luck.pick(tails) : ''}`;
}

/** One request for one operation, without its app. */
function single(pair, luck, text) {
  const step = luck.chance(0.2) ? makeStep(pair, luck) : undefined;
  if (step !== undefined) return step;
  const said = vary(toInstruction(text) || pair.name, luck, pair.hides === 'none' ? 1.5 : 1);
  const worded = `${luck.pick(openings)}${lowerFirst(said)}`;
  return `${worded}${luck.chance(0.2) ? luck.pick(values) : ''}`;
}

/** How people ask for information. */
const questions = [
  (thing) => `What is the ${thing}?`,
  (thing) => `what's the ${thing} here`,
  (thing) => `Can you tell me about the ${thing}?`,
  (thing) => `Do you know any ${thing}?`,
  (thing) => `I want to know the ${thing}.`,
  (thing) => `I'm curious about ${thing}`,
  (thing) => `I am looking for ${thing}. Can you help me?`,
  (thing) => `Could you recommend a ${thing}?`,
  (thing) => `Which ${thing} would you suggest?`,
  (thing) => `Where can I find ${thing}?`,
  (thing) => `How do I get ${thing}?`,
  (thing) => `is there any ${thing}`,
  (thing) => `I need some ${thing} for tonight`,
  (thing) => `How many ${thing} are there?`,
  (thing) => `I can't believe there is no ${thing}!`,
  (thing) => `my friend told me about ${thing}, can you find it for me?`,
];

/** A question for what an operation reads. Undefined if it does not read, or there is nothing to name. */
export function makeQuestion(pair, luck) {
  const [verb = ''] = toInstruction(pair.query).split(' ');
  const thing = thingOf(pair.query, 5);
  if (!readers.test(verb) || thing === undefined) return undefined;
  return luck.pick(questions)(thing);
}

/** What an operation works on, in at most so many words. */
function thingOf(query, most) {
  const [, ...rest] = toInstruction(query).split(' ');
  const cut = rest.findIndex((word, at) => at > 0 && narrowing.test(word));
  const named = (cut < 0 ? rest : rest.slice(0, cut)).join(' ').toLowerCase();
  const thing = named.replace(fillers, '').trim();
  return thing === '' || thing.split(' ').length > most ? undefined : thing;
}

const lowerFirst = (text) => (/^[A-Z][a-z]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text);

/** One sentence for several operations on one thing: `list, create or delete webhooks`. Undefined if that is not possible. */
export function makeSummary(pairs, luck) {
  const said = pairs
    .map((pair) => ({ pair, words: toInstruction(pair.query).split(' ') }))
    .filter(({ words }) => words.length > 1);
  const first = said[0];
  if (first === undefined) return undefined;
  const rest = first.words.slice(1).join(' ');
  const verbs = [...new Set(said.map(({ words }) => words[0].toLowerCase()))];
  if (verbs.length < 2) return undefined;
  const joined = `${verbs.slice(0, -1).join(', ')}${verbs.length > 2 ? ',' : ''} ${luck.chance(0.6) ? 'or' : 'and'} ${verbs.at(-1)}`;
  const bare = `${luck.pick(openings)}${joined} ${rest}`;
  const title = luck.chance(0.75) ? first.pair.title : first.pair.title.toLowerCase();
  return {
    text: luck.chance(0.35) ? bare : `${bare} ${luck.pick(before)}${title}`,
    relevant: said.map(({ pair }) => pair.id),
  };
}

/** Operations on the same thing: their instructions are the same after the verb. */
export function alike(tool, all) {
  const own = firstThingOf(tool);
  return [tool, ...all.filter((one) => one !== tool && own !== undefined && firstThingOf(one) === own)].slice(0, 4);
}

function firstThingOf({ query }) {
  const after = toInstruction(query).split(' ').slice(1, 4).join(' ').toLowerCase();
  return after.replace(fillers, '').split(' ')[0]?.replace(/s$/, '') || undefined;
}

/** A request for this operation and for `others`, as `{ text, relevant, app }`. */
export function makeRequest(pair, others, luck) {
  if (others.length > 0) {
    const all = [pair, ...others];
    const parts = all.map((one) => single(one, luck, one.query));
    const text = parts.slice(1).reduce((sum, part) => `${sum}${luck.pick(joins)}${part}`, parts[0]);
    const place = luck.chance(0.5)
      ? ` ${luck.pick(before)}${luck.chance(0.7) ? pair.title : pair.title.toLowerCase()}`
      : '';
    return {
      text: `${luck.chance(0.5) ? `${luck.pick(contexts)} ` : ''}${text}${place}.`,
      relevant: all.map(({ id }) => id),
    };
  }
  const bare = `${single(pair, luck, pair.query)}${luck.pick(closings)}`;
  if (luck.chance(0.45)) return { text: bare, relevant: [pair.id], isAnonymous: true };
  const title = luck.chance(0.75) ? pair.title : pair.title.toLowerCase();
  const text = luck.chance(0.12) ? `${title}: ${bare}` : `${bare} ${luck.pick(before)}${title}`;
  return { text, relevant: [pair.id] };
}
