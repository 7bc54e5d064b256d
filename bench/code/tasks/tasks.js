// Fifty things that people ask an agent of an office. Each task has what a competent model does in each way: `turns`, the calls of
// each turn where it calls tools itself (it sees their answers, and calls at once what it can), and `program`, what it writes in
// code mode. `slip`: a program with one mistake of type, which it sends first. `expect`: what the person wants, worked out from
// the service's rows alone.

const toIdentifier = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const json = (value) => JSON.stringify(value);
/** As a model writes an object in a program. */
const literal = (value) => json(value).replace(/"([a-z_]+)":/g, '$1: ');
const day = (date) => ({ from: `${date}T00:00:00Z`, to: `${date}T23:59:59Z` });
const starts = (rows, date) => rows.events.filter(({ start }) => start.startsWith(date));
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** One call whose answer is returned. `field`: of the answer, as JavaScript. */
function read(ask, query, [namespace, tool, input], field, expected) {
  const tell = new Function('found', `return ${field}`);
  return {
    kind: 'one read',
    ask,
    queries: [query],
    tools: [tool],
    *turns() {
      const [found] = yield [[tool, input]];
      return tell(found);
    },
    program: `const found = await ${namespace}.${toIdentifier(tool)}(${literal(input)});\nreturn ${field};`,
    expect: (rows) => ({ answer: expected(rows), effects: [] }),
  };
}

/** One call with an effect. */
function act(ask, query, [namespace, tool, input]) {
  return {
    kind: 'one effect',
    ask,
    queries: [query],
    tools: [tool],
    *turns() {
      yield [[tool, input]];
      return 'done';
    },
    program: `await ${namespace}.${toIdentifier(tool)}(${literal(input)});\nreturn 'done';`,
    expect: () => ({ answer: 'done', effects: [[tool, input]] }),
  };
}

/** All rows of a list: the first page says how many there are, so the others are asked for at once. */
function* listAll(tool, input, table) {
  const [first] = yield [[tool, input]];
  const pages = range(2, Math.ceil(first.total / 20));
  const rest = pages.length === 0 ? [] : yield pages.map((page) => [tool, { ...input, page }]);
  return [first, ...rest].flatMap((one) => one[table]);
}

/** The same in a program. */
const listAllCode = (call, input, table) => `const all = [];
for (let page = 1; page > 0; ) {
  const got = await ${call}({ ${input}page });
  all.push(...got.${table});
  page = got.next_page ?? 0;
}`;

/** A list, then one effect for each row that `chosen` keeps. */
function forEach({ kind = 'fan-out', ask, queries, list: [namespace, tool, input, table], chosen, each, slip }) {
  const [eachNamespace, eachTool, make, makeCode] = each;
  const keep = new Function('row', `return ${chosen}`);
  const given = literal(input).slice(1, -1);
  const program = `${listAllCode(`${namespace}.${toIdentifier(tool)}`, given ? `${given}, ` : '', table)}
const chosen = all.filter((row) => ${chosen});
await Promise.all(chosen.map((row) => ${eachNamespace}.${toIdentifier(eachTool)}(${makeCode})));
return chosen.length;`;
  return {
    kind,
    ask,
    queries,
    tools: [tool, eachTool],
    *turns() {
      const chosenRows = (yield* listAll(tool, input, table)).filter(keep);
      if (chosenRows.length > 0) yield chosenRows.map((row) => [eachTool, make(row)]);
      return chosenRows.length;
    },
    program,
    ...(slip && { slip: program.replace(...slip) }),
    expect(rows) {
      const { page: _, from = '', to = '9', ...asked } = input;
      const wanted = rows[table].filter(
        (row) =>
          (row.start === undefined || (row.start >= from && row.start < to)) &&
          Object.entries(asked).every(([name, value]) =>
            Array.isArray(row[name]) ? row[name].includes(value) : row[name] === value,
          ) &&
          keep(row),
      );
      return { answer: wanted.length, effects: wanted.map((row) => [eachTool, make(row)]) };
    },
  };
}

