/** What one level says about the tools of tasks, to be changed. */
import { type FormEvent, useState } from 'react';
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct } from '../server/use-api.js';
import { Actions, Button, Form, MayNote, Note, ProblemBox } from '../ui/index.js';
import { readNames } from './new-issue.js';
import css from './pages.module.css';
import type { Place } from './tool-config.js';

type Config = Reply<'GET /api/tool-config/:level/:id'>;

export function ToolConfigForm({ place, config }: { place: Place; config: Config }) {
  // What the form began with, or what it saved. It keeps what is typed meanwhile, also if another changes the level.
  const [base, setBase] = useState(config);
  const [fills, setFills] = useState(0);
  const reload = () => {
    setBase(config);
    setFills(fills + 1);
  };
  return <Fields key={fills} place={place} base={base} now={config} onSaved={setBase} onReload={reload} />;
}

interface FieldsProps {
  readonly place: Place;
  readonly base: Config;
  readonly now: Config;
  readonly onSaved: (config: Config) => void;
  /** Fills the form with `now`. */
  readonly onReload: () => void;
}

function Fields({ place, base, now, onSaved, onReload }: FieldsProps) {
  const text = useText();
  const [isOnly, setOnly] = useState(base.enabled !== undefined);
  const [enabled, setEnabled] = useState((base.enabled ?? []).join(', '));
  const [disabled, setDisabled] = useState((base.disabled ?? []).join(', '));
  const [required, setRequired] = useState((base.requiredApps ?? []).join(', '));
  const [isOff, setOff] = useState(base.includeDefaults === false);
  const save = useAct('PUT /api/tool-config/:level/:id', onSaved);
  const isOld = !save.isPending && JSON.stringify(now) !== JSON.stringify(base);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lists = { disabled: readNames(disabled), requiredApps: readNames(required) };
    const body = {
      ...(isOnly ? { enabled: readNames(enabled) } : {}),
      ...(lists.disabled.length === 0 ? {} : { disabled: lists.disabled }),
      ...(lists.requiredApps.length === 0 ? {} : { requiredApps: lists.requiredApps }),
      ...(isOff ? { includeDefaults: false } : {}),
    };
    save.mutate({ params: place, body, ifMatch: base.version });
  };
  return (
    <Form needs="grants:write" className={css.form} onSubmit={submit}>
      <MayNote needs="grants:write" />
      {isOld ? (
        <>
          <Note>{text.problems.precondition_failed}</Note>
          <Actions>
            <button type="button" onClick={onReload}>
              {text.reload}
            </button>
          </Actions>
        </>
      ) : undefined}
      <label className={css.check}>
        <input type="checkbox" checked={isOnly} onChange={(event) => setOnly(event.target.checked)} />
        {text.tasks.onlyThese}
      </label>
      {isOnly ? (
        <label>
          {text.tasks.enabledApps}
          <input value={enabled} onChange={(event) => setEnabled(event.target.value)} />
        </label>
      ) : undefined}
      <label>
        {text.tasks.disabledApps}
        <input value={disabled} onChange={(event) => setDisabled(event.target.value)} />
      </label>
      <label>
        {text.tasks.requiredApps}
        <input value={required} onChange={(event) => setRequired(event.target.value)} />
      </label>
      <label className={css.check}>
        <input type="checkbox" checked={isOff} onChange={(event) => setOff(event.target.checked)} />
        {text.tasks.withoutDefaults}
      </label>
      <ProblemBox error={save.error} />
      <Actions>
        <Button type="submit" className="primary" needs="grants:write" disabled={save.isPending || isOld}>
          {text.save}
        </Button>
      </Actions>
      {save.isSuccess ? <p role="status">{text.saved}</p> : undefined}
    </Form>
  );
}
