/** The policies: in words, as JSON, and what a changed set would have done to the recorded calls, before it is saved. */
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { parseJson, type Reply } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import { useMay } from '../shell/session.js';
import {
  Actions,
  Button,
  Empty,
  Loaded,
  MayNote,
  Note,
  Page,
  ProblemBox,
  RuleName,
  Status,
  ToolName,
} from '../ui/index.js';
import { NewRule } from './new-rule.js';
import css from './pages.module.css';
import { SettingsTabs } from './settings-tabs.js';

const route = getRouteApi('/settings/policies');
type PolicySet = Reply<'GET /api/policies'>;
export type Policy = PolicySet['policies'][number];
type Preview = Reply<'POST /api/policies/preview'>;

export function Policies(): ReactNode {
  const text = useText();
  const policies = useRead('GET /api/policies');
  return (
    <Page title={text.settingsTabs.policies}>
      <SettingsTabs />
      <Loaded query={policies}>
        {(set) => (
          <>
            <InWords set={set} />
            <Editor set={set} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function InWords({ set }: { set: PolicySet }) {
  const text = useText();
  if (set.policies.length === 0) return <Empty>{text.noPolicies}</Empty>;
  return (
    <ul className={css.rows}>
      {set.policies.map((policy) => {
        const without = set.withoutEffect.filter((each) => each.policy === policy.id);
        return (
          <li key={policy.id}>
            <Status kind={policy.effect}>{text.effects[policy.effect]}</Status>
            <span className={css.fill}>{describe(policy, text)}</span>
            <code>{policy.id}</code>
            {without.map(({ path, message, nearest }) => (
              <Note key={path} lang="en">
                {path}: {message} {nearest}
              </Note>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

/** The conditions of a policy as one phrase. */
function describe({ when, rateLimit, reason }: Policy, text: ReturnType<typeof useText>): string {
  const parts = [
    when.tools === undefined ? undefined : `${text.tools}: ${when.tools.join(', ')}`,
    when.toolkits === undefined ? undefined : `${text.apps}: ${when.toolkits.join(', ')}`,
    when.risk === undefined ? undefined : `${text.risk}: ${when.risk.map((risk) => text.risks[risk]).join(', ')}`,
    when.agents === undefined ? undefined : `${text.nav.agents}: ${when.agents.join(', ')}`,
    when.arguments === undefined ? undefined : `${text.args}: ${JSON.stringify(when.arguments)}`,
    rateLimit === undefined ? undefined : text.atMost(rateLimit.calls, rateLimit.seconds),
    reason === undefined ? undefined : `“${reason}”`,
  ];
  return parts.filter((part) => part !== undefined).join(' · ') || text.everyCall;
}

const toText = ({ policies }: PolicySet): string => JSON.stringify(policies, null, 2);

/**
 * What a person writes, and `base`, the set that it was made from. What somebody else saves is taken over, unless something was
 * written here meanwhile.
 */
function useDraft(set: PolicySet) {
  const [base, setBase] = useState(set);
  const [json, setJson] = useState(() => toText(set));
  const take = (taken: PolicySet) => {
    setBase(taken);
    setJson(toText(taken));
  };
  /** What was written while `sent` was saved is kept. */
  const takeSaved = (saved: PolicySet, sent: unknown) => {
    setBase(saved);
    setJson((written) => (isSame(readPolicies(written), sent) ? toText(saved) : written));
  };
  if (set.version !== base.version && json === toText(base)) take(set);
  return { json, setJson, base, take, takeSaved };
}

function Editor({ set }: { set: PolicySet }) {
  const text = useText();
  const may = useMay('policies:write');
  const search = route.useSearch();
  const { json, setJson, base, take, takeSaved } = useDraft(set);
  const [previewed, setPreviewed] = useState<unknown>();
  const preview = useAct('POST /api/policies/preview', (_reply, { body }) => setPreviewed(body.policies));
  const save = useAct('PUT /api/policies', (saved, { body }) => takeSaved(saved, body.policies));
  const policies = readPolicies(json);
  const isChanged = json !== toText(base);
  const isOutdated = set.version !== base.version && !save.isPending;
  const blocked = isOutdated ? text.changedMeanwhile : isSame(previewed, policies) ? undefined : text.previewFirst;
  return (
    <section>
      <h2>{text.change}</h2>
      <MayNote needs="policies:write" />
      <NewRule
        key={JSON.stringify(search)}
        tools={search.tool ?? ''}
        agents={search.agent ?? ''}
        onAdd={(policy) => setJson(JSON.stringify([...(policies ?? []), policy], null, 2))}
      />
      <label className={css.editor}>
        {text.policiesJson}
        <textarea
          rows={16}
          spellCheck={false}
          readOnly={!may}
          value={json}
          aria-invalid={policies === undefined}
          onChange={(event) => setJson(event.target.value)}
        />
        {policies === undefined ? <span role="alert">{text.notJson}</span> : undefined}
      </label>
      {isOutdated ? <Note>{text.changedMeanwhile}</Note> : undefined}
      <ProblemBox error={preview.error ?? save.error} />
      <Actions>
        <Button
          needs="policies:read"
          disabled={policies === undefined || preview.isPending}
          onClick={() => preview.mutate({ body: { policies: policies ?? [] } })}
        >
          {preview.isPending ? text.loading : text.preview}
        </Button>
        <Button
          needs="policies:write"
          className="primary"
          blocked={blocked}
          disabled={!isChanged || save.isPending}
          onClick={() => save.mutate({ body: { policies: policies ?? [] }, ifMatch: base.version })}
        >
          {text.save}
        </Button>
        {isChanged ? (
          <button type="button" onClick={() => take(set)}>
            {text.discard}
          </button>
        ) : undefined}
      </Actions>
      {preview.data === undefined ? undefined : <Replay preview={preview.data} />}
    </section>
  );
}

const outcomes = ['newlyRefused', 'newlyWaiting', 'newlyFree', 'unknown', 'same'] as const;
const kinds = {
  newlyRefused: 'deny',
  newlyWaiting: 'require_approval',
  newlyFree: 'allow',
  unknown: 'unknown',
} as const;

function Replay({ preview }: { preview: Preview }) {
  const text = useText();
  const { showNumber, showDistance } = useFormats();
  return (
    <section>
      <h2>{text.replayTitle}</h2>
      {outcomes.map((outcome) => {
        const { count, calls } = preview[outcome];
        const title = `${text.replays[outcome]}: ${showNumber(count)}`;
        if (outcome === 'same' || count === 0)
          return (
            <p key={outcome} className={css.dim}>
              {title}
            </p>
          );
        return (
          <details key={outcome} open={outcome === 'newlyRefused'}>
            <summary>
              <Status kind={kinds[outcome]}>{title}</Status>
            </summary>
            <ul className={css.rows}>
              {calls.map(({ executionId, at, actor, tool, rule, reason }) => (
                <li key={executionId}>
                  <time className={css.dim}>{showDistance(at)}</time>
                  <Link to="/calls/$id" params={{ id: executionId }}>
                    <ToolName name={tool} />
                  </Link>
                  <span>{actor}</span>
                  <RuleName rule={rule} />
                  <span lang="en">{reason}</span>
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </section>
  );
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function readPolicies(json: string): Policy[] | undefined {
  const value = parseJson(json);
  return Array.isArray(value) ? (value as Policy[]) : undefined;
}
