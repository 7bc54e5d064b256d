/** The texts of sign-in forms, which apps write in English, in the person's language. */

export interface SignInWords {
  /** By the English text. */
  readonly texts: Readonly<Record<string, string>>;
  /** Of texts that contain one name. */
  readonly patterns: readonly (readonly [pattern: RegExp, say: (name: string) => string])[];
}

/** Undefined if there is no translation: then the text stays as the app wrote it. */
export function saySignIn({ signIn }: { readonly signIn: SignInWords }, written: string): string | undefined {
  if (Object.hasOwn(signIn.texts, written)) return signIn.texts[written];
  for (const [pattern, say] of signIn.patterns) {
    const [, name] = pattern.exec(written) ?? [];
    if (name !== undefined) return say(name);
  }
  // Several ways of an OpenAPI document at the same time.
  const parts = written.split(' + ');
  const said = parts.length === 1 ? [] : parts.map((part) => saySignIn({ signIn }, part) ?? part);
  return said.some((part, at) => part !== parts[at]) ? said.join(' + ') : undefined;
}
