// The service of the fifty tasks: issues, mail, calendar and customers of a small company, as four toolkits with forty tools. It
// keeps its rows in memory and writes down each effect. The rows are always the same; today is Wednesday, 25 November 2026.
import { defineToolkit } from 'helve';

const people = ['ada', 'ben', 'cleo', 'dana', 'emil'];
const dayMs = 86_400_000;
const today = Date.parse('2026-11-25T00:00:00Z');
const at = (days, hour = 9) => new Date(today + days * dayMs + hour * 3_600_000).toISOString();
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index + 1));
const pick = (list, number) => list[number % list.length];
const sentences = [
  'Steps to reproduce: open the report, choose last month, and press export; nothing is downloaded.',
  'It happens on every machine in the office, and since the last release on the phones too.',
  'The log has a line about a missing column, which may be related or may not.',
  'A customer has asked twice, so we should at least tell them what the plan is.',
];
const prose = (number) => [0, 1].map((more) => pick(sentences, number + more)).join(' ');

/** `scale`: how many times the usual number of rows there are. */
function makeRows(scale) {
  return {
    issues: many(96 * scale, (number) => ({
      number,
      repository: pick(['web', 'api', 'mobile'], number),
      title: `${pick(['Export fails', 'Login is slow', 'Wrong total', 'Crash at start'], number)} (${number})`,
      state: number % 4 === 0 ? 'closed' : 'open',
      labels: [pick(['bug', 'feature', 'question'], number), ...(number % 5 === 0 ? ['urgent'] : [])],
      assignee: number % 7 === 0 ? null : pick(people, number),
      customer: `c${(number % 40) + 1}`,
      created_at: at(-200 + number),
      updated_at: at(-((number * 13) % 120)),
      body: prose(number),
      url: `https://issues.example/acme/${number}`,
    })),
    comments: many(60, (id) => ({ id, issue: id % 30, author: pick(people, id), body: pick(sentences, id) })),
    mails: many(80 * scale, (number) => ({
      id: `m${number}`,
      from: `c${(number % 40) + 1}@customers.example`,
      to: 'office@acme.example',
      subject: `${pick(['Invoice', 'Question about export', 'Meeting', 'Complaint'], number)} ${number}`,
      unread: number % 3 === 0,
      labels: ['inbox'],
      received_at: at(-(number % 30), 8 + (number % 9)),
      snippet: pick(sentences, number),
    })),
    events: many(45 * scale, (number) => ({
      id: `e${number}`,
      title: `${pick(['Stand-up', 'Review', 'Call with a customer'], number)} ${number}`,
      start: at((number % 15) - 3, 8 + (number % 8)),
      end: at((number % 15) - 3, 9 + (number % 8)),
      attendees: [pick(people, number), pick(people, number + 2)],
      room: pick(['Blue', 'Green', null], number),
      description: pick(sentences, number),
    })),
    customers: many(40, (number) => ({
      id: `c${number}`,
      name: `Customer ${number} Ltd`,
      email: `c${number}@customers.example`,
      plan: pick(['free', 'team', 'enterprise'], number),
      owner: pick(people, number),
      seats: number * 3,
      renews_at: at((number * 9) % 180),
      notes: pick(sentences, number),
      address: { street: `${number} High Street`, city: pick(['Oslo', 'Rome', 'Lima'], number), country: 'NO' },
    })),
    deals: many(70 * scale, (number) => ({
      id: `d${number}`,
      customer: `c${(number % 40) + 1}`,
      title: `Renewal ${number}`,
      stage: pick(['lead', 'offer', 'won', 'lost'], number),
      amount: 500 + ((number * 370) % 9_000),
      owner: pick(people, number + 1),
      closes_at: at((number * 7) % 90),
      notes: pick(sentences, number),
    })),
  };
}

const text = { type: 'string' };
const integer = { type: 'integer' };
const texts = { type: 'array', items: text };
const nullable = { type: ['string', 'null'] };
const time = { type: 'string', format: 'date-time' };
const object = (required, more = {}) => ({
  type: 'object',
  properties: { ...required, ...more },
  required: Object.keys(required),
  additionalProperties: false,
});
const oneOf = (...values) => ({ type: 'string', enum: values });
const about = (schema, description) => ({ ...schema, description });

