/** An agent's name and how it sees its tools, its tokens, and removing it. */
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import { Actions, Button, CopyCode, Empty, Form, Loaded, MayNote, Note, ProblemBox } from '../ui/index.js';
import { Ask } from './ask.js';
import { RevokeCredential } from './credentials.js';
import css from './pages.module.css';

export type AgentData = Reply<'GET /api/agents'>['agents'][number];
const modes = ['auto', 'direct', 'meta', 'code'] as const;
const workers = ['helve', 'openai-agents', 'claude-agent'] as const;

export function AgentForm({ agent }: { agent: AgentData }) {
  const text = useText();
  const navigate = useNavigate();
  const [name, setName] = useState(agent.name);
  const [toolMode, setToolMode] = useState(agent.toolMode ?? 'auto');
  const [worker, setWorker] = useState(agent.worker ?? 'helve');
  const [isRemoving, setRemoving] = useState(false);
  // Only what was changed here is sent, so that it does not undo what somebody else has changed meanwhile.
  const [was, setWas] = useState(agent);
  const save = useAct('PATCH /api/agents/:agent', (_saved, { body }) => setWas({ ...was, ...body }));
  const remove = useAct('DELETE /api/agents/:agent', () => navigate({ to: '/agents' }));
  const blocked = agent.managedBy === 'file' ? text.fromFile : undefined;
  const params = { agent: agent.slug };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({
      params,
      body: {
        ...(name === was.name ? {} : { name }),
        ...(toolMode === (was.toolMode ?? 'auto') ? {} : { toolMode }),
        ...(worker === (was.worker ?? 'helve') ? {} : { worker }),
      },
    });
  };
  return (
    <section>
      <MayNote needs="agents:write" />
      {blocked === undefined ? undefined : <Note>{blocked}</Note>}
      <Form needs="agents:write" className={css.form} onSubmit={submit}>
        <label>
          {text.name}
          <input required value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <label>
          {text.toolMode}
          <select value={toolMode} onChange={(event) => setToolMode(event.target.value as typeof toolMode)}>
            {modes.map((mode) => (
              <option key={mode} value={mode}>
                {text.toolModes[mode]}: {text.toolModesHow[mode]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {text.worker}
          <select value={worker} onChange={(event) => setWorker(event.target.value as typeof worker)}>
            {workers.map((one) => (
              <option key={one} value={one}>
                {text.workers[one]}
              </option>
            ))}
          </select>
        </label>
        <ProblemBox error={save.error} />
        <Actions>
          <Button type="submit" className="primary" needs="agents:write" blocked={blocked} disabled={save.isPending}>
            {text.save}
          </Button>
          <Button needs="agents:write" blocked={blocked} onClick={() => setRemoving(true)}>
            {text.remove}
          </Button>
        </Actions>
        {save.isSuccess ? <p role="status">{text.saved}</p> : undefined}
      </Form>
      {isRemoving ? (
        <Ask
          title={text.removeAsk(agent.name)}
          verb={text.remove}
          act={remove}
          onYes={() => remove.mutate({ params })}
          onClose={() => setRemoving(false)}
        >
          {text.removeAgentHow}
        </Ask>
      ) : undefined}
    </section>
  );
}

export function Tokens({ agent }: { agent: AgentData }) {
  const text = useText();
  const { showTime } = useFormats();
  const credentials = useRead('GET /api/credentials');
  const issue = useAct('POST /api/agents/:agent/tokens');
  return (
    <section>
      <h2>{text.mcpAddress}</h2>
      <p className={css.dim}>{text.mcpAddressHow}</p>
      <CopyCode label={text.mcpAddress} text={mcpAddress(agent.slug)} />
      <h2>{text.tokensTitle}</h2>
      <Actions>
        <Button
          needs="agents:write"
          disabled={issue.isPending}
          onClick={() => issue.mutate({ params: { agent: agent.slug }, body: {} })}
        >
          {text.issueToken}
        </Button>
      </Actions>
      <ProblemBox error={issue.error} />
      {issue.data === undefined ? undefined : <NewToken slug={agent.slug} secret={issue.data.secret} />}
      <Loaded query={credentials} rows={2}>
        {(data) => {
          const own = data.credentials.filter(
            ({ principalId, revokedAt }) => principalId === agent.id && revokedAt === undefined,
          );
          return own.length === 0 ? (
            <Empty>{text.noTokens}</Empty>
          ) : (
            <ul className={css.rows}>
              {own.map(({ id, name, prefix, createdAt, expiresAt }) => (
                <li key={id}>
                  <code>{prefix}…</code>
                  <span>{name}</span>
                  <span className={css.dim}>{showTime(createdAt)}</span>
                  {expiresAt === undefined ? undefined : <span>{text.until(showTime(expiresAt))}</span>}
                  <span className={css.end}>
                    <RevokeCredential id={id} name={name} />
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

function NewToken({ slug, secret }: { slug: string; secret: string }) {
  const text = useText();
  const url = mcpAddress(slug);
  const headers = { Authorization: `Bearer ${secret}` };
  return (
    <div role="status">
      <p>{text.tokenOnce}</p>
      <CopyCode label={text.token} text={secret} />
      <p>{text.snippet}</p>
      <CopyCode
        label={text.snippet}
        text={`claude mcp add --transport http helve ${url} --header "Authorization: Bearer ${secret}"`}
      />
      <p>{text.snippetJson}</p>
      <CopyCode label={text.snippetJson} text={JSON.stringify({ mcpServers: { helve: { url, headers } } }, null, 2)} />
    </div>
  );
}

function mcpAddress(slug: string): string {
  return `${location.origin}/mcp/${slug}`;
}
