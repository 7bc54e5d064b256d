/**
 * Finds equal definitions, comments included, so that they share one type. Tools of one service often contain copies of
 * the same definitions. Starts with all that look alike without references, and splits those whose references lead to
 * different classes, until nothing splits any more (which also finds equal recursive types).
 */
import type { Definition } from './node.js';
import { type RenderOptions, render } from './render.js';

const maxRounds = 12;

/** Returns each definition with the one that represents it. */
export function fold(definitions: readonly Definition[], cuts: RenderOptions['cuts']): Map<Definition, Definition> {
  let classes = new Map<Definition, number>();
  for (let round = 0; round < maxRounds; round += 1) {
    const next = classify(definitions, classes, cuts);
    const [before, after] = [new Set(classes.values()).size, new Set(next.values()).size];
    classes = next;
    if (before === after) return representatives(definitions, classes);
  }
  return new Map(definitions.map((definition) => [definition, definition]));
}

function classify(
  definitions: readonly Definition[],
  classes: ReadonlyMap<Definition, number>,
  cuts: RenderOptions['cuts'],
): Map<Definition, number> {
  const byText = new Map<string, number>();
  const getName = (definition: Definition): string => `#${classes.get(definition) ?? ''}`;
  return new Map(
    definitions.map((definition) => {
      const text = render(definition.node, { cuts, getName });
      const found = byText.get(text) ?? byText.size;
      byText.set(text, found);
      return [definition, found];
    }),
  );
}

/** A definition with a requested name represents the others of its class. */
function representatives(
  definitions: readonly Definition[],
  classes: ReadonlyMap<Definition, number>,
): Map<Definition, Definition> {
  const first = new Map<number, Definition>();
  const sorted = [...definitions].sort((a, b) => Number(b.name !== undefined) - Number(a.name !== undefined));
  for (const definition of sorted) {
    const own = classes.get(definition) ?? -1;
    if (!first.has(own)) first.set(own, definition);
  }
  return new Map(definitions.map((definition) => [definition, first.get(classes.get(definition) ?? -1) ?? definition]));
}
