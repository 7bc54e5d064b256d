/** What a run does and what it returned: a program as its text, the work of an agent and single calls in words, not as their JSON. */
import { useFormats, useText } from '../messages/index.js';
import { parseJson, type Reply } from '../server/request.js';
import { Code, Json, revealHidden, ToolName } from '../ui/index.js';
import css from './pages.module.css';

type RunData = Reply<'GET /api/runs/:id'>;

/** The `code` of a run that is no program. */
interface Work {
  readonly system?: string;
  readonly prompt?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: unknown }[];
}

/** What the work of an agent returns. */
interface Done {
  readonly text?: string;
  readonly output?: unknown;
  readonly steps?: number;
  readonly tokens?: number;
}

export function WhatItDoes({ run }: { run: RunData }) {
  const text = useText();
  const { system, prompt, calls } = readWork<Work>(run, parseJson(run.code));
  // The same call can be there twice.
  const numbered = calls?.map((call, at) => ({ ...call, number: at + 1 }));
  if (numbered !== undefined)
    return (
      <section>
        <h2>{text.runKinds[run.mode]}</h2>
        <ol className={css.plan}>
          {numbered.map(({ number, tool, input }) => (
            <li key={number}>
              <ToolName name={tool} />
              <Json label={`${text.args} ${number}`} value={input} />
            </li>
          ))}
        </ol>
      </section>
    );
  if (prompt === undefined)
    return (
      <section>
        <h2>{text.program}</h2>
        <Code label={text.program} text={run.code} />
      </section>
    );
  return (
    <section>
      <h2>{text.toldToAgent}</h2>
      <Code label={text.toldToAgent} text={prompt} />
      {system === undefined ? undefined : (
        <details>
          <summary>{text.rulesOfWork}</summary>
          <Code label={text.rulesOfWork} text={system} />
        </details>
      )}
    </section>
  );
}

export function Returned({ run }: { run: RunData }) {
  const text = useText();
  const { showNumber } = useFormats();
  const done = readWork<Done>(run, run.value);
  if (run.value === undefined) return undefined;
  const { steps, tokens } = done;
  return (
    <section>
      <h2>{text.returned}</h2>
      {done.text === undefined ? (
        <Json label={text.returned} value={run.value} />
      ) : (
        <>
          <p className={css.written}>{revealHidden(done.text)}</p>
          {done.output === undefined ? undefined : <Json label={text.returned} value={done.output} />}
          {steps === undefined || tokens === undefined ? undefined : (
            <p className={css.dim}>{text.tasks.used(showNumber(steps), showNumber(tokens))}</p>
          )}
        </>
      )}
    </section>
  );
}

/** Nothing of what a program wrote or returned is taken for work. */
function readWork<Read extends object>({ mode }: RunData, value: unknown): Partial<Read> {
  const isWork = (mode === 'agent' || mode === 'call') && typeof value === 'object' && value !== null;
  return isWork ? (value as Partial<Read>) : {};
}
