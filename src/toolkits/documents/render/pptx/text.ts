/** Runs as pptxgenjs takes them. */

import { colours, rightToLeft } from '../look.js';
import type { Run } from '../model.js';
import type { TextProps, TextPropsOptions } from './library.js';

/** A line break inside a paragraph is written as a new run that begins with the break. */
export function textProps(runs: readonly Run[], look: TextPropsOptions = {}): TextProps[] {
  return runs.flatMap((run) =>
    run.text.split(/\r\n?|[\n\u2028\u2029]/).map((text, index) => ({
      text,
      options: { color: colours.text, ...look, ...getOptions(run), ...(index > 0 ? { softBreakBefore: true } : {}) },
    })),
  );
}

function getOptions({ text, bold, italic, code, strike, link }: Run): TextPropsOptions {
  return {
    ...(bold ? { bold: true } : {}),
    ...(italic ? { italic: true } : {}),
    ...(strike ? { strike: 'sngStrike' as const } : {}),
    ...(code ? { fontFace: 'Courier New' } : {}),
    ...(link === undefined ? {} : { hyperlink: { url: link }, color: colours.link }),
    ...(rightToLeft.test(text) ? { rtlMode: true } : {}),
  };
}
