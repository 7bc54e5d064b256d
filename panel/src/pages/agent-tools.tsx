/** Which tools an agent has, by connection and group. Saving replaces the whole set, and says before what changes. */
import { useState } from 'react';
import { useText } from '../messages/index.js';
import { useMay } from '../shell/session.js';
import { Button, Empty, MayNote, Note, revealHidden } from '../ui/index.js';
import { FilterBar } from './filters.js';
import { Review } from './grant-review.js';
import { compareSelection, type Grants, listGranted, type Tool } from './grant-selection.js';
import css from './pages.module.css';
import { ToolCard } from './tool-card.js';

export function Tools({ slug, grants }: { slug: string; grants: Grants }) {
  const text = useText();
  const isFromFile = grants.agent.managedBy === 'file';
  const mayGrant = useMay('grants:write');
  // The selection belongs to the version that it was made from, so that saving finds out if someone else changed it.
  const [base, setBase] = useState(grants);
  const [selected, setSelected] = useState(() => listGranted(grants));
  const [search, setSearch] = useState<string | undefined>();
  const [isReviewing, setReviewing] = useState(false);
  const { added, removed } = compareSelection(base, selected);
  const changes = added.length + removed.length;
  if (changes === 0 && !isReviewing && base.version !== grants.version) {
    setBase(grants);
    setSelected(listGranted(grants));
  }
  const choose = (tools: readonly Tool[], isOn: boolean) => {
    const next = new Set(selected);
    for (const { modelName } of tools) isOn ? next.add(modelName) : next.delete(modelName);
    setSelected(next);
  };
  const restart = (from: Grants) => {
    setBase(from);
    setSelected(listGranted(from));
    setReviewing(false);
  };
  const withAccount = base.entries.filter(({ connectionId }) => connectionId !== undefined);
  const withoutAccount = base.entries.filter(({ connectionId }) => connectionId === undefined);
  const groups = [
    { title: text.connectionsTab, entries: withAccount },
    { title: text.withoutAccount, entries: withoutAccount },
  ];
  return (
    <>
      {isFromFile ? <Note>{text.fromFile}</Note> : <MayNote needs="grants:write" />}
      <DoubtfulLimits limits={grants.doubtfulLimits} />
      {base.entries.length === 0 ? <Empty>{text.noTools}</Empty> : <FilterBar value={search} onChange={setSearch} />}
      {groups.map(({ title, entries }) =>
        entries.length === 0 ? undefined : (
          <section key={title}>
            <h2>{title}</h2>
            {entries.map((entry) => (
              <ToolCard
                key={`${entry.toolkit.slug} ${entry.connectionId ?? ''}`}
                {...{ entry, selected, search }}
                isLocked={isFromFile || !mayGrant}
                onChoose={choose}
              />
            ))}
          </section>
        ),
      )}
      {changes === 0 ? undefined : (
        <div className={css.footer}>
          <strong role="status">{text.changes(added.length, removed.length)}</strong>
          <button type="button" onClick={() => restart(grants)}>
            {text.discard}
          </button>
          <Button needs="grants:write" className="primary" onClick={() => setReviewing(true)}>
            {text.review(changes)}
          </Button>
        </div>
      )}
      {isReviewing ? (
        <Review {...{ slug, base, selected }} onClose={() => setReviewing(false)} onRestart={restart} />
      ) : undefined}
    </>
  );
}

/** Limits that may match no call, because the tool does not list their argument: it may be misspelt. */
function DoubtfulLimits({ limits }: { limits: Grants['doubtfulLimits'] }) {
  const text = useText();
  return limits.map(({ toolkit, tool, argument, connectionId, nearest }) => (
    <Note key={`${toolkit} ${connectionId ?? ''} ${tool} ${argument}`}>
      {text.doubtfulLimit(`${toolkit}.${tool}`, revealHidden(argument))}
      {nearest === undefined ? '' : ` ${text.meantArgument(revealHidden(nearest))}`}
    </Note>
  ));
}
