/**
 * Which definitions say the same, comments and all: they share one type. Tools of one service mostly carry copies of the
 * same definitions. Begins with all that look alike when references are left out, and splits what differs in where its
 * references lead, until nothing splits any more (so that recursive types are found equal too).
 */
import type { Definition } from './node.js';
import { type RenderOptions, render } from './render.js';

const maxRounds = 12;

/** Each definition with the one that stands for it. */
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
  const nameOf = (definition: Definition): string => `#${classes.get(definition) ?? ''}`;
  return new Map(
    definitions.map((definition) => {
      const text = render(definition.node, { cuts, nameOf });
      const found = byText.get(text) ?? byText.size;
      byText.set(text, found);
      return [definition, found];
    }),
  );
}

/** A definition that somebody asked for by name stands for the others of its class. */
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