/** All rows of a list, combined into one answer. `work` of `all`, as JavaScript statements that end with return. */
function sumUp({ ask, query, list: [namespace, tool, input, table], work, slip }) {
  const compute = new Function('all', work);
  const given = literal(input).slice(1, -1);
  const program = `${listAllCode(`${namespace}.${toIdentifier(tool)}`, given ? `${given}, ` : '', table)}\n${work}`;
  return {
    kind: 'sum-up',
    ask,
    queries: [query],
    tools: [tool],
    *turns() {
      return compute(yield* listAll(tool, input, table));
    },
    program: program.replace('= {};', '= {} as Record<string, number>;'),
    ...(slip && { slip: program.replace('= {};', '= {} as Record<string, number>;').replace(...slip) }),
    expect: (rows) => {
      const all = rows[table].filter((row) => Object.entries(input).every(([name, value]) => row[name] === value));
      return { answer: compute(all), effects: [] };
    },
  };
}

const one = (rows, table, key) => rows[table].find(({ id, number }) => (id ?? number) === key);

const oneReads = [
  ...[
    [12, 'Who works on issue 12?', 'found.assignee'],
    [33, 'What is issue 33 about?', 'found.title'],
    [50, 'Which labels does issue 50 have?', 'found.labels'],
  ].map(([number, ask, field]) =>
    read(ask, 'get one issue', ['tracker', 'get_issue', { number }], field, (rows) =>
      new Function('found', `return ${field}`)(one(rows, 'issues', number)),
    ),
  ),
  ...[
    ['c7', 'Which plan does customer c7 have?', 'plan'],
    ['c21', 'What is the mail address of customer c21?', 'email'],
    ['c30', 'When does customer c30 renew?', 'renews_at'],
  ].map(([id, ask, field]) =>
    read(
      ask,
      'get a customer',
      ['sales', 'get_customer', { id }],
      `found.${field}`,
      (rows) => one(rows, 'customers', id)[field],
    ),
  ),
  ...[
    ['m5', 'What is the subject of mail m5?', 'subject'],
    ['m44', 'Who sent mail m44?', 'from'],
  ].map(([id, ask, field]) =>
    read(ask, 'get one mail', ['mail', 'get_mail', { id }], `found.${field}`, (rows) => one(rows, 'mails', id)[field]),
  ),
  ...[
    ['e9', 'When does event e9 start?', 'start'],
    ['e10', 'In which room is event e10?', 'room'],
  ].map(([id, ask, field]) =>
    read(
      ask,
      'get one calendar event',
      ['calendar', 'get_event', { id }],
      `found.${field}`,
      (rows) => one(rows, 'events', id)[field],
    ),
  ),
  ...[
    ['d3', 'How large is deal d3?', 'amount'],
    ['d40', 'At which stage is deal d40?', 'stage'],
  ].map(([id, ask, field]) =>
    read(ask, 'get one deal', ['sales', 'get_deal', { id }], `found.${field}`, (rows) => one(rows, 'deals', id)[field]),
  ),
  read(
    'How many unread mails are there?',
    'count unread mail',
    ['mail', 'count_unread_mail', {}],
    'found.count',
    (rows) => rows.mails.filter(({ unread }) => unread).length,
  ),
  read(
    'When is Ada busy on 26 November?',
    'find when a person is busy',
    ['calendar', 'find_busy_times', { person: 'ada', day: '2026-11-26' }],
    'found.busy',
    (rows) =>
      starts(rows, '2026-11-26')
        .filter(({ attendees }) => attendees.includes('ada'))
        .map(({ start, end }) => ({ start, end })),
  ),
];

const oneEffects = [
  act('Comment on issue 14 that it is fixed in 2.1.', 'comment on an issue', [
    'tracker',
    'comment_on_issue',
    { number: 14, body: 'Fixed in 2.1.' },
  ]),
  act('Close issue 21.', 'close an issue', ['tracker', 'close_issue', { number: 21 }]),
  act('Tell c3@customers.example that the export works again.', 'send a mail', [
    'mail',
    'send_mail',
    { to: 'c3@customers.example', subject: 'Export', body: 'The export works again.' },
  ]),
  act('Put a review with Ben and Cleo into the calendar, on 1 December from 10 to 11 UTC.', 'create a calendar event', [
    'calendar',
    'create_event',
    { title: 'Review', start: '2026-12-01T10:00:00Z', end: '2026-12-01T11:00:00Z', attendees: ['ben', 'cleo'] },
  ]),
  act('Deal d12 is won.', 'move a deal to another stage', ['sales', 'move_deal', { id: 'd12', stage: 'won' }]),
  act('Archive mail m8.', 'archive a mail', ['mail', 'archive_mail', { id: 'm8' }]),
];

