/**
 * A document that uses each style of query, header and cookie and each kind of body once; three numbers show that a
 * list stayed one. The table of the specification tests the styles of paths, because prism 5.14.2 crashes on a list there.
 */
const numbers = { type: 'array', items: { type: 'integer' }, minItems: 3, maxItems: 3 };
const colour = {
  type: 'object',
  properties: { r: { type: 'integer' }, g: { type: 'integer' } },
  required: ['r', 'g'],
  additionalProperties: false,
};
const ok = {
  200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' }, example: { ok: true } } } },
};

const parameter = (place: string, name: string, schema: object, more: object = {}) => ({
  name,
  in: place,
  required: true,
  schema,
  ...more,
});
const inQuery = (operationId: string, schema: object, more: object) => ({
  [`/${operationId}`]: { get: { operationId, parameters: [parameter('query', 'value', schema, more)], responses: ok } },
});
const withBody = (operationId: string, type: string, media: object) => ({
  [`/${operationId}`]: {
    post: { operationId, requestBody: { required: true, content: { [type]: media } }, responses: ok },
  },
});
const pet = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 2 },
  },
  required: ['name', 'age', 'tags'],
};

export const everyStyle = {
  openapi: '3.0.3',
  info: { title: 'Every style', version: '1' },
  servers: [{ url: 'https://styles.example.org' }],
  paths: {
    ...inQuery('query_form', numbers, { style: 'form', explode: true }),
    ...inQuery('query_comma', numbers, { style: 'form', explode: false }),
    ...inQuery('query_space', numbers, { style: 'spaceDelimited', explode: false }),
    ...inQuery('query_pipe', numbers, { style: 'pipeDelimited', explode: false }),
    ...inQuery('query_deep', colour, { style: 'deepObject', explode: true }),
    '/in_header': {
      get: { operationId: 'in_header', parameters: [parameter('header', 'X-Numbers', numbers)], responses: ok },
    },
    '/in_cookie': {
      get: {
        operationId: 'in_cookie',
        parameters: [parameter('cookie', 'session', { type: 'integer' })],
        responses: ok,
      },
    },
    ...withBody('body_json', 'application/vnd.pets+json', { schema: pet }),
    ...withBody('body_form', 'application/x-www-form-urlencoded', {
      schema: pet,
      encoding: { tags: { style: 'form', explode: true } },
    }),
    ...withBody('body_text', 'text/plain', { schema: { type: 'string', minLength: 2 } }),
  },
};

/** By operation: a valid input, and one that is wrong in the part that its style carries. */
export const styleInputs: Readonly<Record<string, readonly [right: object, wrong: object]>> = {
  ...Object.fromEntries(
    Object.keys(everyStyle.paths).flatMap((path) => {
      const name = path.split('/')[1] ?? '';
      if (!name.startsWith('query_')) return [];
      const isObject = name === 'query_deep';
      const right = isObject ? { value: { r: 1, g: 2 } } : { value: [1, 2, 3] };
      return [[name, [right, isObject ? { value: { r: 1, g: 'x' } } : { value: [1, 2] }]]];
    }),
  ),
  in_header: [{ 'X-Numbers': [1, 2, 3] }, { 'X-Numbers': [1, 'x', 3] }],
  in_cookie: [{ session: 7 }, { session: 'x' }],
  body_json: [
    { name: 'Rex', age: 3, tags: ['a', 'b'] },
    { name: 'Rex', age: 'x', tags: ['a', 'b'] },
  ],
  body_form: [
    { name: 'Rex & Co', age: 3, tags: ['a', 'b'] },
    { name: 'Rex', age: 'x', tags: ['a', 'b'] },
  ],
  body_text: [{ body: 'plain' }, { body: '' }],
};
