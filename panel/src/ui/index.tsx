/** The parts that every page is made of. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { sayFailure } from '../messages/failure-words.js';
import { useFormats, useText } from '../messages/index.js';
import { useLive } from '../server/live.js';
import { Problem } from '../server/request.js';
import { type Permission, useMay } from '../shell/session.js';
import css from './ui.module.css';

export { Dialog } from './dialog.js';
export { useIsPast } from './use-is-past.js';

const marks: Readonly<Record<string, string>> = {
  ok: '●',
  active: '●',
  approved: '●',
  used: '●',
  succeeded: '●',
  done: '●',
  allow: '✓',
  failed: '▲',
  error: '▲',
  rejected: '▲',
  diverged: '▲',
  interrupted: '▲',
  refused: '■',
  expired: '■',
  deny: '✗',
  disabled: '–',
  revoked: '–',
  cancelled: '–',
  withdrawn: '–',
  unknown: '–',
  idle: '·',
  queued: '○',
  running: '○',
  preparing: '○',
  executing: '○',
  verifying: '○',
  pending: '◆',
  waiting: '◆',
  blocked: '◆',
  in_doubt: '◆',
  require_approval: '◆',
  added: '◆',
  invited: '◆',
};

/** A state as shape, word and colour. */
export function Status({ kind, children }: { kind: string; children: ReactNode }) {
  return (
    <span className={`${css.status} ${css[kind] ?? ''}`} data-mark={marks[kind] ?? '·'}>
      {children}
    </span>
  );
}

/** How long ago something was, with the time itself as a hint. */
export function Ago({ at }: { at: string }) {
  const { showDistance, showTime } = useFormats();
  return (
    <time className={css.ago} dateTime={at} title={showTime(at)}>
      {showDistance(at)}
    </time>
  );
}

/** A model-facing name in its two parts: the slug of the account, framed, and the name of the tool. */
export function ToolName({ name }: { name: string }) {
  const parts = /^(.+?)(?:__|\.)(.+)$/.exec(name);
  if (parts === null) return <span className={css.name}>{name}</span>;
  return (
    <span className={css.name}>
      <Slug slug={parts[1] ?? ''} />
      {parts[2]}
    </span>
  );
}

export function Slug({ slug }: { slug: string }) {
  return <span className={`${css.name} ${css.slug}`}>{slug}</span>;
}

export function Empty({ children }: { children: ReactNode }) {
  return <div className={css.state}>{children}</div>;
}

/** Rows in the final size. They appear after 300 ms, so that a quick answer does not flicker. */
function Skeleton({ rows = 6 }: { rows?: number | undefined }) {
  const text = useText();
  return (
    <div className={css.skeleton} role="status" aria-label={text.loading}>
      {Array.from({ length: rows }, (_, at) => `row ${at}`).map((key) => (
        <span key={key} />
      ))}
    </div>
  );
}

/** An error in the place where its result would be: what, why, what helps, and another attempt. */
export function ProblemBox({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const text = useText();
  if (error === null || error === undefined) return undefined;
  const { code, message, hint } =
    error instanceof Problem ? error : { code: '', message: String(error), hint: undefined };
  return (
    <div className={css.problem} role="alert">
      <p>
        <strong>{text.problems[code as keyof typeof text.problems] ?? text.problem}</strong>
      </p>
      <p lang="en">{message}</p>
      {hint === undefined ? undefined : <p lang="en">{hint}</p>}
      {onRetry === undefined ? undefined : (
        <button type="button" onClick={onRetry}>
          {text.retry}
        </button>
      )}
    </div>
  );
}

/** What a person must know before they go on. `lang`: of a text that the server wrote. */
export function Note({ lang, children }: { lang?: 'en'; children: ReactNode }) {
  return (
    <p className={css.note} lang={lang}>
      {children}
    </p>
  );
}

interface FailureProps {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly hint: string | undefined;
  /** Where it failed, such as a line of a program. */
  readonly place?: string | undefined;
}

/** The error with which a call or a program has ended. */
export function Failure({ code, message, hint, place }: FailureProps) {
  const text = useText();
  const words = sayFailure(text, code);
  return (
    <div className={css.failure}>
      {words === undefined ? undefined : (
        <p>
          <strong>{words}</strong>
        </p>
      )}
      <p lang="en">
        {words === undefined ? <code>{code}</code> : undefined} {message}
        {place === undefined ? '' : ` (${place})`}
      </p>
      {hint === undefined ? undefined : <p lang="en">{hint}</p>}
    </div>
  );
}

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'> & {
    readonly missing?: Permission | undefined;
  };
  /** How many rows the content will have, for the skeleton. */
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the data, or in its place that it is loading, or why it could not be loaded. */
export function Loaded<Data>({ query, rows, children }: LoadedProps<Data>) {
  if (query.missing !== undefined) return <MayNote needs={query.missing} />;
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ProblemBox error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton rows={rows} />;
}