const shapes = {
  issues: object({
    number: integer,
    repository: text,
    title: text,
    state: oneOf('open', 'closed'),
    labels: texts,
    assignee: nullable,
    customer: text,
    created_at: time,
    updated_at: time,
    body: text,
    url: text,
  }),
  comments: object({ id: integer, issue: integer, author: text, body: text }),
  mails: object({
    id: text,
    from: text,
    to: text,
    subject: text,
    unread: { type: 'boolean' },
    labels: texts,
    received_at: time,
    snippet: text,
  }),
  events: object({
    id: text,
    title: text,
    start: time,
    end: time,
    attendees: texts,
    room: nullable,
    description: text,
  }),
  customers: object({
    id: text,
    name: text,
    email: text,
    plan: oneOf('free', 'team', 'enterprise'),
    owner: text,
    seats: integer,
    renews_at: time,
    notes: text,
    address: object({ street: text, city: text, country: text }),
  }),
  deals: object({
    id: text,
    customer: text,
    title: text,
    stage: oneOf('lead', 'offer', 'won', 'lost'),
    amount: integer,
    owner: text,
    closes_at: time,
    notes: text,
  }),
};
const page = about(integer, 'Page of the list, from 1');
const pageSize = 20;

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

/** A row's fields that are asked for must be equal; of a list, one of its items. */
const fits = (row, asked) =>
  Object.entries(asked).every(([name, value]) =>
    Array.isArray(row[name]) ? row[name].includes(value) : row[name] === value,
  );

const idOf = { issues: 'number', mails: 'id', events: 'id', customers: 'id', deals: 'id' };
const idShape = (table) => ({ [idOf[table]]: shapes[table].properties[idOf[table]] });

