/** `format`, for those that hold to it. What TypeBox knows; a name that it does not know says nothing. */
import Format from 'typebox/format';

/** Longer texts have no format: none of them is longer, and not every test of one is quick. */
const longest = 10_000;

/** Steps (of `run.ts`) of a test, beside those for each character. */
export const formatSteps = 200;

export function findFormat(name: string): ((text: string) => boolean) | undefined {
  return Format.Has(name) ? bounded((text) => Format.Test(name, text)) : undefined;
}

const bounded =
  (test: (text: string) => boolean) =>
  (text: string): boolean =>
    text.length <= longest && test(text);
