// Writes src/discovery/text/phrases-data.ts, which the index reads, from lexicon.json, which people write.
//   node scripts/discovery/write-phrases.js           writes the file
//   node scripts/discovery/write-phrases.js --check   fails if it is not up to date
import { readFileSync, writeFileSync } from 'node:fs';

const lexicon = JSON.parse(readFileSync(new URL('lexicon.json', import.meta.url), 'utf8'));
const target = new URL('../../src/discovery/text/phrases-data.ts', import.meta.url);

const maxLine = 110;

/** The phrases of some languages: `money back=refund payment | …`. */
function linesOf(isOf) {
  const lines = lexicon
    .filter(({ language }) => isOf(language))
    .map(({ phrase, words, language }) => {
      const start = language === 'en' ? '' : `${language}:`;
      return `${start}${phrase.toLowerCase()}=${words.flatMap((word) => word.toLowerCase().split(' ')).join(' ')}`;
    });
  const written = [''];
  for (const line of [...new Set(lines)].sort()) {
    const last = written.at(-1) ?? '';
    if (last.length + line.length > maxLine) written.push(line);
    else written[written.length - 1] = last === '' ? line : `${last} | ${line}`;
  }
  return written.map((line) => `  ${line}`).join('\n');
}

const text = `/**
 * Everyday phrases and what APIs say for them, from \`scripts/discovery/lexicon.json\`: written by
 * \`node scripts/discovery/write-phrases.js\`, so change it there.
 */
export const everydayPhrases = \`
${linesOf((language) => language === 'en')}\`;

/** The same in other languages. */
export const foreignPhrases = \`
${linesOf((language) => language !== 'en')}\`;
`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  console.error('src/discovery/text/phrases-data.ts is not up to date: run node scripts/discovery/write-phrases.js');
  process.exit(1);
}
