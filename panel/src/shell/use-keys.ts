/** The keys that work everywhere: Ctrl or ⌘ with K; and, unless switched off, `?`, `g` with a letter, and `/`. */
import { useEffect } from 'react';

interface Keys {
  /** False: only the combination with Ctrl works. */
  readonly singleKeys: boolean;
  onHelp(): void;
  onCommands(): void;
  onGo(letter: string): void;
}

/** How long after `g` the letter may follow. */
const goMs = 1_500;

export function useKeys({ singleKeys, onHelp, onCommands, onGo }: Keys): void {
  useEffect(() => {
    let goAt = 0;
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        return onCommands();
      }
      if (!singleKeys || !isPlainKey(event) || document.querySelector('dialog[open]') !== null) return;
      if (Date.now() - goAt < goMs) {
        goAt = 0;
        return onGo(event.key);
      }
      if (event.key === 'g') goAt = Date.now();
      if (event.key === '?') onHelp();
      if (event.key === '/') focusFilter(event);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [singleKeys, onHelp, onCommands, onGo]);
}

/** Whether the key was pressed alone, and not in a field in which it is a character. */
export function isPlainKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  if (!(target instanceof HTMLElement)) return true;
  return !target.isContentEditable && !/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function focusFilter(event: KeyboardEvent): void {
  const filter = document.querySelector<HTMLElement>('[data-filter]');
  if (!filter) return;
  event.preventDefault();
  filter.focus();
}
