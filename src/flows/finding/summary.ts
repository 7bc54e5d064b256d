/** A tool's description in a few words: its first sentence, truncated at a word. */
import type { Tool } from '../../domain/tool.js';

const defaultMax = 72;

export function describeSummary(
  { description, title }: Pick<Tool, 'description' | 'title'>,
  maxCharacters = defaultMax,
): string {
  const text = description.replaceAll(/\s+/g, ' ').trim() || title;
  const sentence = /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
  const plain = sentence.replace(/[.\s]+$/, '');
  if (plain.length <= maxCharacters) return plain;
  const end = plain.lastIndexOf(' ', maxCharacters - 1);
  return `${plain.slice(0, end > maxCharacters / 2 ? end : maxCharacters - 1)}…`;
}
