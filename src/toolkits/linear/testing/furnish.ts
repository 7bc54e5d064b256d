/** A small company in Linear's counterpart. */
import { type Kind, type Row, time, type Workspace } from './workspace.js';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
export const ids = {
  eng: id(1),
  ops: id(2),
  ada: id(11),
  bob: id(12),
  todo: id(21),
  done: id(22),
  waiting: id(23),
  bug: id(31),
  engBug: id(32),
  docs: id(33),
  apollo: id(41),
  planned: id(51),
  started: id(52),
  cycle: id(61),
  issue: id(71),
  other: id(72),
  comment: id(81),
  acme: id(90),
} as const;

/** Fields that all rows of a kind have unless a row says otherwise. */
const common: Readonly<Partial<Record<Kind, object>>> = {
  User: { active: true, admin: false, guest: false },
  IssueLabel: { color: '#ff0000', description: null, isGroup: false, parent: null },
  Project: {
    startDate: null,
    targetDate: null,
    content: null,
    progress: 0.5,
    priority: 1,
    url: 'https://linear.app/acme/project/x',
  },
  Issue: {
    url: 'https://linear.app/acme/issue/x',
    description: 'It *breaks*',
    priority: 2,
    estimate: 3,
    dueDate: null,
    completedAt: null,
    cycle: null,
    parent: null,
  },
  Comment: { url: 'https://linear.app/c', parent: null, editedAt: null },
};

export function furnish({ put }: Workspace): void {
  const add = (kind: Kind, row: Row) => put(kind, { ...common[kind], ...row });
  const organization = add('Organization', { id: ids.acme, name: 'Acme', urlKey: 'acme' });
  const ways = { description: null, timezone: 'Europe/Berlin', issueEstimationType: 'fibonacci', cyclesEnabled: true };
  const eng = add('Team', { ...ways, id: ids.eng, key: 'ENG', name: 'Engineering' });
  const ops = add('Team', { ...ways, id: ids.ops, key: 'OPS', name: 'Operations' });
  const mail = (name: string) => ({ displayName: name, email: `${name}@example.com`, organization });
  const ada = add('User', { ...mail('ada'), id: ids.ada, name: 'Ada Lovelace', isMe: true });
  add('User', { ...mail('bob'), id: ids.bob, name: 'Bob', isMe: false });
  const todo = add('WorkflowState', { id: ids.todo, name: 'Todo', type: 'unstarted', team: eng });
  add('WorkflowState', { id: ids.done, name: 'Done', type: 'completed', team: eng });
  add('WorkflowState', { id: ids.waiting, name: 'Waiting', type: 'unstarted', team: ops });
  add('IssueLabel', { id: ids.bug, name: 'Bug', team: null });
  const engBug = add('IssueLabel', { id: ids.engBug, name: 'Bug', team: eng });
  add('IssueLabel', { id: ids.docs, name: 'Docs', team: null });
  const status = add('ProjectStatus', { id: ids.planned, name: 'Planned', type: 'planned' });
  add('ProjectStatus', { id: ids.started, name: 'In Progress', type: 'started' });
  const moon = { name: 'Apollo', slugId: 'a1b2c3', description: 'To the Moon', accessibleTeams: [eng] };
  const project = add('Project', { ...moon, id: ids.apollo, status, lead: ada, teams: [eng] });
  const now = { startsAt: time, endsAt: time, isActive: true, isNext: false };
  add('Cycle', { ...now, id: ids.cycle, number: 7, name: null, progress: 0.25, team: eng });
  const ours = { state: todo, team: eng, creator: ada };
  const broken = { identifier: 'ENG-1', number: 1, title: 'Broken button', assignee: ada, project, labels: [engBug] };
  add('Issue', { ...ours, ...broken, id: ids.issue });
  const slow = { identifier: 'ENG-2', number: 2, title: 'Slow page', assignee: null, project: null, labels: [] };
  const issue = add('Issue', { ...ours, ...slow, id: ids.other });
  add('Comment', { id: ids.comment, body: 'Me too', user: ada, issue });
}
