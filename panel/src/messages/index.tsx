/** The texts in the person's language, and which language and theme they chose in this browser. */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Messages } from './en.js';

const loaders = {
  en: async () => (await import('./en.js')).en,
  es: async () => (await import('./es.js')).es,
} as const;
export type Language = keyof typeof loaders;
export type Theme = 'system' | 'light' | 'dark';
const choices = { theme: ['system', 'light', 'dark'], keys: ['on', 'off'] } as const;

interface Spoken {
  readonly language: Language;
  readonly text: Messages;
}

interface Preferences extends Spoken {
  readonly theme: Theme;
  /** Whether single keys do something: some people speak to their computer, which types. */
  readonly keys: 'on' | 'off';
  setLanguage(language: Language): void;
  setTheme(theme: Theme): void;
  setKeys(keys: 'on' | 'off'): void;
}

const PreferencesContext = createContext<Preferences | undefined>(undefined);

export function loadMessages(language: Language): Promise<Messages> {
  return loaders[language]();
}

/** The language that was chosen in this browser, else that of the browser. */
export function readLanguage(): Language {
  const stored = localStorage.getItem('helve.language');
  if (stored === 'en' || stored === 'es') return stored;
  return navigator.language.startsWith('es') ? 'es' : 'en';
}

export function PreferencesProvider({ initial, children }: { initial: Spoken; children: ReactNode }) {
  const [{ language, text }, setSpoken] = useState(initial);
  const [theme, setTheme] = useStored('theme', 'system');
  const [keys, setKeys] = useStored('keys', 'on');
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  const setLanguage = (chosen: Language) => {
    localStorage.setItem('helve.language', chosen);
    void loadMessages(chosen).then((loaded) => setSpoken({ language: chosen, text: loaded }));
  };
  const value = { text, language, theme, keys, setLanguage, setTheme, setKeys };
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

export function usePreferences(): Preferences {
  const value = useContext(PreferencesContext);
  if (value === undefined) throw new Error('The preferences are not provided');
  return value;
}

export function useText(): Messages {
  return usePreferences().text;
}

/** Shows times and numbers in the person's language. */
export function useFormats() {
  const { language } = usePreferences();
  return {
    /** Date and clock. */
    showTime: (at: string) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium' }).format(new Date(at)),
    /** Distance from now: "5 min. ago", "in 3 hr.". */
    showDistance(at: string): string {
      const seconds = Math.round((Date.parse(at) - Date.now()) / 1_000);
      const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
      if (Math.abs(seconds) < 60) return format.format(seconds, 'second');
      if (Math.abs(seconds) < 3_600) return format.format(Math.round(seconds / 60), 'minute');
      if (Math.abs(seconds) < 86_400) return format.format(Math.round(seconds / 3_600), 'hour');
      return format.format(Math.round(seconds / 86_400), 'day');
    },
    showNumber: (value: number) => new Intl.NumberFormat(language).format(value),
    /** `12.3 MB` */
    showBytes(bytes: number): string {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
      const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1_024)));
      const style = { style: 'unit', unit: units[power], maximumFractionDigits: power === 0 ? 0 : 1 } as const;
      return new Intl.NumberFormat(language, style).format(bytes / 1_024 ** power);
    },
  };
}

function useStored<Name extends keyof typeof choices>(
  name: Name,
  fallback: (typeof choices)[Name][number],
): [(typeof choices)[Name][number], (value: (typeof choices)[Name][number]) => void] {
  type Value = (typeof choices)[Name][number];
  const [value, setValue] = useState<Value>(() => {
    const stored = localStorage.getItem(`helve.${name}`);
    return choices[name].find((choice) => choice === stored) ?? fallback;
  });
  const store = (chosen: Value) => {
    localStorage.setItem(`helve.${name}`, chosen);
    setValue(chosen);
  };
  return [value, store];
}
