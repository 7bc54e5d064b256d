/** The way between the pages of tasks. */
import { Link } from '@tanstack/react-router';
import { useText } from '../messages/index.js';
import css from './pages.module.css';

const tabs = [
  ['/tasks', 'issues'],
  ['/tasks/actors', 'actors'],
  ['/tasks/tools', 'tools'],
] as const;

export function TaskTabs() {
  const text = useText();
  return (
    <nav className={css.tabs} aria-label={text.nav.tasks}>
      {tabs.map(([to, key]) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {text.tasks.tabs[key]}
        </Link>
      ))}
    </nav>
  );
}
