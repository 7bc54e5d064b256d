/** The fields of the checks of an issue. Only kinds that can be run are offered. */
import { useText } from '../messages/index.js';
import { parseJson, type RequestOptions } from '../server/request.js';
import css from './pages.module.css';

type Check = NonNullable<RequestOptions<'POST /api/issues'>['body']['checks']>[number];
const kinds = ['output', 'tool', 'pull_request', 'model'] as const;

/** A check as it is written: its fields are texts, of which the kind uses some. */
export interface CheckDraft {
  readonly key: string;
  readonly kind: (typeof kinds)[number];
  readonly schema: string;
  readonly tool: string;
  readonly input: string;
  readonly rubric: string;
}

export function newCheck(): CheckDraft {
  const schema = JSON.stringify({ type: 'object' }, null, 2);
  return { key: crypto.randomUUID(), kind: 'output', schema, tool: '', input: '', rubric: '' };
}

/** The checks, or the position of the first check with invalid JSON. */
export function readChecks(drafts: readonly CheckDraft[]): { checks: Check[] } | { wrong: number } {
  const checks = drafts.map(readCheck);
  const wrong = checks.indexOf(undefined);
  return wrong >= 0 ? { wrong } : { checks: checks.filter((check) => check !== undefined) };
}

function readCheck({ kind, schema, tool, input, rubric }: CheckDraft): Check | undefined {
  switch (kind) {
    case 'pull_request':
      return { kind };
    case 'model':
      return { kind, rubric };
    case 'output': {
      const form = readObject(schema);
      return form && { kind, schema: form };
    }
    case 'tool': {
      const form = readObject(schema);
      const given = input.trim() === '' ? {} : readObject(input);
      return form && given && { kind, tool, arguments: given as never, schema: form };
    }
  }
}

function readObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

interface CheckFieldsProps {
  readonly checks: readonly CheckDraft[];
  readonly onChange: (checks: readonly CheckDraft[]) => void;
  /** The position of the check with invalid JSON. */
  readonly wrong: number | undefined;
}

export function CheckFields({ checks, onChange, wrong }: CheckFieldsProps) {
  const text = useText();
  const change = (key: string, part: Partial<CheckDraft>) =>
    onChange(checks.map((check) => (check.key === key ? { ...check, ...part } : check)));
  return (
    <>
      <h2>{text.tasks.checks}</h2>
      <p className={css.dim}>{text.tasks.checksHow}</p>
      {checks.map((check, at) => (
        <fieldset key={check.key} className={css.choices}>
          <legend>{text.tasks.checkOf(at + 1)}</legend>
          <OneCheck check={check} onChange={(part) => change(check.key, part)} />
          {wrong === at ? <p role="alert">{text.notJson}</p> : undefined}
          <button
            type="button"
            aria-label={text.tasks.removeCheck(at + 1)}
            onClick={() => onChange(checks.filter(({ key }) => key !== check.key))}
          >
            {text.remove}
          </button>
        </fieldset>
      ))}
    </>
  );
}

function OneCheck({ check, onChange }: { check: CheckDraft; onChange: (part: Partial<CheckDraft>) => void }) {
  const text = useText();
  const { kind } = check;
  return (
    <>
      <label>
        {text.tasks.checkKind}
        <select value={kind} onChange={(event) => onChange({ kind: event.target.value as CheckDraft['kind'] })}>
          {kinds.map((each) => (
            <option key={each} value={each}>
              {text.tasks.checkKinds[each]}
            </option>
          ))}
        </select>
      </label>
      {kind === 'tool' ? (
        <>
          <label>
            {text.tasks.checkTool}
            <input required value={check.tool} onChange={(event) => onChange({ tool: event.target.value })} />
          </label>
          <label>
            {text.argsOptional}
            <textarea rows={2} value={check.input} onChange={(event) => onChange({ input: event.target.value })} />
          </label>
        </>
      ) : undefined}
      {kind === 'tool' || kind === 'output' ? (
        <label>
          {text.tasks.schema}
          <textarea
            required
            rows={4}
            value={check.schema}
            onChange={(event) => onChange({ schema: event.target.value })}
          />
        </label>
      ) : undefined}
      {kind === 'model' ? (
        <label>
          {text.tasks.rubric}
          <textarea
            required
            rows={3}
            value={check.rubric}
            onChange={(event) => onChange({ rubric: event.target.value })}
          />
        </label>
      ) : undefined}
    </>
  );
}
