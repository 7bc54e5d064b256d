/**
 * The distribution of the filtered calls, by field. Choosing a value filters by it; choosing it again removes the
 * filter.
 */
import { sayFailure } from '../messages/failure-words.js';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { RuleName } from '../ui/index.js';
import type { CallSearch } from './call-filter.js';
import css from './pages.module.css';

type Facets = Reply<'GET /api/executions/facets'>;
const fields = ['actor', 'tool', 'connection', 'rule', 'error', 'risk'] as const;
/** How many values of a field are shown. The filter by text finds the others. */
const maxValues = 12;

interface CallFacetsProps {
  readonly facets: Facets | undefined;
  readonly search: CallSearch;
  readonly onFilter: (change: CallSearch) => void;
}

export function CallFacets({ facets, search, onFilter }: CallFacetsProps) {
  const text = useText();
  const { showNumber } = useFormats();
  // On a phone the list would be below the fold.
  const isWide = matchMedia('(min-width: 901px)').matches;
  return (
    <aside className={css.facets} aria-label={text.facets}>
      {fields.map((field) => {
        const values = facets?.[field] ?? [];
        if (values.length === 0) return undefined;
        return (
          <details
            key={field}
            open={search[field] !== undefined || (isWide && (field === 'actor' || field === 'tool'))}
          >
            <summary>{text.facetNames[field]}</summary>
            <ul>
              {values.slice(0, maxValues).map(({ value, name = value, count }) => (
                <li key={value}>
                  <button
                    type="button"
                    className="plain"
                    aria-pressed={search[field] === value}
                    onClick={() => onFilter({ [field]: search[field] === value ? undefined : value })}
                  >
                    <FacetName {...{ field, value, name }} />
                    <span className={css.dim}>{showNumber(count)}</span>
                  </button>
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </aside>
  );
}

/** What is stored as a code, in words. */
function FacetName({ field, value, name }: { field: (typeof fields)[number]; value: string; name: string }) {
  const text = useText();
  if (field === 'rule') return <RuleName rule={value} />;
  if (field === 'error') return <span title={value}>{sayFailure(text, value) ?? value}</span>;
  return <span>{field === 'risk' ? text.risks[value as keyof typeof text.risks] : name}</span>;
}
