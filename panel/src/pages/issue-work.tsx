/** The attempts of an issue with their runs, its checks, and what the last verification found. */
import { Link } from '@tanstack/react-router';
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { Json, Status, Table } from '../ui/index.js';
import type { IssueData } from './issue-state.js';
import { useMachineWords } from './machine.js';
import css from './pages.module.css';

type Entry = Reply<'GET /api/issues/:id/timeline'>['entries'][number];
type Check = IssueData['checks'][number];

/** A check as the verification of an issue reports it. */
interface CheckResult {
  readonly check?: string;
  readonly passed?: boolean;
  readonly reason?: string;
  readonly evidence?: unknown;
}

export function Verification({ issue }: { issue: IssueData }) {
  const text = useText();
  const results = readResults(issue.verification);
  // In the order of the checks, two of which may be called the same.
  const numbered = results.map((result, at) => ({ key: `${at}`, result }));
  if (issue.checks.length === 0 && results.length === 0) return undefined;
  return (
    <section>
      <h2>{text.tasks.checks}</h2>
      <ul className={css.rows}>
        {results.length === 0
          ? issue.checks.map((check) => (
              <li key={JSON.stringify(check)}>
                <Status kind="idle">{text.tasks.notChecked}</Status>
                <span>{text.tasks.checkKinds[check.kind]}</span>
                <span className={css.peek}>{describe(check)}</span>
              </li>
            ))
          : numbered.map(({ key, result }) => <Result key={key} result={result} />)}
      </ul>
    </section>
  );
}

function readResults(verification: unknown): readonly CheckResult[] {
  const { evidence } = (verification ?? {}) as { readonly evidence?: unknown };
  return Array.isArray(evidence) ? (evidence as readonly CheckResult[]) : [];
}

const describe = (check: Check): string =>
  check.kind === 'tool' ? check.tool : check.kind === 'model' ? check.rubric : '';

function Result({ result }: { result: CheckResult }) {
  const text = useText();
  const passed = result.passed === true;
  return (
    <li>
      <Status kind={passed ? 'ok' : 'failed'}>{passed ? text.tasks.passed : text.tasks.notPassed}</Status>
      <code>{result.check}</code>
      <span className={css.fill} lang="en">
        {result.reason ?? ''}
      </span>
      <details className={css.evidence}>
        <summary>{text.tasks.evidence}</summary>
        <Json label={`${text.tasks.evidence}: ${result.check}`} value={result.evidence ?? null} />
      </details>
    </li>
  );
}

interface AttemptRow {
  readonly attempt: number | undefined;
  /** The type of the latest event about its outcome; empty if there is none yet. */
  readonly last: string;
  readonly why: string | undefined;
}

const checked = new Set(['VERIFIED', 'REJECTED']);

/**
 * One row for each run, in the order in which they began. Nothing is known about runs that are older than the timeline.
 */
export function Attempts({ issue, entries }: { issue: IssueData; entries: readonly Entry[] }) {
  const text = useText();
  const { sayEvent } = useMachineWords();
  const rows = new Map<string, AttemptRow>();
  let current: string | undefined;
  for (const entry of entries) {
    if (entry.what !== 'event') continue;
    // The results of checks belong to the attempt, whose run had ended by then.
    const run = entry.run ?? (checked.has(entry.type) ? current : undefined);
    if (run === undefined) continue;
    current = run;
    const { attempt = rows.get(run)?.attempt, type, why } = entry;
    rows.set(run, { attempt, last: type, why });
  }
  if (issue.run !== undefined && !rows.has(issue.run))
    rows.set(issue.run, { attempt: issue.attempts, last: '', why: undefined });
  if (rows.size === 0) return undefined;
  return (
    <section>
      <h2>{text.tasks.attempts}</h2>
      <Table
        label={text.tasks.attempts}
        head={[text.tasks.run, text.tasks.lastHeard, text.why]}
        rows={[...rows].map(([run, { attempt, last, why }]) => ({
          key: run,
          cells: [
            <Link key="run" to="/runs/$id" params={{ id: run }}>
              {text.tasks.openRun(attempt ?? 1)}
            </Link>,
            last === '' ? text.tasks.phases.working : sayEvent(last),
            <span key="why" lang="en">
              {why ?? ''}
            </span>,
          ],
        }))}
      />
    </section>
  );
}
