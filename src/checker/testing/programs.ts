/** Programs as agents write them; each is right. The planted errors are made of them. */

export const programs: readonly string[] = [
  `const { issues } = await github.listIssues({ repo: 'acme/web', state: 'open' });
const stale = issues.filter((i) => Date.parse(i.updatedAt) < Date.now() - 30 * 86_400_000);
await Promise.all(stale.map((i) => github.addLabels({ repo: 'acme/web', issue: i.number, labels: ['stale'] })));
return stale.length;`,
  `export default async () => {
  const created = await github.createIssue({ repo: 'acme/web', title: 'Login fails', labels: ['bug'] });
  await slack.postMessage({ channel: '#eng', text: \`New issue: \${created.title} (#\${created.number})\` });
  return { number: created.number };
};`,
  `async () => {
  const { result } = await math.calculate({ expression: '2 + 2', precision: 4 });
  const km = await math.convertUnits({ value: result, from: 'mi', to: 'km' });
  return km.value;
}`,
  `const found = await workGmail.searchMessages({ query: 'is:unread', max: 20 });
const senders = new Map<string, number>();
for (const message of found.messages) {
  senders.set(message.from.email, (senders.get(message.from.email) ?? 0) + 1);
}
return Object.fromEntries(senders);`,
  `const { entries } = await files.listFiles({ path: '/reports', recursive: true });
let total = 0;
for (const entry of entries) {
  if (entry.kind === 'file') total += entry.size ?? 0;
}
return { files: entries.length, total };`,
  `const issue = await github.getIssue({ repo: 'acme/web', issue: 12 });
if (issue.assignee) return issue.assignee.login;
return 'nobody';`,
  `const issue = await github.getIssue({ repo: 'acme/web', issue: 12 });
return { who: issue.assignee?.login ?? null, when: new Date(issue.createdAt).toISOString() };`,
  `const pending = github.listIssues({ repo: 'acme/web', state: 'closed' });
const channels = await slack.listChannels({ types: ['public'], limit: 10 });
const { issues } = await pending;
return issues.length + channels.channels.length;`,
  `const [a, b] = await Promise.all([
  github.listIssues({ repo: 'acme/web', state: 'open' }),
  github.listIssues({ repo: 'acme/api', state: 'open' }),
]);
return a.issues.concat(b.issues).map((issue) => issue.title);`,
  `const calls: Promise<{ ts: string; channel: string }>[] = [];
for (const channel of ['#a', '#b']) {
  calls.push(slack.postMessage({ channel: '#c' + channel, text: 'hello' }));
}
const sent = await Promise.all(calls);
return sent.map((one) => one.ts);`,
  `const gh = github;
const { issues } = await gh.listIssues({ repo: 'acme/web', sort: 'updated' });
return issues[0]?.title;`,
  `const { listIssues, getIssue } = github;
const { issues } = await listIssues({ repo: 'acme/web' });
const first = issues[0];
if (!first) return null;
const issue = await github.getIssue({ repo: 'acme/web', issue: first.number });
return [issue.title, (await getIssue({ repo: 'acme/web', issue: first.number })).state];`,
  `const { github: gh, slack: chat } = env;
const issue = await env.github.getIssue({ repo: 'acme/web', issue: 3 });
await chat.postMessage({ channel: '#eng', text: issue.title });
return (await gh.getIssue({ repo: 'acme/web', issue: 4 })).title;`,
  `const issue = await env['github'].getIssue({ repo: 'acme/web', issue: 3 });
const comment = await env.github.createComment({ repo: 'acme/web', issue: issue.number, body: 'Thanks' });
return comment.url;`,
  `const accounts = [workGmail, personalGmail];
const subjects: string[] = [];
for (const account of accounts) {
  const { messages } = await account.searchMessages({ query: 'invoice' });
  subjects.push(...messages.map((message) => message.subject));
}
return { subjects, mine: (await workGmail.searchMessages({ query: 'x' })).messages.length };`,
  `const urgent = true;
const account = urgent ? workGmail : personalGmail;
const sent = await account.sendEmail({ to: 'a@b.example', subject: 'Hi', body: { text: 'Hello' }, importance: 'high' });
const again = await workGmail.getMessage({ id: sent.id, format: 'full' });
return again.subject;`,
  `async function summarise(repo: string): Promise<string> {
  const { issues } = await github.listIssues({ repo: 'acme/' + repo, state: 'open' });
  return \`\${repo}: \${issues.length}\`;
}
const lines = await Promise.all(['web', 'api'].map(summarise));
await files.writeFile({ path: '/summary.txt', content: lines.join('\\n'), mode: 'overwrite' });
return (await files.readFile({ path: '/summary.txt' })).content;`,
  `try {
  const merged = await github.mergePullRequest({ repo: 'acme/web', pullRequest: 7, method: 'squash' });
  return merged.merged;
} catch (error) {
  return error instanceof Error ? error.message : String(error);
}`,
  `const file = await github.getFile({ repo: 'acme/web', path: 'package.json' });
if (file.kind === 'folder') return file.entries.length;
const parsed: { name?: string } = JSON.parse(file.content);
return parsed.name ?? 'unnamed';`,
  `const stats = await math.statistics({ values: [1, 2, 3], measures: ['mean', 'median'] });
const { result } = await math.calculate({ expression: '1 + 1' });
return { mean: stats.mean, result, unit: (await math.convertUnits({ value: 1, from: 'm', to: 'ft' })).unit };`,
  `const thread = await slack.getThread({ channel: 'C1', ts: '1.2' });
const reactions = thread.messages.flatMap((message) => Object.entries(message.reactions ?? {}));
return Object.fromEntries(reactions);`,
  `await slack.postMessage({
  channel: '#eng',
  text: 'Deploy',
  blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*done*' } }, { type: 'divider' }],
});
const { channels } = await slack.listChannels();
return channels.find((channel) => channel.name === 'eng')?.topic?.value;`,
  `let page: number | undefined = 1;
const titles: string[] = [];
while (page !== undefined) {
  const answer: { issues: github.Issue[]; nextPage?: number } = await github.listIssues({ repo: 'acme/web', state: 'all', page });
  titles.push(...answer.issues.map((issue) => issue.title));
  page = answer.nextPage;
}
return titles;`,
  `interface Row { readonly title: string; readonly labels: readonly string[] }
const { issues } = await github.listIssues({ repo: 'acme/web', labels: ['bug'] });
const rows: Row[] = issues.map(({ title, labels }) => ({ title, labels: labels.map((label) => label.name) }));
return rows;`,
  `const { pullRequests } = await github.listPullRequests({ repo: 'acme/web', state: 'open', base: 'main' });
for (const pullRequest of pullRequests) {
  if (pullRequest.draft || pullRequest.mergeable === null) continue;
  await github.mergePullRequest({ repo: 'acme/web', pullRequest: pullRequest.number, method: 'rebase' });
}
return pullRequests.map((one) => one.head.ref);`,
  `const answer = await github.listLabels({ repo: 'acme/web' });
const labels = Array.isArray(answer) ? answer.length : 0;
return { labels, open: (await github.listIssues({ repo: 'acme/web', state: 'open' })).issues.length };`,
  `const message = await personalGmail.getMessage({ id: 'm1', format: 'metadata' });
const unread = message.labels.includes('UNREAD');
if (unread) await personalGmail.modifyLabels({ id: message.id, remove: ['UNREAD'] });
return message.headers['list-id'] ?? message.attachments.map((one) => one.name);`,
  `// The lead of the team wants a list.
const { issues } = await github.listIssues({ repo: 'acme/web', sort: 'comments', perPage: 5 });
const text = issues.map((issue, index) => \`\${index + 1}. \${issue.title} (\${issue.comments})\`).join('\\n');
const { ts } = await slack.postMessage({ channel: '#leads', text });
await slack.addReaction({ channel: '#leads', ts, emoji: 'eyes' });
return ts;`,
  `const url = new URL('https://api.example/x?y=1');
url.searchParams.set('z', '2');
const saved = await files.writeFile({ path: '/url.txt', content: url.toString(), mode: 'create' });
console.log('saved', saved.bytes);
return saved.bytes;`,
  `const { content } = await files.readFile({ path: '/data.csv', encoding: 'utf-8' });
const values = content.split('\\n').slice(1).map((line) => Number(line.split(',')[1] ?? 0));
const stats = await math.statistics({ values, measures: ['stdev'] });
return stats['stdev'];`,
  `const bytes = new TextEncoder().encode('héllo');
const { size } = await files.readFile({ path: '/a.bin', encoding: 'base64' });
return { same: bytes.length === size, text: new TextDecoder().decode(bytes), b: btoa('x') };`,
  `for (let attempt = 0; attempt < 3; attempt++) {
  const pr = (await github.listPullRequests({ repo: 'acme/web', state: 'open' })).pullRequests[0];
  if (pr?.mergeable) return pr.number;
  await sleep(60_000);
}
return null;`,
  `const byAuthor: Record<string, string[]> = {};
const { issues } = await github.listIssues({ repo: 'acme/web', state: 'closed' });
for (const issue of issues) (byAuthor[issue.user.login] ??= []).push(issue.title);
return byAuthor;`,
  `const issue = await github.createIssue({ repo: 'acme/web', title: 'A', body: 'B', assignees: ['me'] });
const closed = await github.updateIssue({ repo: 'acme/web', issue: issue.number, state: 'closed', stateReason: 'completed' });
return closed.state === 'closed';`,
  `export default async function main() {
  const { messages } = await workGmail.searchMessages({ query: 'from:boss', max: 3 });
  const bodies = await Promise.all(messages.map(async (message) => (await workGmail.getMessage({ id: message.id, format: 'full' })).body.text ?? ''));
  return bodies.filter((body) => body.includes('urgent')).length;
}`,
  `const repo = 'acme/web';
const emails = { a: 'a@x.example', b: 'b@x.example' } as const;
const issue = await github.getIssue({ repo: 'acme/web', issue: 1 });
const sent = await workGmail.sendEmail({ to: Object.values(emails), subject: issue.title, body: { html: '<b>x</b>' }, importance: 'low' });
return [repo, sent.threadId];`,
  `const files2 = (await files.listFiles({ path: '/tmp' })).entries;
const old = files2.filter((entry) => entry.kind === 'file' && new Date(entry.modified) < new Date(2024, 0, 1));
for (const entry of old) await files.deleteFile({ path: entry.path });
return old.length;`,
  `const files = (await github.listPullRequests({ repo: 'acme/web', state: 'closed' })).pullRequests;
const slackText = files.map((file) => file.title).join(', ');
return slackText;`,
  `const results = await Promise.allSettled([
  github.getIssue({ repo: 'acme/web', issue: 1 }),
  github.getIssue({ repo: 'acme/web', issue: 2 }),
]);
return results.map((result) => (result.status === 'fulfilled' ? result.value.title : 'failed'));`,
  `const first = await Promise.race([
  slack.getThread({ channel: 'C1', ts: '1' }),
  sleep(1000).then(() => null),
]);
return first?.messages.length ?? 0;`,
  `const count = await github.listIssues({ repo: 'acme/web', state: 'open' }).then((answer) => answer.issues.length);
await slack.postMessage({ channel: '#eng', text: String(count) }).catch(() => undefined);
return count;`,
  `type State = 'open' | 'closed';
const states: State[] = ['open', 'closed'];
const counts = new Map<State, number>();
for (const state of states) counts.set(state, (await github.listIssues({ repo: 'acme/web', state })).issues.length);
return [...counts];`,
  `const input: Parameters<typeof github.createIssue>[0] = { repo: 'acme/web', title: 'x' };
if (Math.random() > 0.5) input.labels = ['p1'];
const made = await github.createIssue(input);
return (await github.getIssue({ repo: 'acme/web', issue: made.number })).title;`,
  `class Report {
  private readonly lines: string[] = [];
  async add(repo: string): Promise<this> {
    const { issues } = await github.listIssues({ repo: 'acme/' + repo, state: 'open' });
    this.lines.push(\`\${repo} \${issues.length}\`);
    return this;
  }
  get text(): string { return this.lines.join('\\n'); }
}
const report = await new Report().add('web');
return report.text;`,
  `async function* pages() {
  let token: string | undefined;
  do {
    const answer: Awaited<ReturnType<typeof workGmail.searchMessages>> = await workGmail.searchMessages({ query: 'x', pageToken: token });
    yield answer.messages;
    token = answer.nextPageToken;
  } while (token);
}
let total = 0;
for await (const messages of pages()) total += messages.length;
return total;`,
  `const { issues } = await github.listIssues({ repo: 'acme/web', state: 'all' });
issues.forEach((issue) => console.log(issue.title));
issues.sort((a, b) => a.number - b.number);
return issues.some((issue) => issue.state === 'open');`,
  `const sum = [1, 2, 3].reduce((a, b) => a + b, 0);
const { text } = await math.calculate({ expression: '10 / 4', precision: 2 });
const far = await math.convertUnits({ value: sum, from: 'km', to: 'mi' });
return text + far.unit;`,
  `const data: any = JSON.parse((await files.readFile({ path: '/x.json' })).content);
const issue = await github.createIssue({ repo: 'acme/web', title: String(data.heading) });
return issue.number;`,
  `const { content } = await files.readFile({ path: '/x.json' });
const rows = JSON.parse(content) as { name: string }[];
const made = await Promise.all(rows.map((row) => github.createIssue({ repo: 'acme/web', title: row.name })));
return made.map((issue) => issue.number);`,
  `const issue = await github.getIssue({ repo: 'acme/web', issue: 5 });
switch (issue.state) {
  case 'open': {
    const closed = await github.updateIssue({ repo: 'acme/web', issue: 5, state: 'closed' });
    return closed.updatedAt;
  }
  case 'closed':
    return issue.updatedAt;
}`,
  `const label = (await github.getIssue({ repo: 'acme/web', issue: 5 })).labels.at(-1);
return label === undefined ? 'none' : label.color.toUpperCase();`,
  `const re = /\\/issues\\/(\\d+)/;
const match = re.exec('https://x.example/issues/12');
const number = Number(match?.[1] ?? 0);
const issue = await github.getIssue({ repo: 'acme/web', issue: number });
return issue.body?.slice(0, 100) ?? '';`,
  `const text = \`a \${[1, 2].map((n) => \`n\${n}\`).join()} b\`;
const { ts } = await slack.postMessage({ channel: '#x', text, threadTs: '1.0', metadata: { eventType: 'e', payload: { n: 1 } } });
return ts;`,
  `const seen = new Set<string>();
const { messages } = await slack.getThread({ channel: 'C', ts: '1' });
for (const { user } of messages) seen.add(user);
if (seen.size === 0) { await slack.addReaction({ channel: 'C', ts: '1', emoji: 'zzz' }); }
return [...seen];`,
  `await Promise.all(
  ['a', 'b'].map(async (name) => {
    const { content } = await files.readFile({ path: '/in/' + name });
    await files.writeFile({ path: '/out/' + name, content: content.trim(), mode: 'overwrite' });
  }),
);
return (await files.listFiles({ path: '/out' })).entries.map((entry) => entry.path);`,
  `async () => (await github.listIssues({ repo: 'acme/web', state: 'open' })).issues.map((issue) => issue.title)`,
  `(async () => {
  const { issues } = await github.listIssues({ repo: 'acme/web', state: 'open' });
  return issues.length;
});`,
  `const token = 'x';
const email = await workGmail.sendEmail({ to: ['a@b.example'], subject: token, body: { text: 'x' }, cc: ['c@d.example'], importance: 'normal' });
await workGmail.modifyLabels({ id: email.id, add: ['sent'] });
return email.id;`,
  `const helper = async (n: number) => github.getIssue({ repo: 'acme/web', issue: n });
const issue = await helper(4);
const other = await github.getIssue({ repo: 'acme/web', issue: 6 });
return issue.title === other.title;`,
  `const tools = { list: github.listIssues, post: slack.postMessage };
const { issues } = await tools.list({ repo: 'acme/web' });
await tools.post({ channel: '#x', text: 'y' });
const { state } = await github.getIssue({ repo: 'acme/web', issue: issues.length });
return state;`,
  `const limit = setTimeout(() => console.warn('slow'), 1000);
const issue = await github.getIssue({ repo: 'acme/web', issue: 1 });
clearTimeout(limit);
return structuredClone(issue.labels);`,
  `const { channels } = await slack.listChannels({ types: ['private'] });
const biggest = channels.reduce((a, b) => (a.memberCount > b.memberCount ? a : b));
await slack.postMessage({ channel: biggest.id, text: 'You are the biggest' });
return biggest.name;`,
  `const when = new Date().toISOString().slice(0, 10);
const path = \`/logs/\${when}.txt\`;
const { bytes } = await files.writeFile({ path, content: 'started', mode: 'append' });
return bytes > 0 ? (await files.readFile({ path: '/logs/x' })).size : 0;`,
  `import_: for (const n of [1, 2, 3]) {
  const issue = await github.getIssue({ repo: 'acme/web', issue: n });
  for (const label of issue.labels) if (label.name === 'skip') continue import_;
  await github.createComment({ repo: 'acme/web', issue: n, body: 'ping' });
}
return 'done';`,
  `const accounts: Record<string, typeof workGmail> = { work: workGmail, personal: personalGmail };
const counts: Record<string, number> = {};
for (const [name, account] of Object.entries(accounts)) {
  try {
    counts[name] = (await account.searchMessages({ query: 'is:unread' })).messages.length;
  } catch (error) {
    console.error((error as Error).message);
  }
}
return { counts, total: (await workGmail.searchMessages({ query: 'x' })).messages.length };`,
  `async function count(mail: typeof workGmail, query: string) {
  return (await mail.searchMessages({ query })).messages.length;
}
const both = await Promise.all([workGmail, personalGmail].map(async (mail) => count(mail, 'invoice')));
const { ts } = await slack.postMessage({ channel: '#x', text: both.join() });
return ts;`,
  `const retry = async <T>(attempt: () => Promise<T>, times = 3): Promise<T> => {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (tried === times) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** tried));
    }
  }
};
const issue = await retry(() => github.getIssue({ repo: 'acme/web', issue: 1 }));
return (await github.getIssue({ repo: 'acme/web', issue: issue.number })).title;`,
  `const queue = (await github.listIssues({ repo: 'acme/web', state: 'open' })).issues.slice();
const done: number[] = [];
async function work(): Promise<void> {
  for (let issue = queue.shift(); issue; issue = queue.shift()) {
    await github.addLabels({ repo: 'acme/web', issue: issue.number, labels: ['seen'] });
    done.push(issue.number);
  }
}
await Promise.all([work(), work()]);
return done;`,
  `const accounts = { work: workGmail, personal: personalGmail };
const which: 'work' | 'personal' = 'work';
const { messages } = await accounts[which].searchMessages({ query: 'x' });
const cache = new Map<string, Promise<github.Issue>>();
for (const { subject } of messages) cache.set(subject, github.getIssue({ repo: 'acme/web', issue: 1 }));
const issue = await cache.get('x');
return issue?.title;`,
  `const jobs = { issue: github.getIssue({ repo: 'acme/web', issue: 1 }), channels: slack.listChannels({ limit: 3 }) };
const issue = await jobs.issue;
const urgent = issue.labels.some(({ name }) => /urgent/i.test(name));
urgent ? await slack.postMessage({ channel: '#eng', text: issue.title }) : await sleep(1);
return (await jobs.channels).channels.length;`,
];
