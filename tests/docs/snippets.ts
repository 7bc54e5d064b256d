/** The snippets of a Markdown page, in order. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Snippet {
  readonly language: string;
  readonly text: string;
}

/** `page`: path from the repository's root. */
export function readSnippets(page: string): readonly Snippet[] {
  const text = readFileSync(`${root}${page}`, 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    text: body,
  }));
}

/** The snippets of one language as one text, as a reader copies them from the top. */
export function joinSnippets(page: string, ...languages: readonly string[]): string {
  return readSnippets(page)
    .filter(({ language }) => languages.includes(language))
    .map(({ text }) => text)
    .join('\n');
}
