/**
 * Values for real schemas, from a seed: some that should be valid, and mutations of these. The validators decide whether a
 * value is valid.
 */

/** Mulberry32: the same numbers on every machine. */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count) => Math.floor(next() * count);
  return { next, below, chance: (share) => next() < share, pick: (list) => list[below(list.length)] };
}

const words = ['', 'a', 'main', 'octo/cat', 'Zürich', '😀', '2024-02-30', 'x'.repeat(40), 'toString', '42', 'null'];
const formats = {
  'date-time': '2024-05-06T07:08:09Z',
  date: '2024-05-06',
  time: '07:08:09Z',
  email: 'a@example.com',
  uri: 'https://example.com/a?b=c',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  ipv4: '192.0.2.1',
  hostname: 'example.com',
};
const junk = [null, true, false, 0, -1, 1.5, 1e21, '', 'junk', [], {}, [null], { a: 1 }, '1', [[]], { toString: 1 }];

export function createValues(seed) {
  const random = createRandom(seed);
  const generate = (schema, root = schema, depth = 0) => {
    if (typeof schema !== 'object' || schema === null || depth > 8) return random.pick(junk);
    const target = resolve(schema.$ref, root);
    if (target !== undefined) return generate(target, root, depth + 1);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return random.pick(schema.enum);
    if (schema.nullable === true && random.chance(0.2)) return null;
    const choice = schema.oneOf ?? schema.anyOf;
    if (Array.isArray(choice) && choice.length > 0) {
      const made = generate(random.pick(choice), root, depth + 1);
      if (!isObject(made) || !isObject(schema.properties)) return made;
      return { ...generate({ ...schema, oneOf: undefined, anyOf: undefined }, root, depth + 1), ...made };
    }
    if (Array.isArray(schema.allOf) && schema.allOf.length > 0) return together(schema, root, depth);
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : (schema.type ?? guess(schema));
    return make(type, schema, root, depth);
  };
  const together = ({ allOf, ...rest }, root, depth) => {
    const parts = [...allOf, rest].map((part) => generate(part, root, depth + 1));
    return parts.every(isObject) ? Object.assign({}, ...parts) : (parts.find((part) => !isObject(part)) ?? parts[0]);
  };
  const make = (type, schema, root, depth) => {
    if (type === 'string') return text(schema);
    if (type === 'integer' || type === 'number') return number(schema, type);
    if (type === 'boolean') return random.chance(0.5);
    if (type === 'null') return null;
    if (type === 'array') return list(schema, root, depth);
    return type === 'object' ? members(schema, root, depth) : random.pick(junk);
  };
  const text = ({ format, minLength = 0, maxLength = 1_000, examples, default: preset }) => {
    if (typeof format === 'string' && Object.hasOwn(formats, format)) return formats[format];
    const candidates = [...(Array.isArray(examples) ? examples : []), preset].filter((one) => typeof one === 'string');
    const chosen = candidates.length > 0 && random.chance(0.5) ? random.pick(candidates) : random.pick(words);
    return chosen.padEnd(minLength, 'x').slice(0, maxLength);
  };
  const number = ({ minimum, maximum, multipleOf = 1 }, type) => {
    const least = minimum ?? (maximum === undefined ? 0 : maximum - 10);
    const most = maximum ?? least + 100;
    const made = least + random.below(Math.max(1, most - least + 1));
    return type === 'number' && random.chance(0.3) ? made + 0.5 : Math.floor(made / multipleOf) * multipleOf;
  };
  const list = ({ items, prefixItems, minItems = 0, maxItems = 4 }, root, depth) => {
    const length = Math.min(maxItems, minItems + random.below(3));
    const schemas = Array.isArray(items) ? items : (prefixItems ?? []);
    const rest = Array.isArray(items) ? undefined : items;
    return Array.from({ length }, (_, index) => generate(schemas[index] ?? rest ?? {}, root, depth + 1));
  };
  const members = ({ properties, required, additionalProperties }, root, depth) => {
    const needed = new Set(Array.isArray(required) ? required : []);
    const entries = Object.entries(isObject(properties) ? properties : {})
      .filter(([name]) => needed.has(name) || random.chance(depth > 4 ? 0.1 : 0.6))
      .map(([name, part]) => [name, generate(part, root, depth + 1)]);
    if (isObject(additionalProperties) && random.chance(0.5))
      entries.push(['extra', generate(additionalProperties, root, depth + 1)]);
    return Object.fromEntries(entries);
  };
  return { generate, mutate: (value) => mutate(structuredClone(value), random) };
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const guess = (schema) => (schema.properties ? 'object' : schema.items ? 'array' : undefined);

function resolve(reference, root) {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  return reference
    .split('/')
    .slice(1)
    .reduce((place, token) => place?.[token.replaceAll('~1', '/').replaceAll('~0', '~')], root);
}

/** Changes, removes or adds one place of the value. */
function mutate(value, random) {
  if (typeof value !== 'object' || value === null || random.chance(0.05)) return random.pick(junk);
  const keys = Object.keys(value);
  if (keys.length > 0 && random.chance(0.6)) {
    const key = random.pick(keys);
    value[key] = mutate(value[key], random);
    return value;
  }
  if (Array.isArray(value)) {
    if (random.chance(0.5)) value.push(random.pick(junk));
    else if (value.length > 0) value.push(structuredClone(value[0]));
    return value;
  }
  if (keys.length > 0 && random.chance(0.6)) delete value[random.pick(keys)];
  else value[random.pick(['unknown', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])] = random.pick(junk);
  return value;
}
