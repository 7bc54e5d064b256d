/**
 * The insert of audit rows, as texts created once and values to bind. Binding is most of the cost of a row, so the two
 * rows of a call that started and finished in one commit share their common values.
 */
import type { Parameter } from './engine.js';
import type { AuditEventRow } from './schema.js';

const rowsPerInsert = 32;
const columns = `workspace_id, seq, at, type, execution_id, tool,
  actor_kind, actor_id, actor_name, on_behalf_of, body, hash`;

interface Form {
  readonly rows: number;
  readonly parameters: number;
  /** The text of its rows, with positions relative to the statement's first; `own(n)` is its nth parameter. */
  text(place: number, own: (index: number) => string): string;
  values(rows: readonly AuditEventRow[], first: number): Parameter[];
}

const place = (ahead: number): string => `?1, cast(?2 as bigint) + ${ahead}`;

const single: Form = {
  rows: 1,
  parameters: 10,
  text: (at, own) => `(${place(at)}, ${Array.from({ length: 10 }, (_, index) => own(index)).join(', ')})`,
  values(rows, first) {
    const row = rows[first];
    return row ? [row.at, row.type, ...subject(row), row.body, row.hash] : [];
  },
};

const pair: Form = {
  rows: 2,
  parameters: 12,
  text(at, own) {
    const shared = [0, 1, 2, 3, 4, 5].map(own).join(', ');
    return `(${place(at)}, ${own(6)}, 'execution.started', ${shared}, ${own(7)}, ${own(8)}),
      (${place(at + 1)}, ${own(9)}, 'execution.finished', ${shared}, ${own(10)}, ${own(11)})`;
  },
  values(rows, first) {
    const [start, finish] = [rows[first], rows[first + 1]];
    if (!start || !finish) return [];
    return [...subject(start), start.at, start.body, start.hash, finish.at, finish.body, finish.hash];
  },
};

function subject(row: AuditEventRow): Parameter[] {
  return [row.execution_id, row.tool, row.actor_kind, row.actor_id, row.actor_name, row.on_behalf_of];
}

const texts = new Map<Form, Map<number, string>>([
  [single, new Map()],
  [pair, new Map()],
]);

function toText(form: Form, count: number): string {
  const known = texts.get(form)?.get(count);
  if (known !== undefined) return known;
  const items = Array.from({ length: count }, (_, item) =>
    form.text(item * form.rows, (index) => `?${3 + item * form.parameters + index}`),
  );
  const made = `insert into audit_events (${columns}) values ${items.join(', ')}`;
  texts.get(form)?.set(count, made);
  return made;
}

/** The statements that add the rows of one chain, in SQLite's syntax. The rows follow each other without gaps. */
export function* insertStatements(rows: readonly AuditEventRow[]): Generator<{ sql: string; parameters: Parameter[] }> {
  const form = arePairs(rows) ? pair : single;
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const end = Math.min(start + rowsPerInsert, rows.length);
    const head = rows[start];
    if (!head) return;
    const parameters: Parameter[] = [head.workspace_id, head.seq];
    for (let row = start; row < end; row += form.rows) parameters.push(...form.values(rows, row));
    yield { sql: toText(form, (end - start) / form.rows), parameters };
  }
}

function arePairs(rows: readonly AuditEventRow[]): boolean {
  if (rows.length % 2 !== 0) return false;
  for (let row = 0; row < rows.length; row += 2) if (!isPair(rows[row], rows[row + 1])) return false;
  return true;
}

function isPair(start: AuditEventRow | undefined, finish: AuditEventRow | undefined): boolean {
  return (
    start?.type === 'execution.started' &&
    finish?.type === 'execution.finished' &&
    start.execution_id === finish.execution_id &&
    start.tool === finish.tool &&
    start.actor_kind === finish.actor_kind &&
    start.actor_id === finish.actor_id &&
    start.actor_name === finish.actor_name &&
    start.on_behalf_of === finish.on_behalf_of
  );
}
