/**
 * Finds the text of an HTML document that nobody sees: text that is not displayed, has no size, or has the colour of what is
 * behind it. Such text is written for models and not for readers. Considered are attributes, inline styles, and rules of style
 * sheets for a name, a class or an id. This is no renderer: when in doubt, text counts as seen.
 */

type Colour = readonly [red: number, green: number, blue: number];

/** How the text of an element looks. */
export interface Look {
  /** Inner elements cannot undo it. */
  readonly isRemoved: boolean;
  readonly isInvisible: boolean;
  readonly isTiny: boolean;
  /** Undefined if unknown. */
  readonly colour: Colour | undefined;
  readonly background: Colour | undefined;
}

export const pageLook: Look = {
  isRemoved: false,
  isInvisible: false,
  isTiny: false,
  colour: [0, 0, 0],
  background: [255, 255, 255],
};

export function isSeen({ isRemoved, isInvisible, isTiny, colour, background }: Look): boolean {
  return !isRemoved && !isInvisible && !isTiny && !isAlike(colour, background);
}

/** Whether nobody can tell text of the one colour from a ground of the other; false if either is unknown. */
export function isAlike(colour: Colour | undefined, background: Colour | undefined): boolean {
  return (
    colour !== undefined &&
    background !== undefined &&
    colour.every((part, at) => Math.abs(part - (background[at] ?? 0)) <= 12)
  );
}

export interface StyledElement {
  /** In small letters. */
  readonly name: string;
  attribute(name: string): string | undefined;
}

type Declarations = ReadonlyMap<string, string>;

interface Rule {
  readonly name: string;
  readonly others: readonly string[];
  readonly declarations: Declarations;
  readonly order: number;
}

/** Returns what the rules of style sheets say about an element. */
export type StyleRules = (element: StyledElement) => Declarations;

const maxRules = 5_000;
/** Of those that end in the same name, class or id. An honest style sheet has few of them that matter here. */
const maxAlike = 50;
const maxRemembered = 5_000;
const nothing: Declarations = new Map();
const considered =
  /^(?:display|visibility|opacity|font-size|color|background(?:-color|-image)?|overflow|(?:max-)?height|mso-hide|text-indent|position|left|top)$/;

/** Reads the rules of a style sheet that could hide text. What is inside an at-rule does not count, such as rules for small screens. */
export function readStyleRules(css: string): StyleRules {
  const rules = listRules(css);
  const known = new Map<string, Declarations>();
  if (rules.size === 0) return () => nothing;
  return (element) => {
    const [classes = '', id = ''] = [element.attribute('class'), element.attribute('id')];
    const key = JSON.stringify([element.name, classes, id]);
    const found =
      known.get(key) ??
      findDeclarations(rules, element.name, [...classes.split(/\s+/, 50).map((one) => `.${one}`), `#${id}`]);
    if (known.size < maxRemembered) known.set(key, found);
    return found;
  };
}

function findDeclarations(
  rules: ReadonlyMap<string, readonly Rule[]>,
  name: string,
  marks: readonly string[],
): Declarations {
  const isOf = (rule: Rule): boolean =>
    (rule.name === '' || rule.name === '*' || rule.name === name) && rule.others.every((one) => marks.includes(one));
  const matching = ['*', name, ...new Set(marks)]
    .flatMap((key) => (rules.get(key) ?? []).filter(isOf))
    .sort((one, other) => one.order - other.order);
  return new Map(matching.flatMap(({ declarations }) => [...declarations]));
}

/** By the last class or id of the selector, or by its element name. */
function listRules(css: string): Map<string, Rule[]> {
  const rules = new Map<string, Rule[]>();
  const grounds = new Set<string>();
  let order = 0;
  for (const { selectors, body } of splitRules(css)) {
    const declarations = readDeclarations(body);
    for (const selector of declarations.size === 0 ? [] : selectors) {
      order += 1;
      if (order > maxRules) return rules;
      const rule = readSelector(selector.trim(), declarations, order);
      if (rule === undefined || (rule.isGround && grounds.has(rule.last))) continue;
      const alike = rules.get(rule.key) ?? [];
      if (alike.length < maxAlike) rules.set(rule.key, [...alike, rule]);
      if (rule.isGround) grounds.add(rule.last);
    }
  }
  return rules;
}

