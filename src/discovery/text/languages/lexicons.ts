/** The lexicons of all languages, each made when it is first needed. */
import { computedOnce } from '../../../util/computed-once.js';
import { foreignPhrases } from '../phrases-data.js';
import { chinese } from './chinese.js';
import { dutch } from './dutch.js';
import { french } from './french.js';
import { german } from './german.js';
import { italian } from './italian.js';
import { japanese } from './japanese.js';
import { createCharacterLexicon, createLatinLexicon, type LanguageData, type Lexicon } from './lexicon.js';
import { portuguese } from './portuguese.js';
import { spanish } from './spanish.js';
import type { LatinLanguage } from './stems.js';

export type Language = LatinLanguage | 'zh' | 'ja';

const latin = (language: LatinLanguage, data: LanguageData) =>
  computedOnce(() => createLatinLexicon(language, data, foreignPhrases));
const byCharacter = (language: Language, data: LanguageData) =>
  computedOnce(() => createCharacterLexicon(language, data, foreignPhrases));

export const lexicons: Readonly<Record<Language, () => Lexicon>> = {
  es: latin('es', spanish),
  pt: latin('pt', portuguese),
  fr: latin('fr', french),
  it: latin('it', italian),
  de: latin('de', german),
  nl: latin('nl', dutch),
  zh: byCharacter('zh', chinese),
  ja: byCharacter('ja', japanese),
};

export const latinLanguages: readonly LatinLanguage[] = ['es', 'pt', 'fr', 'it', 'de', 'nl'];
