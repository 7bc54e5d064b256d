/** The frame of every page: navigation, preferences, the keyboard, and the messages when the session or the server is gone. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { type Language, type Theme, useFormats, usePreferences } from '../messages/index.js';
import { useLive } from '../server/live.js';
import { Problem, send } from '../server/request.js';
import { askAgain, useRead } from '../server/use-api.js';
import { Actions, Dialog, ProblemBox } from '../ui/index.js';
import { OnePerson } from './one-person.js';
import { sessionQuery } from './session.js';
import css from './shell.module.css';
import { useKeys } from './use-keys.js';

const places = [
  { to: '/', key: 'overview', letter: 'o' },
  { to: '/approvals', key: 'approvals', letter: 'a' },
  { to: '/tasks', key: 'tasks', letter: 'i' },
  { to: '/calls', key: 'calls', letter: 'c' },
  { to: '/runs', key: 'runs', letter: 'u' },
  { to: '/agents', key: 'agents', letter: 'g' },
  { to: '/connections', key: 'connections', letter: 'n' },
  { to: '/catalogue', key: 'catalogue', letter: 't' },
  { to: '/find', key: 'find', letter: 'f' },
  { to: '/record', key: 'record', letter: 'r' },
  { to: '/settings', key: 'settings', letter: 's' },
] as const;

export function Shell() {
  const { text, keys } = usePreferences();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'help' | 'commands' | 'menu' | undefined>();
  const close = useCallback(() => setOpen(undefined), []);
  const onGo = useCallback(
    (letter: string) => {
      const place = places.find((each) => each.letter === letter);
      if (place) void navigate({ to: place.to });
    },
    [navigate],
  );
  useKeys({
    singleKeys: keys === 'on',
    onHelp: useCallback(() => setOpen('help'), []),
    onCommands: useCallback(() => setOpen('commands'), []),
    onGo,
  });
  const path = useHeadingFocus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page opens
  useEffect(close, [path]);
  return (
    <>
      <a className={css.skip} href="#content">
        {text.skip}
      </a>
      <StaleBar />
      <div className={css.shell} data-menu={open === 'menu'}>
        <header className={css.side}>
          <div className={css.top}>
            <Link to="/" className={css.brand}>
              {text.appName}
            </Link>
            <button
              type="button"
              className={css.menu}
              aria-expanded={open === 'menu'}
              onClick={() => setOpen(open === 'menu' ? undefined : 'menu')}
            >
              {text.menu}
            </button>
          </div>
          <nav className={css.nav} aria-label={text.navigation}>
            {places.map(({ to, key }) => (
              <Link key={key} to={to} activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
                {text.nav[key]}
                {key === 'approvals' ? <WaitingCount /> : undefined}
              </Link>
            ))}
          </nav>
          <Preferences onKeys={() => setOpen('help')} />
        </header>
        <main className={css.main} id="content" tabIndex={-1}>
          <OnePerson>
            <Outlet />
          </OnePerson>
        </main>
      </div>
      <SignedOut />
      <KeysHelp isOpen={open === 'help'} onClose={close} />
      <Dialog title={text.goTo} isOpen={open === 'commands'} onClose={close}>
        <ul className={css.go}>
          {places.map(({ to, key, letter }) => (
            <li key={key}>
              <Link to={to} onClick={close}>
                {text.nav[key]} <kbd>g {letter}</kbd>
              </Link>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}

/** How many calls wait for a decision, next to the name of their page. */
function WaitingCount() {
  const { text } = usePreferences();
  const { data } = useRead('GET /api/approvals', { query: { status: 'pending', limit: 1 } });
  const count = data?.counts.pending ?? 0;
  if (count === 0) return undefined;
  return (
    <span className={css.count} title={text.waitingCount(count)}>
      {count}
    </span>
  );
}

/** A new page moves the focus to its heading, so that a screen reader begins there. Returns the path of the page. */
function useHeadingFocus(): string | undefined {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    const heading = path === undefined ? null : document.querySelector<HTMLElement>('h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [path]);
  return path;
}

function Preferences({ onKeys }: { onKeys: () => void }) {
  const { text, language, theme, setLanguage, setTheme } = usePreferences();
  return (
    <div className={css.settings}>
      <label>
        {text.theme}
        <select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
          {(['system', 'light', 'dark'] as const).map((each) => (
            <option key={each} value={each}>
              {text.themes[each]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {text.language}
        <select value={language} onChange={(event) => setLanguage(event.target.value as Language)}>
          <option value="en" lang="en">
            English
          </option>
          <option value="es" lang="es">
            Español
          </option>
        </select>
      </label>
      <button type="button" className="plain" onClick={onKeys}>
        {text.keys}
      </button>
      <Person />
    </div>
  );
}

function Person() {
  const { text } = usePreferences();
  const { data } = useQuery(sessionQuery);
  // Nothing that the person has read, typed or been given stays in the page.
  const signOut = useMutation({ mutationFn: () => send('DELETE /api/session'), onSuccess: () => location.reload() });
  if (data === undefined) return undefined;
  return (
    <div className={css.person}>
      <span>
        {data.user.name} · {text.roles[data.user.role]}
      </span>
      <button type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
        {text.signOut}
      </button>
      <ProblemBox error={signOut.error} />
    </div>
  );
}

function KeysHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { text, keys, setKeys } = usePreferences();
  const letters = places.map(({ key, letter }) => `${letter} ${text.nav[key]}`).join(' · ');
  const rows = [
    ['Ctrl K', text.keysHelp.commands],
    ['?', text.keysHelp.help],
    ['g …', letters],
    ['/', text.keysHelp.search],
    ['↑ ↓ Home End', text.keysHelp.move],
    ['Enter', text.keysHelp.open],
    ['a  r', text.keysHelp.decide],
  ] as const;
  return (
    <Dialog title={text.keys} isOpen={isOpen} onClose={onClose}>
      <dl className={css.keys}>
        {rows.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className={css.check}>
        <input
          type="checkbox"
          checked={keys === 'on'}
          onChange={(event) => setKeys(event.target.checked ? 'on' : 'off')}
        />
        {text.singleKeys}
      </label>
      <Actions>
        <button type="button" onClick={onClose}>
          {text.close}
        </button>
      </Actions>
    </Dialog>
  );
}

/** Leads to the sign-in and back. The page stays as it is behind it. */
function SignedOut() {
  const { text } = usePreferences();
  const queries = useQueryClient();
  const { error } = useQuery({ ...sessionQuery, refetchInterval: 60_000 });
  const isOpen = error instanceof Problem && error.status === 401;
  return (
    <Dialog title={text.signedOut} isOpen={isOpen}>
      <p>{text.signedOutHow}</p>
      <Actions>
        <button type="button" className="primary" onClick={() => void askAgain(queries)}>
          {text.signedOutDone}
        </button>
        <a href="/admin" target="_blank" rel="noopener noreferrer">
          {text.openPlain}
        </a>
      </Actions>
    </Dialog>
  );
}

/** Shown while the server does not answer: how old the data is. Nothing can be done meanwhile. */
function StaleBar() {
  const { text } = usePreferences();
  const { showTime } = useFormats();
  const { lostSince } = useLive();
  if (lostSince === undefined) return undefined;
  return (
    <div className={css.stale} role="status">
      {text.stale(showTime(new Date(lostSince).toISOString()))}
    </div>
  );
}
