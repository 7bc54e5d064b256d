import { useRead } from '../server/use-api.js';
import { revealHidden } from '../ui/index.js';

/** The name of an app that people know; its slug until it is known. */
export function useAppTitle(app: string): string {
  const apps = useRead('GET /api/tools/toolkits').data?.toolkits ?? [];
  return revealHidden(apps.find(({ toolkit }) => toolkit.slug === app)?.toolkit.title ?? app);
}
