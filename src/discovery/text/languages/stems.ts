/**
 * Light stemmers: they remove what distinguishes the forms of one word, in the same way from the words of a lexicon and
 * from those of a request. Stems are keys, not words.
 */

export type LatinLanguage = 'es' | 'pt' | 'fr' | 'it' | 'de' | 'nl';

const minStem = 3;
/** Endings that are removed: the first one that leaves enough of the word. */
const endings: Readonly<Record<LatinLanguage, readonly string[]>> = {
  es: list(`aciones iendo ieron ando amos emos imos aron ados adas idos idas aban ado ada ido ida aba are ar er ir an en
    as es os a e o s`),
  pt: list(
    'ando endo indo aram eram iram ados adas idos idas amos emos imos ado ada ido ida ar er ir am em as es os a e o s',
  ),
  fr: list('issez issons ees ez er ee ons ant ent es is it ir re e s x t'),
  it: list('ando endo iamo ati ate ato ata uti uto uta iti ito ita are ere ire ano ono a e i o'),
  de: list('est ern end en er em es et te st e t n s'),
  nl: list('en e t s n'),
};
/** Pronouns at the end of a verb: `envíamelo`, `mandarlo`. */
const clitics: Partial<Record<LatinLanguage, RegExp>> = {
  es: /(?<=..(?:[aeiznm]|[aei]r|ndo))(?:me|te|se|nos)?(?:l[aeo]s?)$|(?<=..(?:[aei]|[aei]r|ndo))(?:me|te|se|nos)$/,
  it: /(?<=..(?:[aei]|[aei]r|ndo))(?:mel|gliel|tel)?(?:mi|ti|si|ci|lo|la|li|le|ne|gli)$/,
};

/** A word in lower case, without accents, but for the Italian and Portuguese `is`: without its accent it says `and`. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (lower === 'è' || lower === 'é') return lower;
  return lower
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '');
}

/** The stem of a folded word, which may be a verb with pronouns. */
export function stemIn(language: LatinLanguage, word: string): string {
  return word.length <= minStem ? word : stemNoun(language, word.replace(clitics[language] ?? /$^/, ''));
}

/** The stem of a folded word that has no pronouns: `immagini` is no form of `immagi`. */
export function stemNoun(language: LatinLanguage, word: string): string {
  if (word.length <= minStem) return word;
  const own = prepare(language, word);
  const ending = endings[language].find((one) => own.endsWith(one) && own.length - one.length >= minStem);
  return finish(language, ending === undefined ? own : own.slice(0, -ending.length));
}

function prepare(language: LatinLanguage, word: string): string {
  // `loeschen` is how keyboards without umlauts write it.
  if (language === 'de')
    return word
      .replace(/ae/g, 'a')
      .replace(/oe/g, 'o')
      .replace(/(?<=[^aeq])ue/g, 'u');
  if (language === 'pt') return word.replace(/coes$/, 'cao').replace(/oes$/, 'ao');
  return word;
}

/** Spellings that depend on the ending: `busque` and `busca`, `maken` and `maak`. */
function finish(language: LatinLanguage, stem: string): string {
  if (language === 'es' || language === 'pt') return stem.replace(/qu$/, 'c').replace(/gu$/, 'g').replace(/z$/, 'c');
  if (language === 'it') return stem.replace(/h$/, '').replace(/i$/, '');
  if (language === 'de') return stem.length > minStem ? stem.replace(/t$/, '') : stem;
  if (language === 'nl')
    return stem
      .replace(/(?<=...)t$/, '')
      .replace(/([aeou])\1/g, '$1')
      .replace(/([b-df-hj-np-tv-z])\1$/, '$1')
      .replace(/v$/, 'f')
      .replace(/z$/, 's');
  return stem;
}

function list(text: string): string[] {
  return text.trim().split(/\s+/);
}