interface PageProps {
  readonly title: string;
  /** The list that the page belongs to. */
  readonly back?: ComponentProps<typeof Link>['to'];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, back, actions, children }: PageProps) {
  const text = useText();
  // The name of what a page shows is known only when it has been read.
  useEffect(() => {
    document.title = `${title} · Helve`;
  }, [title]);
  return (
    <>
      {back === undefined ? undefined : (
        <p className={css.back}>
          <Link to={back}>← {text.back}</Link>
        </p>
      )}
      <div className={css.heading}>
        <h1>{title}</h1>
        {actions === undefined ? undefined : <div className={css.actions}>{actions}</div>}
      </div>
      {children}
    </>
  );
}

export function Actions({ children }: { children: ReactNode }) {
  return <div className={css.actions}>{children}</div>;
}

type ButtonProps = Omit<ComponentProps<'button'>, 'title'> & {
  /** What the person must be permitted. Without it the button is disabled and says so. */
  readonly needs?: Permission;
  /** Why the button is disabled although the person is permitted; undefined: it is not. */
  readonly blocked?: string | undefined;
};

/** A button that is disabled, with the reason, for those who may not use it. The server decides; this only explains. */
export function Button({ needs, blocked, disabled, type = 'button', ...props }: ButtonProps) {
  const text = useText();
  const may = useMay(needs);
  const { lostSince } = useLive();
  const reason =
    lostSince !== undefined ? text.noAnswer : may ? blocked : text.mayNot(text.permissions[needs ?? ''] ?? '');
  return (
    <button {...props} type={type} disabled={disabled === true || reason !== undefined} {...{ title: reason ?? '' }} />
  );
}

interface MayLinkProps {
  readonly needs: Permission;
  readonly children: ReactElement<{ children?: ReactNode }>;
}

/** A link to where something is done. Those who may not do it see a disabled button, with the reason. */
export function MayLink({ needs, children }: MayLinkProps) {
  return useMay(needs) ? children : <Button needs={needs}>{children.props.children}</Button>;
}

type FormProps = ComponentProps<'form'> & {
  /** What the person must be permitted. Without it nothing can be typed that could not be sent. */
  readonly needs: Permission;
};

/** A form whose fields are disabled for those who may not send it. */
export function Form({ needs, children, ...props }: FormProps) {
  const may = useMay(needs);
  return (
    <form {...props}>
      {may ? (
        children
      ) : (
        <fieldset className={css.shut} disabled>
          {children}
        </fieldset>
      )}
    </form>
  );
}

/** Says above a form why it cannot be used. */
export function MayNote({ needs }: { needs: Permission }) {
  const text = useText();
  const may = useMay(needs);
  return may ? undefined : <Note>{text.mayNot(text.permissions[needs] ?? '')}</Note>;
}

export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  const shown = rows.filter(([, value]) => value !== undefined && value !== '');
  return (
    <dl className={css.facts}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface TableProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/** A table for tens of rows; longer ones are a `List`. On a phone it scrolls sideways within itself. */
export function Table({ label, head, rows }: TableProps) {
  return (
    <section className={css.wide} aria-label={label}>
      <table className={css.table}>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, at) => (
                <td key={head[at]} data-head={head[at]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The rule that decided about a call. A grant has no name that a person would know: the end of its id tells it from others. */
export function RuleName({ rule }: { rule: string }) {
  const text = useText();
  const [, id, limits] = /^grant:([^.]+)(\.limits)?$/.exec(rule) ?? [];
  if (id === undefined) return <code>{rule}</code>;
  const end = id.slice(-4);
  return <span title={rule}>{limits === undefined ? text.grantRule(end) : text.grantLimitsRule(end)}</span>;
}

/** Text of others as it is. Characters that cannot be seen, or that turn the reading direction, become their code. */
export function revealHidden(text: string): string {
  return text.replace(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (one) => `⟨U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** A value as JSON, or a text as it is, in a box that can be scrolled by keyboard. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return <Code label={label} text={JSON.stringify(value, null, 2) ?? ''} />;
}

export function Code({ text, label }: { text: string; label: string }) {
  return (
    <section aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{revealHidden(text)}</pre>
    </section>
  );
}

/** A text that people take elsewhere, with a button that copies it. */
export function CopyCode({ text: copied, label }: { text: string; label: string }) {
  const text = useText();
  const box = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      // Absent if the page was not loaded over HTTPS or from this machine.
      await navigator.clipboard.writeText(copied);
      setSaid(text.copied);
    } catch {
      const shown = box.current?.querySelector('pre');
      if (shown) getSelection()?.selectAllChildren(shown);
      setSaid(text.notCopied);
    }
  };
  return (
    <div ref={box}>
      <Code label={label} text={copied} />
      <Actions>
        <button type="button" aria-label={`${text.copy}: ${label}`} onClick={copy}>
          {text.copy}
        </button>
        <span role="status">{said}</span>
      </Actions>
    </div>
  );
}
