/** Names of sheets: at most 31 characters, and unique in any combination of upper and lower case. */
import type { Document } from '../model.js';
import { refuse } from '../refuse.js';

export interface Names {
  /** Returns a name that nothing else in the workbook has. */
  free(wanted: string): string;
}

export function createNames({ blocks }: Document): Names {
  const taken = new Set<string>();
  for (const block of blocks) {
    if (block.type !== 'sheet') continue;
    if (taken.has(block.name.toLowerCase())) {
      refuse(`${block.place}: there are two sheets “${block.name}”`, 'Give each sheet a different name.');
    }
    taken.add(block.name.toLowerCase());
  }
  return {
    free(wanted) {
      const clean = wanted.replace(/[\\/?*[\]:\n\r\t]/g, ' ').replace(/^[' ]+|[' ]+$/g, '');
      const stem = /^(history)?$/i.test(clean) ? 'Sheet' : clean;
      for (let number = 1; ; number += 1) {
        const end = number === 1 ? '' : ` ${number}`;
        const name = cut(stem, 31 - end.length) + end;
        if (taken.has(name.toLowerCase())) continue;
        taken.add(name.toLowerCase());
        return name;
      }
    },
  };
}

/** Never cuts through a character, and leaves no quote or space at the end. */
function cut(text: string, length: number): string {
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length > length) break;
    kept += character;
  }
  return kept.replace(/[' ]+$/, '');
}