const emailsOf = (ids) => ({
  kind: 'fan-out',
  ask: `What are the mail addresses of the customers ${ids.join(', ')}?`,
  queries: ['get a customer'],
  tools: ['get_customer'],
  *turns() {
    const found = yield ids.map((id) => ['get_customer', { id }]);
    return found.map(({ email }) => email);
  },
  program: `const found = await Promise.all(${json(ids)}.map((id) => sales.getCustomer({ id })));\nreturn found.map(({ email }) => email);`,
  expect: (rows) => ({ answer: ids.map((id) => one(rows, 'customers', id).email), effects: [] }),
});

const fanOuts = [
  ...['web', 'api', 'mobile'].map((repository) =>
    forEach({
      ask: `Label all open urgent issues of ${repository} with this-week, and say how many there are.`,
      queries: ['list issues', 'add a label to an issue'],
      list: ['tracker', 'list_issues', { repository, state: 'open', labels: 'urgent' }, 'issues'],
      chosen: 'true',
      each: [
        'tracker',
        'add_issue_label',
        ({ number }) => ({ number, label: 'this-week' }),
        "{ number: row.number, label: 'this-week' }",
      ],
      ...(repository === 'api' && { slip: ['number: row.number', 'number: row.id'] }),
    }),
  ),
  forEach({
    ask: 'Assign all open issues that nobody works on to Ben, and say how many there are.',
    queries: ['list issues', 'assign an issue'],
    list: ['tracker', 'list_issues', { state: 'open' }, 'issues'],
    chosen: 'row.assignee === null',
    each: [
      'tracker',
      'assign_issue',
      ({ number }) => ({ number, assignee: 'ben' }),
      "{ number: row.number, assignee: 'ben' }",
    ],
  }),
  forEach({
    ask: 'Mark all unread mail as read, and say how many there were.',
    queries: ['search mail', 'mark mail as read'],
    list: ['mail', 'search_mail', { unread: true }, 'mails'],
    chosen: 'true',
    each: ['mail', 'mark_mail_read', ({ id }) => ({ id }), '{ id: row.id }'],
  }),
  ...['2026-11-26', '2026-11-27'].map((date) =>
    forEach({
      ask: `Book the room Green for each event on ${date} that has no room, and say how many there are.`,
      queries: ['list calendar events', 'book a room'],
      list: ['calendar', 'list_events', day(date), 'events'],
      chosen: 'row.room === null',
      each: ['calendar', 'book_room', ({ id }) => ({ id, room: 'Green' }), "{ id: row.id, room: 'Green' }"],
      ...(date === '2026-11-27' && { slip: ['calendar.bookRoom', 'calendar.bookRooms'] }),
    }),
  ),
  emailsOf(['c2', 'c9', 'c14', 'c22', 'c35']),
  emailsOf(['c1', 'c3', 'c5', 'c7', 'c11', 'c13', 'c17', 'c19']),
  forEach({
    ask: 'All deals that Cleo has at the stage offer are won. How many are these?',
    queries: ['list deals', 'move a deal to another stage'],
    list: ['sales', 'list_deals', { stage: 'offer', owner: 'cleo' }, 'deals'],
    chosen: 'true',
    each: ['sales', 'move_deal', ({ id }) => ({ id, stage: 'won' }), "{ id: row.id, stage: 'won' }"],
  }),
];

const deals = (input) => ['sales', 'list_deals', input, 'deals'];
const sumBy = (key, value) =>
  `const sums = {};\nfor (const one of all) sums[one.${key}] = (sums[one.${key}] ?? 0) + ${value};\nreturn sums;`;
