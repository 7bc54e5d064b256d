/** Asks back before something is taken away from somebody. */
import type { ReactNode } from 'react';
import { useText } from '../messages/index.js';
import { Actions, Dialog, ProblemBox } from '../ui/index.js';

interface AskProps {
  readonly title: string;
  /** What follows from it. */
  readonly children: ReactNode;
  /** On the button that does it. */
  readonly verb: string;
  readonly act: { readonly error: unknown; readonly isPending: boolean };
  readonly onYes: () => void;
  readonly onClose: () => void;
}

export function Ask({ title, children, verb, act, onYes, onClose }: AskProps) {
  const text = useText();
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p>{children}</p>
      <ProblemBox error={act.error} />
      <Actions>
        <button type="button" onClick={onClose}>
          {text.cancel}
        </button>
        <button type="button" disabled={act.isPending} onClick={onYes}>
          {verb}
        </button>
      </Actions>
    </Dialog>
  );
}
