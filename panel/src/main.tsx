/** The panel: starts the shell and its pages. The address is the state of every page. */
import './tokens.css';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadMessages, PreferencesProvider, readLanguage } from './messages/index.js';
import { createPanelRouter } from './router.js';
import { LiveProvider } from './server/live.js';
import { Problem } from './server/request.js';
import { sessionQuery } from './shell/session.js';

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // The session is asked again, and its answer opens the dialog.
    onError: (error, { queryKey }) => {
      if (error instanceof Problem && error.status === 401 && queryKey[0] !== sessionQuery.queryKey[0])
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  }),
  defaultOptions: { queries: { retry: false, staleTime: 2_000 } },
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no place for the panel');
const language = readLanguage();
const text = await loadMessages(language);
createRoot(root).render(
  <StrictMode>
    <PreferencesProvider initial={{ language, text }}>
      <QueryClientProvider client={queries}>
        <LiveProvider>
          <RouterProvider router={createPanelRouter()} />
        </LiveProvider>
      </QueryClientProvider>
    </PreferencesProvider>
  </StrictMode>,
);
