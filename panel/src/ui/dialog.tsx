/** A dialog: the browser's own, which keeps the focus inside, closes with Escape and gives the focus back. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import css from './ui.module.css';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Without it the dialog cannot be left. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    if (!isOpen || dialog === null) return;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isOpen]);
  if (!isOpen) return undefined;
  return (
    <dialog
      ref={element}
      className={css.popup}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