/** Returns the toolkits, `reset()` and `state()`: the rows of now and the effects so far. */
export function createOffice({ scale = 1 } = {}) {
  let rows = makeRows(scale);
  let effects = [];

  const find = (table, key) => {
    const row = rows[table].find((one) => one[idOf[table]] === key);
    if (row === undefined) throw new Error(`There is no ${table.slice(0, -1)} ${key}`);
    return row;
  };
  const tool = (name, description, inputSchema, outputSchema, execute) => ({
    name,
    title: description.split('.')[0],
    description,
    inputSchema,
    outputSchema,
    annotations: reads,
    capabilities: [name.replaceAll('_', ' ')],
    execute: async (input) => structuredClone(execute(input)),
  });
  const effect = (name, description, inputSchema, outputSchema, change) => ({
    ...tool(name, description, inputSchema, outputSchema, (input) => {
      const answer = change(input);
      effects.push([name, input]);
      return answer;
    }),
    annotations: writes,
  });
  const list = (name, table, description, filters, match = fits) =>
    tool(
      name,
      `${description} Twenty per page; next_page is missing on the last.`,
      object({}, { ...filters, page }),
      object({ [table]: { type: 'array', items: shapes[table] }, total: integer }, { next_page: integer }),
      ({ page: asked = 1, ...given }) => {
        const all = rows[table].filter((row) => match(row, given));
        const next = asked * pageSize < all.length ? { next_page: asked + 1 } : {};
        return { [table]: all.slice((asked - 1) * pageSize, asked * pageSize), total: all.length, ...next };
      },
    );
  const get = (name, table, description) =>
    tool(name, description, object(idShape(table)), shapes[table], (input) => find(table, input[idOf[table]]));
  const update = (name, table, description, fields, apply) =>
    effect(name, description, object({ ...idShape(table), ...fields }), shapes[table], (input) => {
      const row = find(table, input[idOf[table]]);
      apply(row, input);
      return row;
    });
  const made = (name, description, input, output, make) => effect(name, description, input, output, make);

  const issueTools = () => [
    list('list_issues', 'issues', 'List issues, optionally of a repository, state, label or assignee.', {
      repository: oneOf('web', 'api', 'mobile'),
      state: oneOf('open', 'closed'),
      labels: about(text, 'Only issues with this label'),
      assignee: about(text, 'Only issues of this person'),
    }),
    get('get_issue', 'issues', 'Get one issue with its text, labels and assignee.'),
    made(
      'create_issue',
      'Create an issue in a repository.',
      object({ repository: text, title: text, body: text }, { labels: texts, assignee: text }),
      object({ number: integer, url: text }),
      () => ({ number: rows.issues.length + 1, url: `https://issues.example/acme/${rows.issues.length + 1}` }),
    ),
    update('close_issue', 'issues', 'Close an issue.', {}, (row) => {
      row.state = 'closed';
    }),
    update('assign_issue', 'issues', 'Assign an issue to a person.', { assignee: text }, (row, { assignee }) => {
      row.assignee = assignee;
    }),
    update('add_issue_label', 'issues', 'Add a label to an issue.', { label: text }, (row, { label }) => {
      row.labels.push(label);
    }),
    update('remove_issue_label', 'issues', 'Remove a label from an issue.', { label: text }, (row, { label }) => {
      row.labels = row.labels.filter((one) => one !== label);
    }),
    update('retitle_issue', 'issues', 'Change the title of an issue.', { title: text }, (row, { title }) => {
      row.title = title;
    }),
    made(
      'comment_on_issue',
      'Add a comment to an issue.',
      object({ number: integer, body: text }),
      object({ id: integer }),
      ({ number, body }) => {
        find('issues', number);
        return { id: rows.comments.push({ id: rows.comments.length + 1, issue: number, author: 'me', body }) };
      },
    ),
    tool(
      'list_issue_comments',
      'List the comments of an issue.',
      object({ number: integer }),
      object({ comments: { type: 'array', items: shapes.comments } }),
      ({ number }) => ({ comments: rows.comments.filter(({ issue }) => issue === number) }),
    ),
  ];
  const mailTools = () => [
    list('search_mail', 'mails', 'Search mail by sender, label, or whether it is unread; newest rows last.', {
      from: about(text, 'Address of the sender'),
      unread: { type: 'boolean' },
      labels: about(text, 'Only mail with this label'),
    }),
    get('get_mail', 'mails', 'Get one mail by its id.'),
    made(
      'send_mail',
      'Send a mail.',
      object({ to: text, subject: text, body: text }, { cc: texts }),
      object({ id: text }),
      () => ({ id: `sent${effects.length}` }),
    ),
    made(
      'reply_to_mail',
      'Reply to a mail, to its sender.',
      object({ id: text, body: text }),
      object({ id: text }),
      ({ id }) => {
        find('mails', id);
        return { id: `sent${effects.length}` };
      },
    ),
    update('label_mail', 'mails', 'Add a label to a mail.', { label: text }, (row, { label }) => {
      row.labels.push(label);
    }),
    update('archive_mail', 'mails', 'Archive a mail: it leaves the inbox.', {}, (row) => {
      row.labels = row.labels.filter((one) => one !== 'inbox');
    }),
    update('mark_mail_read', 'mails', 'Mark a mail as read.', {}, (row) => {
      row.unread = false;
    }),
    made(
      'create_mail_draft',
      'Keep a mail as a draft, without sending it.',
      object({ to: text, subject: text, body: text }),
      object({ id: text }),
      () => ({ id: `draft${effects.length}` }),
    ),
    tool('list_mail_labels', 'List the labels that mail has.', object({}), object({ labels: texts }), () => ({
      labels: [...new Set(rows.mails.flatMap(({ labels }) => labels))],
    })),
    tool('count_unread_mail', 'Count the unread mail.', object({}), object({ count: integer }), () => ({
      count: rows.mails.filter(({ unread }) => unread).length,
    })),
  ];
  const within = (row, { from = '', to = '9', ...asked }) => row.start >= from && row.start < to && fits(row, asked);
  const calendarTools = () => [
    list(
      'list_events',
      'events',
      'List calendar events that start in a time, optionally of one attendee.',
      { from: about(time, 'Not before'), to: about(time, 'Before'), attendees: about(text, 'Only with this person') },
      within,
    ),
    get('get_event', 'events', 'Get one calendar event by its id.'),
    made(
      'create_event',
      'Create a calendar event and invite people.',
      object({ title: text, start: time, end: time }, { attendees: texts, room: text, description: text }),
      object({ id: text }),
      () => ({ id: `new${effects.length}` }),
    ),
    update(
      'move_event',
      'events',
      'Move a calendar event to another time.',
      { start: time, end: time },
      (row, input) => {
        Object.assign(row, input);
      },
    ),
    update('cancel_event', 'events', 'Cancel a calendar event and tell its attendees.', {}, (row) => {
      rows.events = rows.events.filter((one) => one !== row);
    }),
    update('invite_to_event', 'events', 'Invite a person to a calendar event.', { person: text }, (row, { person }) => {
      row.attendees.push(person);
    }),
    update('book_room', 'events', 'Book a room for a calendar event.', { room: text }, (row, { room }) => {
      row.room = room;
    }),
    tool(
      'find_busy_times',
      'Find when a person is busy on a day.',
      object({ person: text, day: about(text, 'YYYY-MM-DD') }),
      object({ busy: { type: 'array', items: object({ start: time, end: time }) } }),
      ({ person, day }) => ({
        busy: rows.events
          .filter(({ start, attendees }) => start.startsWith(day) && attendees.includes(person))
          .map(({ start, end }) => ({ start, end })),
      }),
    ),
    tool('list_rooms', 'List the rooms of the office.', object({}), object({ rooms: texts }), () => ({
      rooms: ['Blue', 'Green'],
    })),
    tool('list_people', 'List the people of the company.', object({}), object({ people: texts }), () => ({ people })),
  ];
  const customerTools = () => [
    list('list_customers', 'customers', 'List customers, optionally of a plan or an owner.', {
      plan: oneOf('free', 'team', 'enterprise'),
      owner: text,
    }),
    get('get_customer', 'customers', 'Get one customer by its id.'),
    update(
      'change_customer_owner',
      'customers',
      'Give a customer to another owner.',
      { owner: text },
      (row, { owner }) => {
        row.owner = owner;
      },
    ),
    update('change_customer_plan', 'customers', 'Move a customer to another plan.', { plan: text }, (row, { plan }) => {
      row.plan = plan;
    }),
    made(
      'add_customer_note',
      'Write a note about a customer.',
      object({ id: text, note: text }),
      object({ saved: { type: 'boolean' } }),
      ({ id }) => {
        find('customers', id);
        return { saved: true };
      },
    ),
    list('list_deals', 'deals', 'List deals, optionally of a stage, an owner or a customer.', {
      stage: oneOf('lead', 'offer', 'won', 'lost'),
      owner: text,
      customer: text,
    }),
    get('get_deal', 'deals', 'Get one deal by its id.'),
    update('move_deal', 'deals', 'Move a deal to another stage.', { stage: text }, (row, { stage }) => {
      row.stage = stage;
    }),
    update('change_deal_amount', 'deals', 'Change the amount of a deal.', { amount: integer }, (row, { amount }) => {
      row.amount = amount;
    }),
    made(
      'create_sales_task',
      'Create a task for a sales person about a customer.',
      object({ customer: text, owner: text, title: text }, { due: time }),
      object({ id: text }),
      () => ({ id: `task${effects.length}` }),
    ),
  ];

  const kit = (slug, title, description, load) =>
    defineToolkit({ slug, title, description, category: 'custom', load: async () => load() });
  return {
    toolkits: [
      kit('tracker', 'Issue tracker', 'Issues of three repositories', issueTools),
      kit('mail', 'Mail', 'The mail of the office', mailTools),
      kit('calendar', 'Calendar', 'Events, rooms and busy times', calendarTools),
      kit('sales', 'Sales', 'Customers and deals', customerTools),
    ],
    reset() {
      rows = makeRows(scale);
      effects = [];
    },
    state: () => ({ rows, effects }),
  };
}
