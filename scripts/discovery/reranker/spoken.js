// Requests that people wrote, and what else can be made of them: with an error of hands, with or without the app's name, two
// in one. What is said of the words of a request stays true: its right tools, and the wrong ones it is confused with.
import { ownName } from '../written.js';

const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const neighbours = new Map(
  rows.flatMap((row) => [...row].map((key, at) => [key, [row[at - 1], row[at + 1]].filter(Boolean)])),
);
const joins = [' and ', ', then ', '. Also ', ' and also ', ', and after that ', '; '];
const withApp = [
  (text, app) => `${text} in ${app}`,
  (text, app) => `${text} on ${app}`,
  (text, app) => `${app}: ${text}`,
  (text, app) => `in ${app}, ${text}`,
  (text, app) => `use ${app} to ${text}`,
  (text, app) => `${text} (${app})`,
];

function mistype(word, luck) {
  const at = 1 + luck.below(word.length - 2);
  const letter = word[at];
  const forms = [
    word.slice(0, at) + word[at + 1] + letter + word.slice(at + 2),
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + luck.pick(neighbours.get(letter) ?? [letter]) + word.slice(at + 1),
  ];
  return luck.pick(forms);
}

/** One or two words of four letters or more, written with an error. */
export function withTypos(text, luck) {
  const parts = text.split(/(\P{L}+)/u);
  const places = parts.flatMap((part, at) => (/^[a-z]{4,}$/i.test(part) ? [at] : []));
  if (places.length === 0) return text;
  for (let left = 1 + luck.below(2); left > 0; left--) {
    const place = luck.pick(places);
    if (parts[place].length >= 4) parts[place] = mistype(parts[place], luck);
  }
  return parts.join('');
}

const escapeForm = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The text without the app's name; undefined if the name is not simply left out. */
function withoutApp(text, app) {
  const name = escapeForm(app);
  const forms = [
    new RegExp(`^${name}[:,]\\s*`, 'i'),
    new RegExp(`[,(]?\\s*\\b(?:in|on|from|with|using|via|to|into|at) (?:our |my |the )?${name}\\b\\)?`, 'i'),
    new RegExp(`\\b${name} `, 'i'),
  ];
  for (const form of forms) {
    const left = text.replace(form, '').trim();
    if (left !== text && left.split(' ').length > 2 && !new RegExp(name, 'i').test(left)) return left;
  }
  return undefined;
}

const lowerFirst = (text) => (/^[A-Z][a-z]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text);

/** As `{ id, toolkit, title, name, description, parameters }`, like the tools of every training catalogue. */
export const toSpokenTool = (tool) => ({
  id: tool.id,
  toolkit: tool.app.toLowerCase(),
  title: tool.app_name,
  name: ownName(tool),
  description: [tool.title, tool.description].filter(Boolean).join('. '),
  parameters: Object.keys(tool.parameters ?? {}),
});

/** Requests of a catalogue, ready to draw from. `twins` are groups of tools that do the same. */
export function createSpoken(requests, tools, twins) {
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  const known = requests.map((request) => {
    const { toolkit, title } = byId.get(request.tools[0]);
    return {
      ...request,
      toolkit,
      title,
      same: twins.filter((group) => group.some((id) => request.tools.includes(id))).flat(),
    };
  });
  const groups = new Map();
  for (const request of known) groups.set(request.toolkit, [...(groups.get(request.toolkit) ?? []), request]);
  return { known, groups };
}

/** Changes whether the text names its app. */
function renamed({ text, app, title }, luck) {
  if (app === 'named') {
    const bare = luck.chance(0.3) ? withoutApp(text, title) : undefined;
    return { text: bare ?? text, isNamed: bare === undefined };
  }
  if (!luck.chance(0.3)) return { text, isNamed: false };
  const said = luck.pick(withApp)(
    lowerFirst(text.replace(/[.!]$/, '')),
    luck.chance(0.7) ? title : title.toLowerCase(),
  );
  return { text: said, isNamed: true };
}

/** Draws a request: `{ text, relevant, not, same, toolkit, toolkitsNeeded, isNamed, language }`. */
export function drawSpoken({ known, groups }, luck) {
  const first = luck.pick(known);
  const all = [first];
  if (first.kind !== 'several' && luck.chance(0.15)) {
    const second = luck.pick(luck.chance(0.7) ? groups.get(first.toolkit) : known);
    if (second !== first && second.language === first.language && second.kind !== 'several') all.push(second);
  }
  const said = all.map((request) => renamed(request, luck));
  const text = said.slice(1).reduce((sum, part) => sum + luck.pick(joins) + lowerFirst(part.text), said[0].text);
  const relevant = [...new Set(all.flatMap(({ tools }) => tools))];
  return {
    text: luck.chance(0.12) ? withTypos(text, luck) : text,
    origin: first.text,
    relevant,
    not: all.flatMap((request) => request.not).filter((id) => !relevant.includes(id)),
    same: all.flatMap(({ same }) => same).filter((id) => !relevant.includes(id)),
    toolkit: first.toolkit,
    needed: [...new Set(all.map(({ toolkit }) => toolkit))],
    isNamed: said.every(({ isNamed }) => isNamed),
    language: first.language,
  };
}
