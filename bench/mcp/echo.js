// A toolkit whose tools answer with 8 KB, for the measured server (`helve serve --toolkit`), and the same functions for the control.
// `text` is one long text; `rows` is 98 records under an output schema.

const filling = 'What was said comes back. '.repeat(315);

const records = (message) =>
  Array.from({ length: 98 }, (_, number) => ({
    number,
    title: `Record ${number} about ${message}`,
    open: number % 3 === 0,
    labels: ['bug', 'later'],
  }));

export const answers = {
  text: ({ message }) => `${message} ${filling}`,
  rows: ({ message }) => ({ rows: records(message) }),
};

const inputSchema = {
  type: 'object',
  properties: { message: { type: 'string' } },
  required: ['message'],
  additionalProperties: false,
};

export const rowsSchema = {
  type: 'object',
  properties: {
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          number: { type: 'integer' },
          title: { type: 'string' },
          open: { type: 'boolean' },
          labels: { type: 'array', items: { type: 'string' } },
        },
        required: ['number', 'title', 'open', 'labels'],
        additionalProperties: false,
      },
    },
  },
  required: ['rows'],
  additionalProperties: false,
};

const tool = (name, more) => ({
  name: `echo_${name}`,
  title: `Echo ${name}`,
  description: 'Says it again, at length.',
  inputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  capabilities: [`echo ${name}`],
  execute: async (input) => answers[name](input),
  ...more,
});

export const echo = {
  slug: 'echo',
  title: 'Echo',
  description: 'Answers of 8 KB.',
  category: 'utilities',
  load: async () => [tool('text'), tool('rows', { outputSchema: rowsSchema })],
};
