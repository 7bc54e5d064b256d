/** Asks back before something is taken away from somebody. */
import { type ReactNode, useState } from 'react';
import { useText } from '../messages/index.js';
import type { Permission } from '../shell/session.js';
import { Actions, Button, Dialog, ProblemBox } from '../ui/index.js';

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

interface AskingButtonProps extends Omit<AskProps, 'onClose'> {
  readonly needs: Permission;
  /** Of what is taken away. */
  readonly name: string;
}

/** A button for one of several things, which asks back. */
export function AskingButton({ needs, name, ...ask }: AskingButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button needs={needs} aria-label={`${ask.verb}: ${name}`} onClick={() => setOpen(true)}>
        {ask.verb}
      </Button>
      {isOpen ? <Ask {...ask} onClose={() => setOpen(false)} /> : undefined}
    </>
  );
}
