/** What saving would change, name by name, before it is saved. If someone else has saved meanwhile, nothing is overwritten. */
import { useQueryClient } from '@tanstack/react-query';
import { useFormats, useText } from '../messages/index.js';
import { Problem, type Reply, send } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import { Actions, Dialog, Note, ProblemBox, Status, ToolName } from '../ui/index.js';
import { askGrants, buildGrants, compareSelection, type Grants } from './grant-selection.js';
import css from './pages.module.css';

type Preview = Reply<'POST /api/agents/:agent/grants/preview'>;

interface ReviewProps {
  readonly slug: string;
  readonly base: Grants;
  readonly selected: ReadonlySet<string>;
  readonly onClose: () => void;
  /** Begins again from this version. */
  readonly onRestart: (from: Grants) => void;
}

export function Review({ slug, base, selected, onClose, onRestart }: ReviewProps) {
  const text = useText();
  const queries = useQueryClient();
  const { added, removed } = compareSelection(base, selected);
  const options = { params: { agent: slug } };
  const restart = async () => {
    const asked = askGrants(slug);
    const grants = await send('GET /api/agents/:agent/grants', asked);
    queries.setQueryData(['GET /api/agents/:agent/grants', asked], grants);
    onRestart(grants);
  };
  const { mutate, error, isPending } = useAct('PUT /api/agents/:agent/grants', restart);
  const preview = useRead('POST /api/agents/:agent/grants/preview', {
    ...options,
    body: { grants: buildGrants(base, selected) },
  }).data;
  const isConflict = error instanceof Problem && error.status === 412;
  return (
    <Dialog title={text.review(added.length + removed.length)} isOpen onClose={onClose}>
      {preview === undefined ? undefined : <Effects preview={preview} />}
      <Names title={text.willAdd} kind="allow" names={added} />
      <Names title={text.willRemove} kind="deny" names={removed} />
      {isConflict ? <Note>{text.conflict}</Note> : <ProblemBox error={error} />}
      <Actions>
        {isConflict ? (
          <button type="button" className="primary" onClick={() => void restart()}>
            {text.reload}
          </button>
        ) : (
          <button
            type="button"
            className="primary"
            disabled={isPending}
            onClick={() => mutate({ ...options, body: { grants: buildGrants(base, selected) }, ifMatch: base.version })}
          >
            {text.save}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {text.cancel}
        </button>
      </Actions>
    </Dialog>
  );
}

/** What the change costs, and what it gives away. */
function Effects({ preview }: { preview: Preview }) {
  const text = useText();
  const { showNumber } = useFormats();
  const { before, after, destructive, privateAccounts, agent } = preview;
  const hasOtherList = before.mode.shows !== after.mode.shows;
  return (
    <>
      <p>{text.contextChange(showNumber(before.mode.tokens), showNumber(after.mode.tokens))}</p>
      {hasOtherList ? (
        <Note>{text.modeChange(text.shows[before.mode.shows], text.shows[after.mode.shows])}</Note>
      ) : undefined}
      {destructive.length === 0 ? undefined : <Note>{text.destructive(destructive.length)}</Note>}
      {privateAccounts.map(({ connection, name }) => (
        <Note key={connection}>{text.privateAccount(name, agent)}</Note>
      ))}
    </>
  );
}

function Names({ title, kind, names }: { title: string; kind: string; names: readonly string[] }) {
  if (names.length === 0) return undefined;
  return (
    <>
      <h3>
        <Status kind={kind}>
          {title} ({names.length})
        </Status>
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <ul className={css.names} tabIndex={0} aria-label={title}>
        {names.map((name) => (
          <li key={name}>
            <ToolName name={name} />
          </li>
        ))}
      </ul>
    </>
  );
}
