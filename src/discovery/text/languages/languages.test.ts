/** Requests in eight languages: recognised, translated word by word, and answered like the same in English. */
import { describe, expect, it } from 'vitest';
import { checkIntent } from '../../capability.js';
import { createToolIndex } from '../../index.js';
import { loadWordVectors } from '../../semantic/word-vectors.js';
import { requests, tools } from '../../tests/translated-requests.js';
import { detectLanguage } from './detect.js';
import { toEnglish, translate } from './translate.js';

const vectors = await loadWordVectors();
const isEnglish = (word: string) => {
  const row = vectors.find(word);
  return row >= 0 && vectors.word(row) === word;
};
const index = await createToolIndex(tools);
const isFound = (text: string, tool: string, most: number) =>
  index.search(text, { limit: most }).hits.some(({ id }) => id === tool);

it('R-tiers: the language is recognised by its words, and English is never taken for another', () => {
  const recognised = requests.filter(({ text, language }) => detectLanguage(text, isEnglish) === language);
  expect(recognised.length / requests.length).toBeGreaterThan(0.95);
  for (const { english } of requests) expect(detectLanguage(english, isEnglish), english).toBeUndefined();
  for (const text of ['delte costumer "factura"', 'send 你好 to the general channel', 'map the van locations', ''])
    expect(detectLanguage(text, isEnglish), text).toBeUndefined();
});

it('R-tiers: a translated request finds what the English one finds: R@5 at least .85 of its, in each language too', () => {
  const languages = [...new Set(requests.map(({ language }) => language))];
  expect(languages).toHaveLength(8);
  const count = (all: typeof requests, key: 'text' | 'english', most: number) =>
    all.filter((one) => isFound(one[key], one.tool, most)).length;
  expect(count(requests, 'english', 5)).toBeGreaterThan(0.95 * requests.length);
  expect(count(requests, 'text', 5)).toBeGreaterThanOrEqual(0.85 * count(requests, 'english', 5));
  expect(count(requests, 'text', 1)).toBeGreaterThanOrEqual(0.85 * count(requests, 'english', 1));
  for (const language of languages) {
    const all = requests.filter((one) => one.language === language);
    expect(count(all, 'text', 5), language).toBeGreaterThanOrEqual(0.75 * count(all, 'english', 5));
  }
});

describe('R-capability: what is asked for is read in other languages', () => {
  it.each([
    ['de', 'lege eine Rechnung an und schick sie dem Kunden', 'create a invoice and send it the customer'],
    ['de', 'die Kalendereinträge von morgen löschen', 'delete the calendar item of tomorrow'],
    ['es', 'envíamelo por correo', 'send for email'],
    ['fr', "crée-la et envoie l'e-mail", 'create the and send the email'],
    ['ja', 'GitHubで課題を作成して', 'create in GitHub issue'],
    ['zh', '在GitHub上创建一个议题', 'create in GitHub in issue'],
    ['nl', 'voeg een opmerking toe', 'add a comment'],
    ['it', 'eliminala', 'delete'],
  ] as const)('%s: %s', (language, text, english) => {
    expect(toEnglish(text, language)).toBe(english);
  });

  it('a tool that does something else is refused for a request in any language', () => {
    const remove = { toolkit: 'postino', name: 'delete_email', description: 'Deletes an email.' };
    const send = { toolkit: 'postino', name: 'send_email', description: 'Sends an email.' };
    for (const text of [
      'envía un correo a Ana con la factura',
      'bitte schicke die E-Mail an meinen Kunden',
      '给客户发送一封邮件',
      'お客様にメールを送って',
    ]) {
      expect(checkIntent(text, send), text).toEqual({ fits: true });
      expect(checkIntent(text, remove), text).toMatchObject({ fits: false });
    }
    expect(checkIntent('borra el correo de ayer, por favor', remove)).toEqual({ fits: true });
  });
});

it('R-tiers: what happened or is asked keeps the order of the text, so that no verb in it looks like what is to be done', () => {
  for (const [language, text, english] of [
    ['es', '¿quién ha enviado la factura?', 'who send the invoice ?'],
    ['nl', 'wie kan de factuur betalen?', 'who want the invoice pay ?'],
    ['de', 'der Kunde hat die Rechnung bezahlt', 'the customer want the invoice pay'],
    ['de', 'bitte die Rechnung bezahlen', 'pay the invoice'],
    ['de', 'Trag den Termin ein', 'add the appointment'],
  ] as const)
    expect(toEnglish(text, language).replace(/ (?:it|now)(?= )/g, ''), text).toBe(english);
});

it('R-tiers: a word borrowed from English is read as it is, a capital inside a text as a name', () => {
  const kindOf = (text: string) => translate(text, 'it', isEnglish).at(-1)?.kind;
  expect(kindOf('apri il backlog')).toBe('noun');
  expect(kindOf('apri il Backlog')).toBe('unknown');
});

it('R-tiers: the end of a noun is no pronoun: the plural of an Italian noun is read like its singular', () => {
  expect(toEnglish('cerca immagini', 'it')).toBe('search image');
  expect(toEnglish('mostra le riunioni', 'it')).toContain('meeting');
});

it('R-tiers: everyday things are read, and short requests are recognised by their small words', () => {
  for (const [language, text, english] of [
    ['nl', 'haal kamer 4 eruit', 'get room "4" there'],
    ['nl', 'is de kamer verhuurd?', 'is the room rent ?'],
    ['pt', 'cadê o seguro do apartamento?', 'where the insurance of apartment ?'],
    ['fr', 'rien dans la corbeille ?', 'no in the trash ?'],
    ['es', 'nadie vendió el piso', 'who vendió the apartment'],
    ['de', 'raus damit, Müll', 'out there , trash'],
  ] as const) {
    expect(detectLanguage(text, isEnglish), text).toBe(language);
    expect(toEnglish(text, language)).toBe(english);
  }
});