const sumUps = [
  sumUp({
    ask: 'What is the sum of all deals, for each stage?',
    query: 'list deals',
    list: deals({}),
    work: sumBy('stage', 'one.amount'),
  }),
  sumUp({
    ask: 'What is the sum of the won deals, for each owner?',
    query: 'list deals',
    list: deals({ stage: 'won' }),
    work: sumBy('owner', 'one.amount'),
    slip: ['one.amount', 'one.value'],
  }),
  sumUp({
    ask: 'How many open issues are there in each repository?',
    query: 'list issues',
    list: ['tracker', 'list_issues', { state: 'open' }, 'issues'],
    work: sumBy('repository', '1'),
  }),
  sumUp({
    ask: 'Which three open issues have waited longest since their last change?',
    query: 'list issues',
    list: ['tracker', 'list_issues', { state: 'open' }, 'issues'],
    work: 'return all.toSorted((a, b) => a.updated_at.localeCompare(b.updated_at)).slice(0, 3).map(({ number }) => number);',
  }),
  sumUp({
    ask: 'How many seats do the customers in each city have?',
    query: 'list customers',
    list: ['sales', 'list_customers', {}, 'customers'],
    work: sumBy('address.city', 'one.seats'),
  }),
  sumUp({
    ask: 'Which three mails of the unread ones came in first?',
    query: 'search mail',
    list: ['mail', 'search_mail', { unread: true }, 'mails'],
    work: 'return all.toSorted((a, b) => a.received_at.localeCompare(b.received_at)).slice(0, 3).map(({ id }) => id);',
  }),
  sumUp({
    ask: 'What is the average amount of a lead, rounded?',
    query: 'list deals',
    list: deals({ stage: 'lead' }),
    work: 'return Math.round(all.reduce((sum, { amount }) => sum + amount, 0) / all.length);',
  }),
  sumUp({
    ask: 'How many events are there in each room?',
    query: 'list calendar events',
    list: ['calendar', 'list_events', {}, 'events'],
    work: "const sums = {};\nfor (const { room } of all) sums[room ?? 'none'] = (sums[room ?? 'none'] ?? 0) + 1;\nreturn sums;",
  }),
];

const mailTo = (to, number) => ({
  to,
  subject: `Issue ${number}`,
  body: 'It is fixed and will be in the next release.',
});
const tellCustomer = (number) => ({
  kind: 'across apps',
  ask: `Write to the customer of issue ${number} that it is fixed and will be in the next release.`,
  queries: ['get one issue', 'get a customer', 'send a mail'],
  tools: ['get_issue', 'get_customer', 'send_mail'],
  *turns() {
    const [{ customer }] = yield [['get_issue', { number }]];
    const [{ email }] = yield [['get_customer', { id: customer }]];
    yield [['send_mail', mailTo(email, number)]];
    return email;
  },
  program: `const { customer } = await tracker.getIssue({ number: ${number} });
const { email } = await sales.getCustomer({ id: customer });
await mail.sendMail({ to: email, subject: 'Issue ${number}', body: 'It is fixed and will be in the next release.' });
return email;`,
  expect(rows) {
    const { email } = one(rows, 'customers', one(rows, 'issues', number).customer);
    return { answer: email, effects: [['send_mail', mailTo(email, number)]] };
  },
});

const taskFor = ({ id, owner }, subject) => ({ customer: id, owner, title: `Answer: ${subject}` });
const assignMail = (id) => ({
  kind: 'across apps',
  ask: `Make a sales task “Answer: <subject>” from mail ${id}, for the owner of the customer who sent it.`,
  queries: ['get one mail', 'get a customer', 'create a sales task'],
  tools: ['get_mail', 'get_customer', 'create_sales_task'],
  *turns() {
    const [{ from, subject }] = yield [['get_mail', { id }]];
    const [customer] = yield [['get_customer', { id: from.split('@')[0] }]];
    yield [['create_sales_task', taskFor(customer, subject)]];
    return customer.owner;
  },
  program: `const { from, subject } = await mail.getMail({ id: '${id}' });
const customer = await sales.getCustomer({ id: from.split('@')[0] ?? '' });
await sales.createSalesTask({ customer: customer.id, owner: customer.owner, title: \`Answer: \${subject}\` });
return customer.owner;`,
  ...(id === 'm31' && {
    slip: `const { sender, subject } = await mail.getMail({ id: '${id}' });
const customer = await sales.getCustomer({ id: sender.split('@')[0] ?? '' });
await sales.createSalesTask({ customer: customer.id, owner: customer.owner, title: \`Answer: \${subject}\` });
return customer.owner;`,
  }),
  expect(rows) {
    const { from, subject } = one(rows, 'mails', id);
    const customer = one(rows, 'customers', from.split('@')[0]);
    return { answer: customer.owner, effects: [['create_sales_task', taskFor(customer, subject)]] };
  },
});

const unique = (list) => [...new Set(list)];
const reminder = (owner, names) => ({
  to: `${owner}@acme.example`,
  subject: 'Renewals in the next 30 days',
  body: names.join(', '),
});
const isSoon = ({ renews_at }) => renews_at < '2026-12-25';
function remindersOf(customers) {
  const soon = customers.filter(isSoon);
  return unique(soon.map(({ owner }) => owner)).map((owner) =>
    reminder(
      owner,
      soon.filter((row) => row.owner === owner).map(({ name }) => name),
    ),
  );
}

