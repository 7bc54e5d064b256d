/** `format`, when it is asserted. Supports the formats that TypeBox knows; an unknown format is ignored. */
import Format from 'typebox/format';

/** Longer texts match no format: no valid value is longer, and not every format test is fast. */
const maxLength = 10_000;

/** Steps (of `run.ts`) per test, in addition to those per character. */
export const formatSteps = 200;

export function findFormat(name: string): ((text: string) => boolean) | undefined {
  return Format.Has(name) ? bounded((text) => Format.Test(name, text)) : undefined;
}

const bounded =
  (test: (text: string) => boolean) =>
  (text: string): boolean =>
    text.length <= maxLength && test(text);
