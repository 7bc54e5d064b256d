/** What would happen to a call: asked layer by layer. Nothing runs. */
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useText } from '../messages/index.js';
import { parseJson } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { Actions, Button, Form, Loaded, MayNote, Page } from '../ui/index.js';
import { Ladder } from './ladder.js';
import css from './pages.module.css';

const route = getRouteApi('/find/explain');

export function Explain(): ReactNode {
  const text = useText();
  const search = route.useSearch();
  const navigate = useNavigate();
  const agents = useRead('GET /api/agents').data?.agents ?? [];
  const [agent, setAgent] = useState(search.agent ?? '');
  const [tool, setTool] = useState(search.tool ?? '');
  const [input, setInput] = useState(search.input ?? '');
  const [isWrong, setWrong] = useState(false);
  const chosen = agents.find(({ id, slug }) => id === agent || slug === agent) ?? agents[0];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isReadable = input.trim() === '' || readObject(input) !== undefined;
    setWrong(!isReadable);
    if (!isReadable) return;
    // The account of a call that is asked about again is not in the name of its tool.
    const same = tool === search.tool ? { connection: search.connection, onBehalfOf: search.onBehalfOf } : {};
    void navigate({
      to: '/find/explain',
      search: { agent: chosen?.slug, tool, ...same, input: input.trim() || undefined },
    });
  };
  return (
    <Page title={text.explainTitle} back="/find">
      <p className={css.dim}>{text.explainHow}</p>
      <MayNote needs="policies:read" />
      <Form needs="policies:read" className={css.form} onSubmit={submit}>
        <label>
          {text.agent}
          <select value={chosen?.slug ?? ''} onChange={(event) => setAgent(event.target.value)}>
            {agents.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {text.tool}
          <input required value={tool} onChange={(event) => setTool(event.target.value)} />
        </label>
        <label>
          {text.argsOptional}
          <textarea
            rows={4}
            value={input}
            aria-invalid={isWrong}
            onChange={(event) => setInput(event.target.value)}
            spellCheck={false}
          />
          {isWrong ? <span role="alert">{text.notJson}</span> : undefined}
        </label>
        <Actions>
          <Button type="submit" className="primary" needs="policies:read">
            {text.ask}
          </Button>
        </Actions>
      </Form>
      {search.tool === undefined || search.agent === undefined ? undefined : (
        <Answer {...search} agent={search.agent} tool={search.tool} />
      )}
    </Page>
  );
}

interface AnswerProps {
  readonly agent: string;
  readonly tool: string;
  readonly connection?: string | undefined;
  /** The person for whom the agent acts. */
  readonly onBehalfOf?: string | undefined;
  readonly input?: string | undefined;
}

function Answer({ agent, tool, connection, onBehalfOf, input }: AnswerProps) {
  const given = input === undefined ? undefined : readObject(input);
  const explained = useRead('POST /api/explain', {
    body: {
      agent,
      tool,
      ...(connection === undefined ? {} : { connection }),
      ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
      ...(given === undefined ? {} : { input: given }),
    },
  });
  return <Loaded query={explained}>{(explanation) => <Ladder explanation={explanation} agent={agent} />}</Loaded>;
}

function readObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
