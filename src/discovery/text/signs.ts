/** What a text says without a word for it: a file name speaks of a file, `19 %` of percent, `17 * 23` of arithmetic. */

const extensions =
  'avi|bak|bin|bmp|cfg|conf|css|csv|docx?|epub|gif|gz|html?|ini|ipynb|jpe?g|json|jsonl|js|key|log|md|mov|mp3|mp4|odt|ods|pdf|png|pptx?|py|rtf|sh|sql|svg|tar|tex|tiff?|toml|ts|tsv|txt|wav|webp|xlsx?|xml|ya?ml|zip';

/** Matches the end of a file name. */
export const fileEnding = new RegExp(String.raw`[\w)-]\.(?:${extensions})(?![\w@/])`, 'i');

const signs: readonly (readonly [form: RegExp, word: string])[] = [
  [fileEnding, 'file'],
  [/(?<![\w@./-])[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}\/\S/i, 'url'],
  [/\d ?%/, 'percent'],
  [/\d ?[+*×÷^] ?\d|\d [-/] \d/, 'arithmetic'],
];

/** The words that a text says by signs. An address is no file name. */
export function readSigns(text: string): string[] {
  const without = text.replace(/\S*(?::\/\/|@)\S*/g, ' ');
  return signs.filter(([form]) => form.test(without)).map(([, word]) => word);
}
