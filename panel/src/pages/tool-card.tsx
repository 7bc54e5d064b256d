/** The tools of one account as checkboxes, in groups. Boxes for the account, each group and each risk choose many at once. */
import { useState } from 'react';
import { useText } from '../messages/index.js';
import { revealHidden, Slug, Status } from '../ui/index.js';
import { type Entry, groupTools, type Tool } from './grant-selection.js';
import css from './pages.module.css';

interface ChoiceProps {
  readonly selected: ReadonlySet<string>;
  readonly isLocked: boolean;
  readonly onChoose: (tools: readonly Tool[], isOn: boolean) => void;
}

interface ToolCardProps extends ChoiceProps {
  readonly entry: Entry;
  readonly search: string | undefined;
}

const risks = ['read', 'write', 'destructive'] as const;
/** A card with more tools shows its groups closed, and a group at most this many until the person asks for all. */
const manyTools = 60;

export function ToolCard({ entry, search, ...choice }: ToolCardProps) {
  const text = useText();
  const { toolkit, connection, slug } = entry;
  const shown = findTools(entry, search);
  if (shown.length === 0) return undefined;
  const account = connection?.account;
  const name = connection?.name ?? toolkit.title;
  const on = entry.tools.filter(({ modelName }) => choice.selected.has(modelName)).length;
  return (
    <article className={css.card} aria-label={name}>
      <header>
        <TriState label={name} tools={shown} {...choice} />
        <h3>{name}</h3>
        <span className={css.dim}>{toolkit.title === name ? toolkit.provider : toolkit.title}</span>
        <Slug slug={slug ?? toolkit.slug} />
        {account === undefined ? undefined : <span>{account.email ?? account.name ?? account.id}</span>}
        {connection === undefined ? undefined : (
          <Status kind={connection.status}>
            {text.connectionStatuses[connection.status as keyof typeof text.connectionStatuses] ?? connection.status}
          </Status>
        )}
        <span className={css.count}>{text.granted(on, entry.tools.length)}</span>
      </header>
      <div className={css.risks}>
        {risks.map((risk) => {
          const tools = shown.filter((tool) => tool.risk === risk);
          return tools.length === 0 ? undefined : (
            <span key={risk} className={css.check}>
              <TriState label={`${name}: ${text.risks[risk]}`} {...{ tools, ...choice }} />
              {text.risks[risk]} ({tools.length})
            </span>
          );
        })}
      </div>
      {[...groupTools(shown)].map(([group, tools]) => (
        <Group
          key={group}
          name={group || text.otherTools}
          card={name}
          isOpen={search !== undefined || shown.length <= manyTools}
          {...{ tools, ...choice }}
        />
      ))}
    </article>
  );
}

interface GroupProps extends ChoiceProps {
  readonly name: string;
  readonly card: string;
  readonly tools: readonly Tool[];
  /** Whether it begins open. */
  readonly isOpen: boolean;
}

function Group({ name, card, tools, isOpen, ...choice }: GroupProps) {
  const text = useText();
  const [opened, setOpened] = useState<boolean | undefined>();
  const [showsAll, setShowsAll] = useState(false);
  const isShown = opened ?? isOpen;
  const listed = showsAll ? tools : tools.slice(0, manyTools);
  const on = tools.filter(({ modelName }) => choice.selected.has(modelName)).length;
  return (
    <section className={css.group}>
      <div className={css.check}>
        <TriState label={`${card}: ${name}`} {...{ tools, ...choice }} />
        <h4>
          <button type="button" className="plain" aria-expanded={isShown} onClick={() => setOpened(!isShown)}>
            {isShown ? '▾' : '▸'} {name}
          </button>
        </h4>
        <span className={css.count}>{text.granted(on, tools.length)}</span>
      </div>
      {isShown ? (
        <div className={css.tools}>
          {listed.map((tool) => (
            <label key={tool.modelName} className={css.check} title={revealHidden(tool.description)}>
              <input
                type="checkbox"
                checked={choice.selected.has(tool.modelName)}
                disabled={choice.isLocked}
                onChange={(event) => choice.onChoose([tool], event.target.checked)}
              />
              <code>{tool.name}</code>
              <span className={css.dim}>{text.risks[tool.risk]}</span>
            </label>
          ))}
          {listed.length < tools.length ? (
            <button type="button" onClick={() => setShowsAll(true)}>
              {text.showAll(tools.length)}
            </button>
          ) : undefined}
        </div>
      ) : undefined}
    </section>
  );
}

interface TriStateProps extends ChoiceProps {
  readonly label: string;
  readonly tools: readonly Tool[];
}

/** On if all tools are chosen, off if none is, and in between otherwise. */
function TriState({ label, tools, selected, isLocked, onChoose }: TriStateProps) {
  const on = tools.filter(({ modelName }) => selected.has(modelName)).length;
  return (
    <input
      type="checkbox"
      aria-label={label}
      ref={(box) => {
        if (box) box.indeterminate = on > 0 && on < tools.length;
      }}
      checked={on === tools.length}
      disabled={isLocked}
      onChange={() => onChoose(tools, on < tools.length)}
    />
  );
}

function findTools({ tools, toolkit, connection, slug }: Entry, search = ''): readonly Tool[] {
  const words = search.toLowerCase().split(/\s+/);
  const card = `${toolkit.title} ${connection?.name ?? ''} ${slug ?? ''}`;
  return tools.filter((tool) => {
    const about = `${tool.name} ${tool.title} ${tool.description} ${card}`.toLowerCase();
    return words.every((word) => about.includes(word));
  });
}
