/** The way between the pages of the settings. */
import { Link } from '@tanstack/react-router';
import { useText } from '../messages/index.js';
import css from './pages.module.css';

const tabs = [
  ['/settings', 'health'],
  ['/settings/policies', 'policies'],
  ['/settings/people', 'people'],
  ['/settings/credentials', 'credentials'],
  ['/settings/definitions', 'definitions'],
  ['/settings/notifications', 'notifications'],
] as const;

export function SettingsTabs() {
  const text = useText();
  return (
    <nav className={css.tabs} aria-label={text.nav.settings}>
      {tabs.map(([to, key]) => (
        <Link key={to} to={to} activeOptions={{ exact: true }} activeProps={{ 'aria-current': 'page' }}>
          {text.settingsTabs[key]}
        </Link>
      ))}
    </nav>
  );
}