const acrossApps = [
  tellCustomer(17),
  tellCustomer(58),
  assignMail('m12'),
  assignMail('m31'),
  {
    kind: 'across apps',
    ask: 'Which customers (names) wait for open urgent issues of web?',
    queries: ['list issues', 'get a customer'],
    tools: ['list_issues', 'get_customer'],
    *turns() {
      const issues = yield* listAll('list_issues', { repository: 'web', state: 'open', labels: 'urgent' }, 'issues');
      const found = yield unique(issues.map(({ customer }) => customer)).map((id) => ['get_customer', { id }]);
      return found.map(({ name }) => name);
    },
    program: `const { issues } = await tracker.listIssues({ repository: 'web', state: 'open', labels: 'urgent' });
const ids = [...new Set(issues.map(({ customer }) => customer))];
const found = await Promise.all(ids.map((id) => sales.getCustomer({ id })));
return found.map(({ name }) => name);`,
    expect(rows) {
      const issues = rows.issues.filter(
        ({ repository, state, labels }) => repository === 'web' && state === 'open' && labels.includes('urgent'),
      );
      const ids = unique(issues.map(({ customer }) => customer));
      return { answer: ids.map((id) => one(rows, 'customers', id).name), effects: [] };
    },
  },
  {
    kind: 'across apps',
    ask: 'Move each customer with a won deal who still has the free plan to the plan team. Which are these?',
    queries: ['list deals', 'list customers', 'move a customer to another plan'],
    tools: ['list_deals', 'list_customers', 'change_customer_plan'],
    *turns() {
      const [{ deals: won }, { customers }] = yield [
        ['list_deals', { stage: 'won' }],
        ['list_customers', { plan: 'free' }],
      ];
      const ids = customers.map(({ id }) => id).filter((id) => won.some(({ customer }) => customer === id));
      yield ids.map((id) => ['change_customer_plan', { id, plan: 'team' }]);
      return ids;
    },
    program: `const [{ deals }, { customers }] = await Promise.all([sales.listDeals({ stage: 'won' }), sales.listCustomers({ plan: 'free' })]);
const ids = customers.map(({ id }) => id).filter((id) => deals.some(({ customer }) => customer === id));
await Promise.all(ids.map((id) => sales.changeCustomerPlan({ id, plan: 'team' })));
return ids;`,
    expect(rows) {
      const won = rows.deals.filter(({ stage }) => stage === 'won').map(({ customer }) => customer);
      const free = rows.customers.filter(({ id, plan }) => plan === 'free' && won.includes(id)).map(({ id }) => id);
      return { answer: free, effects: free.map((id) => ['change_customer_plan', { id, plan: 'team' }]) };
    },
  },
  {
    kind: 'across apps',
    ask: 'Send each owner one mail (owner@acme.example, subject “Renewals in the next 30 days”) with the names of their customers who renew before 25 December.',
    queries: ['list customers', 'send a mail'],
    tools: ['list_customers', 'send_mail'],
    *turns() {
      const mails = remindersOf(yield* listAll('list_customers', {}, 'customers'));
      yield mails.map((mail) => ['send_mail', mail]);
      return mails.length;
    },
    program: `${listAllCode('sales.listCustomers', '', 'customers')}
const byOwner: Record<string, string[]> = {};
for (const { name, owner } of all.filter(({ renews_at }) => renews_at < '2026-12-25')) (byOwner[owner] ??= []).push(name);
for (const [owner, names] of Object.entries(byOwner))
  await mail.sendMail({ to: \`\${owner}@acme.example\`, subject: 'Renewals in the next 30 days', body: names.join(', ') });
return Object.keys(byOwner).length;`,
    slip: `${listAllCode('sales.listCustomers', '', 'customers')}
const byOwner = Object.groupBy(all.filter(({ renews_at }) => renews_at < '2026-12-25'), ({ owner }) => owner);
for (const [owner, rows = []] of Object.entries(byOwner))
  await mail.sendMail({ to: \`\${owner}@acme.example\`, subject: 'Renewals in the next 30 days', body: rows.map(({ name }) => name).join(', ') });
return Object.keys(byOwner).length;`,
    expect(rows) {
      const mails = remindersOf(rows.customers);
      return { answer: mails.length, effects: mails.map((mail) => ['send_mail', mail]) };
    },
  },
  forEach({
    kind: 'across apps',
    ask: 'For each event on 26 November, draft a mail to office@acme.example with its title as the subject and “Please prepare.” How many?',
    queries: ['list calendar events', 'create a mail draft'],
    list: ['calendar', 'list_events', day('2026-11-26'), 'events'],
    chosen: 'true',
    each: [
      'mail',
      'create_mail_draft',
      ({ title }) => ({ to: 'office@acme.example', subject: title, body: 'Please prepare.' }),
      "{ to: 'office@acme.example', subject: row.title, body: 'Please prepare.' }",
    ],
  }),
];