/** The rules outside of at-rules. */
function splitRules(css: string): { selectors: readonly string[]; body: string }[] {
  const rules: { selectors: readonly string[]; body: string }[] = [];
  let depth = 0;
  for (const piece of withoutComments(css).split('}')) {
    const [head = '', ...bodies] = piece.split('{');
    const [body] = bodies;
    // A piece that closes an at-rule has no `{` of its own.
    const isOutside = depth === 0 && bodies.length === 1;
    depth = Math.max(0, depth + bodies.length - 1);
    if (isOutside && body !== undefined)
      rules.push({ selectors: (head.split(';').at(-1) ?? '').split(',', maxRules), body });
  }
  return rules;
}

function withoutComments(css: string): string {
  let rest = '';
  let at = 0;
  for (;;) {
    const start = css.indexOf('/*', at);
    rest += css.slice(at, start < 0 ? css.length : start);
    const end = start < 0 ? -1 : css.indexOf('*/', start + 2);
    if (end < 0) return rest.replaceAll(/<!--|-->/g, '');
    at = end + 2;
  }
}

/** Of a selector with several steps only the ground is kept, as unknown: whether the others hold for an element is not looked up. */
function readSelector(selector: string, declarations: Declarations, order: number) {
  const [last = '', ...before] = selector.split(/[\s>+~]+/).reverse();
  const [, name = '', rest = ''] = /^([a-z][a-z0-9]*|\*)?((?:[.#][\w-]+)*)$/i.exec(last) ?? [];
  const isGround = before.length > 0;
  const kept = isGround ? groundOnly(declarations) : declarations;
  if ((name === '' && rest === '') || kept.size === 0) return undefined;
  const others = rest.match(/[.#][\w-]+/g) ?? [];
  const key = others.at(-1) ?? name.toLowerCase();
  return { name: name.toLowerCase(), others, declarations: kept, order, key, last, isGround };
}

const groundOnly = (declarations: Declarations): Declarations =>
  new Map([...declarations.keys()].some((name) => name.startsWith('background')) ? [['background', 'unknown']] : []);

function readDeclarations(body: string): Declarations {
  const declarations = new Map<string, string>();
  for (const piece of body.split(';')) {
    const colon = piece.indexOf(':');
    const name = piece.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!considered.test(name)) continue;
    const value = piece.slice(colon + 1, colon + 300).toLowerCase();
    declarations.set(name, value.replace('!important', '').trim());
  }
  return declarations;
}

/** How the text of an element looks, from the look of the element around it. */
export function lookOf(around: Look, element: StyledElement, rules: StyleRules): Look {
  const style = stylesOf(element, rules);
  if (style.size === 0 && lookAttributes.every((name) => element.attribute(name) === undefined)) return around;
  const given = (name: string) => element.attribute(name)?.toLowerCase();
  const look = {
    ...around,
    background: groundOf(style, element, around.background),
    colour: colourOf(style.get('color') ?? given('color'), around),
  };
  // Pages hide the whole of themselves until a program of theirs has run.
  if (/^(?:html|body)$/.test(element.name)) return look;
  const visibility = style.get('visibility');
  const size = style.get('font-size');
  return {
    ...look,
    isRemoved: around.isRemoved || given('hidden') !== undefined || isRemovedBy(style),
    isInvisible: visibility === undefined ? around.isInvisible : /^(?:hidden|collapse)/.test(visibility),
    isTiny: size === undefined || isRelative.test(size) ? around.isTiny || isZero(size) : isTinySize(size),
  };
}

const lookAttributes = ['hidden', 'color', 'bgcolor', 'background'];

const isRelative = /^(?:inherit|[\d.]+r?em|[\d.]+%)$/;

const colourOf = (given: string | undefined, { colour, background }: Look): Colour | undefined =>
  given === undefined || given === 'inherit' ? colour : readColour(given, background);

function stylesOf(element: StyledElement, rules: StyleRules): Declarations {
  const ruled = rules(element);
  const written = element.attribute('style');
  if (written === undefined) return ruled;
  const inline = readDeclarations(written);
  return ruled.size === 0 ? inline : new Map([...ruled, ...inline]);
}

function isRemovedBy(style: Declarations): boolean {
  const is = (name: string, value: RegExp): boolean => value.test(style.get(name) ?? '');
  const opacity = style.get('opacity');
  return (
    is('display', /^none/) ||
    is('mso-hide', /^all/) ||
    (opacity !== undefined && Number.parseFloat(opacity) <= 0.05) ||
    (is('overflow', /^hidden/) && (isZero(style.get('height')) || isZero(style.get('max-height')))) ||
    is('text-indent', farAway) ||
    (is('position', /^(?:absolute|fixed)/) && (is('left', farAway) || is('top', farAway)))
  );
}

const farAway = /^-\d{3,}/;

const isZero = (length: string | undefined): boolean =>
  length !== undefined && /^0*\.?0*(?:[a-z%]+)?$/.test(length) && /^[0.]/.test(length);

const isTinySize = (size: string): boolean => /^[\d.]+(?:px|pt)?$/.test(size) && Number.parseFloat(size) <= 1;

/** Undefined if the ground is a picture, or a colour that is not known. */
function groundOf(style: Declarations, element: StyledElement, behind: Colour | undefined): Colour | undefined {
  if (element.attribute('background') !== undefined) return undefined;
  const given = [...style].flatMap(([name, value]) => (name.startsWith('background') ? [value] : [])).join(' ');
  const text = given === '' ? (element.attribute('bgcolor')?.slice(0, 300).toLowerCase() ?? '') : given;
  if (/url\(|gradient|var\(/.test(text)) return undefined;
  const words = text.match(/#[0-9a-f]{3,8}|rgba?\([^()]*\)|[a-z]+/g) ?? [];
  if (words.every((word) => /^(?:none|transparent|inherit|initial|unset)$/.test(word))) return behind;
  return words.map((word) => readColour(word, behind)).find((colour) => colour !== undefined);
}

/** The named colours that occur as those of paper and of print. */
const named: Readonly<Record<string, Colour>> = {
  white: [255, 255, 255],
  snow: [255, 250, 250],
  ivory: [255, 255, 240],
  ghostwhite: [248, 248, 255],
  floralwhite: [255, 250, 240],
  whitesmoke: [245, 245, 245],
  black: [0, 0, 0],
};

/** Undefined for a colour that is not known; what is transparent has the colour behind it. */
export function readColour(text: string, behind: Colour | undefined): Colour | undefined {
  if (text === 'transparent') return behind;
  const known = Object.hasOwn(named, text) ? named[text] : undefined;
  if (known) return known;
  const digits = /^#?([0-9a-f]{3,8})$/.exec(text)?.[1];
  if (digits?.length === 3 || digits?.length === 4)
    return ofParts(
      [...digits].map((one) => one + one),
      behind,
    );
  if (digits?.length === 6 || digits?.length === 8) return ofParts(digits.match(/../g) ?? [], behind);
  const parts = /^rgba?\(([^)]*)\)$/
    .exec(text)?.[1]
    ?.split(/[\s,/]+/)
    .filter(Boolean);
  if (parts === undefined || parts.length < 3) return undefined;
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts.map((part, at) =>
    part.endsWith('%') ? (Number.parseFloat(part) / 100) * (at < 3 ? 255 : 1) : Number.parseFloat(part),
  );
  return alpha <= 0.05 ? behind : [red, green, blue];
}

function ofParts(hex: readonly string[], behind: Colour | undefined): Colour | undefined {
  const [red = 0, green = 0, blue = 0, alpha = 255] = hex.map((part) => Number.parseInt(part, 16));
  return alpha <= 12 ? behind : [red, green, blue];
}
