/**
 * Turns a document into what PDF and Word need: one stream of blocks. Blocks that these formats cannot hold are refused
 * by name.
 */
import { plainText } from './inline.js';
import type { Block, Document, Flow } from './model.js';
import { toTable } from './read-sheet.js';
import { refuse } from './refuse.js';

export function toFlow(document: Document, format: 'pdf' | 'docx'): Flow[] {
  const { title, blocks } = document;
  const [first] = blocks;
  const flow = blocks.flatMap((block) => inFlow(block, document, format));
  const named = first?.type === 'heading' && plainText(first.runs).trim() === title?.trim();
  if (title === undefined || named) return flow;
  return [{ type: 'heading', place: 'title', level: 1, runs: [{ text: title }] }, ...flow];
}

function inFlow(block: Block, { notes }: Document, format: string): Flow[] {
  const { place } = block;
  if (block.type === 'slide') {
    const hint = 'Write its parts as heading, paragraph and list blocks, or use format pptx.';
    return refuse(`${place} is a slide, which a ${format} cannot hold`, hint);
  }
  if (block.type !== 'sheet') return [block];
  notes.push(`${place}: the sheet “${block.name}” became a heading and a table.`);
  return [{ type: 'heading', place, level: 2, runs: [{ text: block.name }] }, toTable(block, format)];
}