const closeOrTell = (number) => ({
  kind: 'if',
  ask: `If issue ${number} is open, close it; otherwise comment on it “Already closed.”`,
  queries: ['get one issue', 'close an issue', 'comment on an issue'],
  tools: ['get_issue', 'close_issue', 'comment_on_issue'],
  *turns() {
    const [{ state }] = yield [['get_issue', { number }]];
    if (state === 'open') yield [['close_issue', { number }]];
    else yield [['comment_on_issue', { number, body: 'Already closed.' }]];
    return state;
  },
  program: `const number = ${number};
const { state } = await tracker.getIssue({ number });
if (state === 'open') await tracker.closeIssue({ number });
else await tracker.commentOnIssue({ number, body: 'Already closed.' });
return state;`,
  expect(rows) {
    const { state } = one(rows, 'issues', number);
    const done =
      state === 'open' ? ['close_issue', { number }] : ['comment_on_issue', { number, body: 'Already closed.' }];
    return { answer: state, effects: [done] };
  },
});

const talk = { title: 'Talk', start: '2026-11-29T10:00:00Z', end: '2026-11-29T11:00:00Z', attendees: ['ada'] };
const ifs = [
  closeOrTell(8),
  closeOrTell(9),
  {
    kind: 'if',
    ask: 'If Ada is free all day on 29 November, put a talk with her into the calendar from 10 to 11 UTC; otherwise write to ada@acme.example (subject “Talk”): “When?”',
    queries: ['find when a person is busy', 'create a calendar event', 'send a mail'],
    tools: ['find_busy_times', 'create_event', 'send_mail'],
    *turns() {
      const [{ busy }] = yield [['find_busy_times', { person: 'ada', day: '2026-11-29' }]];
      if (busy.length === 0) yield [['create_event', talk]];
      else yield [['send_mail', { to: 'ada@acme.example', subject: 'Talk', body: 'When?' }]];
      return busy.length;
    },
    program: `const { busy } = await calendar.findBusyTimes({ person: 'ada', day: '2026-11-29' });
if (busy.length === 0) await calendar.createEvent(${literal(talk)});
else await mail.sendMail({ to: 'ada@acme.example', subject: 'Talk', body: 'When?' });
return busy.length;`,
    expect(rows) {
      const busy = starts(rows, '2026-11-29').filter(({ attendees }) => attendees.includes('ada')).length;
      const write = ['send_mail', { to: 'ada@acme.example', subject: 'Talk', body: 'When?' }];
      return { answer: busy, effects: [busy === 0 ? ['create_event', talk] : write] };
    },
  },
  {
    kind: 'if',
    ask: 'If customer c20 has more than 50 seats, give it to Ada; otherwise note “Small customer.”',
    queries: ['get a customer', 'give a customer to another owner', 'write a note about a customer'],
    tools: ['get_customer', 'change_customer_owner', 'add_customer_note'],
    *turns() {
      const [{ seats }] = yield [['get_customer', { id: 'c20' }]];
      if (seats > 50) yield [['change_customer_owner', { id: 'c20', owner: 'ada' }]];
      else yield [['add_customer_note', { id: 'c20', note: 'Small customer.' }]];
      return seats;
    },
    program: `const id = 'c20';
const { seats } = await sales.getCustomer({ id });
if (seats > 50) await sales.changeCustomerOwner({ id, owner: 'ada' });
else await sales.addCustomerNote({ id, note: 'Small customer.' });
return seats;`,
    expect(rows) {
      const { seats } = one(rows, 'customers', 'c20');
      const small = ['add_customer_note', { id: 'c20', note: 'Small customer.' }];
      return { answer: seats, effects: [seats > 50 ? ['change_customer_owner', { id: 'c20', owner: 'ada' }] : small] };
    },
  },
];

export const tasks = [...oneReads, ...oneEffects, ...fanOuts, ...sumUps, ...acrossApps, ...ifs];
