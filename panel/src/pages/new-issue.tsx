/** Filing an issue: what is to be done, how it is checked, and who does it. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useText } from '../messages/index.js';
import { useAct, useRead } from '../server/use-api.js';
import { useMay } from '../shell/session.js';
import { Actions, Button, Form, MayNote, Page, ProblemBox } from '../ui/index.js';
import { type CheckDraft, CheckFields, newCheck, readChecks } from './check-fields.js';
import css from './pages.module.css';

/** The names in a text, which commas separate. */
export const readNames = (list: string): string[] => list.split(',').flatMap((name) => name.trim() || []);

export function NewIssue(): ReactNode {
  const text = useText();
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [body, setBody] = useState('');
  const [agent, setAgent] = useState('');
  const [apps, setApps] = useState('');
  const [repo, setRepo] = useState('');
  const [checks, setChecks] = useState<readonly CheckDraft[]>([]);
  const [wrong, setWrong] = useState<number | undefined>();
  const open = (id: string) => navigate({ to: '/tasks/issues/$id', params: { id } });
  const file = useAct('POST /api/issues');
  const assign = useAct('POST /api/issues/:id/assign', ({ id }) => open(id));
  const filed = file.data;
  const give = ({ id }: { readonly id: string }) =>
    agent === '' ? void open(id) : assign.mutate({ params: { id }, body: { agent } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // It is filed only once, even if assigning it failed.
    if (filed !== undefined) return give(filed);
    const read = readChecks(checks);
    if ('wrong' in read) return setWrong(read.wrong);
    setWrong(undefined);
    const requiredApps = readNames(apps);
    const more = {
      ...(body === '' ? {} : { body }),
      ...(repo === '' ? {} : { repo }),
      ...(requiredApps.length === 0 ? {} : { tools: { requiredApps } }),
      ...(read.checks.length === 0 ? {} : { checks: read.checks }),
    };
    file.mutate({ body: { title, ...more } }, { onSuccess: give });
  };
  return (
    <Page title={text.tasks.newIssue} back="/tasks">
      <MayNote needs="tools:call" />
      <Form needs="tools:call" className={css.form} onSubmit={submit}>
        <fieldset className={css.fields} disabled={filed !== undefined}>
          <label>
            {text.tasks.title}
            <input required maxLength={300} value={title} onChange={(event) => setTitle(event.target.value)} />
          </label>
          <label>
            {text.tasks.body} ({text.optional})
            <textarea rows={6} value={body} onChange={(event) => setBody(event.target.value)} />
          </label>
          <CheckFields checks={checks} onChange={setChecks} wrong={wrong} />
          <Actions>
            <button type="button" onClick={() => setChecks([...checks, newCheck()])}>
              {text.tasks.addCheck}
            </button>
          </Actions>
          <label>
            {text.tasks.requiredApps} ({text.optional})
            <input value={apps} onChange={(event) => setApps(event.target.value)} />
          </label>
          <label>
            {text.tasks.repo} ({text.optional})
            <input value={repo} onChange={(event) => setRepo(event.target.value)} />
          </label>
        </fieldset>
        <AgentField value={agent} onChange={setAgent} />
        <ProblemBox error={file.error ?? assign.error} />
        {filed === undefined || assign.error === null ? undefined : (
          <p>
            {text.tasks.filedNotAssigned}{' '}
            <Link to="/tasks/issues/$id" params={{ id: filed.id }}>
              {filed.title}
            </Link>
          </p>
        )}
        <Actions>
          <Button type="submit" className="primary" needs="tools:call" disabled={file.isPending || assign.isPending}>
            {filed === undefined ? text.tasks.file : text.tasks.assign}
          </Button>
        </Actions>
      </Form>
    </Page>
  );
}

interface AgentFieldProps {
  readonly value: string;
  readonly onChange: (agent: string) => void;
  readonly isRequired?: boolean;
}

/** Who should do it: a choice of agents, or a text field for people who may not read the agents. */
export function AgentField({ value, onChange, isRequired = false }: AgentFieldProps) {
  const text = useText();
  const mayRead = useMay('agents:read');
  const mayAct = useMay('agents:act');
  const { data } = useRead('GET /api/agents', { query: { limit: 200 } });
  const field = { required: isRequired, disabled: !mayAct, value };
  if (!mayRead)
    return (
      <label>
        {text.agent}
        <input {...field} placeholder={text.tasks.agentSlug} onChange={(event) => onChange(event.target.value)} />
      </label>
    );
  return (
    <label>
      {text.agent}
      <select {...field} onChange={(event) => onChange(event.target.value)}>
        <option value="">{isRequired ? '' : text.tasks.agentLater}</option>
        {(data?.agents ?? []).map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name === slug ? slug : `${name} (${slug})`}
          </option>
        ))}
      </select>
    </label>
  );
}
