/** What is shown in place of a page that does not exist, or that could not be drawn. */
import { useText } from '../messages/index.js';
import { Page, ProblemBox } from '../ui/index.js';

export function NotFound() {
  const text = useText();
  return (
    <Page title={text.notFound} back="/">
      <p>{text.notFoundHow}</p>
    </Page>
  );
}

export function Broken({ error, reset }: { error: unknown; reset: () => void }) {
  const text = useText();
  return (
    <Page title={text.problem} back="/">
      <ProblemBox error={error} onRetry={reset} />
    </Page>
  );
}
