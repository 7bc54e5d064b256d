/** The fields of the filter of issues: words, state, agent, person, project and repository. */
import { useText } from '../messages/index.js';
import { useRead } from '../server/use-api.js';
import { FilterBar, FilterSelect } from './filters.js';
import type { IssueFilter } from './issue-filter.js';
import { issueStates } from './issue-state.js';

interface IssueFiltersProps {
  readonly filter: IssueFilter;
  /** A board has the states, or the columns, beside one another. */
  readonly isBoard: boolean;
  readonly onChange: (change: IssueFilter) => void;
  readonly onClear: () => void;
}

type Options = readonly (readonly [string, string])[];

export function IssueFilters({ filter, isBoard, onChange, onClear }: IssueFiltersProps) {
  const text = useText();
  const agents = useRead('GET /api/agents', { query: { limit: 200 } });
  const people = useRead('GET /api/users');
  const projects = useRead('GET /api/projects', { query: { limit: 200 } });
  const repos = useRead('GET /api/repos', { query: { limit: 200 } });
  const places = (read: {
    readonly data: { readonly places: readonly { readonly id: string }[] } | undefined;
  }): Options => (read.data?.places ?? []).map(({ id }) => [id, id]);
  const fields = {
    project: [text.tasks.project, places(projects)],
    agent: [text.agent, (agents.data?.agents ?? []).map(({ slug, name }) => [slug, name] as const)],
    person: [text.tasks.worksFor, (people.data?.users ?? []).map(({ id, name }) => [id, name] as const)],
    repo: [text.tasks.repoName, places(repos)],
  } as const satisfies Partial<Record<keyof IssueFilter, readonly [string, Options]>>;
  return (
    <FilterBar value={filter.q} onChange={(q) => onChange({ q })} onClear={onClear}>
      {isBoard ? undefined : (
        <FilterSelect
          label={text.status}
          value={filter.state}
          options={issueStates.map((each) => [each, text.tasks.states[each]])}
          onChange={(state) => onChange({ state })}
        />
      )}
      {(Object.keys(fields) as (keyof typeof fields)[]).map((name) => {
        const [label, known] = fields[name];
        const options = withChosen(known, filter[name]);
        if (options.length === 0) return undefined;
        return (
          <FilterSelect
            key={name}
            label={label}
            value={filter[name]}
            options={options}
            onChange={(chosen) => onChange({ [name]: chosen })}
          />
        );
      })}
    </FilterBar>
  );
}

/** What a link has chosen is shown, also to those who may not read the others. */
function withChosen(options: Options, chosen: string | undefined): Options {
  if (chosen === undefined || options.some(([key]) => key === chosen)) return options;
  return [...options, [chosen, chosen]];
}
