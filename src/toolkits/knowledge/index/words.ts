/**
 * How text becomes words: in lower case and without accents, identifiers also in their parts, scripts without spaces in
 * pairs of characters.
 */

/** Case and accents are ignored. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/ß/g, 'ss');
}

export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const [token] of text.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(token)) {
      const characters = [...fold(token)];
      if (characters.length === 1) words.push(...characters);
      for (let at = 0; at + 1 < characters.length; at += 1) words.push(`${characters[at]}${characters[at + 1]}`);
      continue;
    }
    const whole = fold(token).replace(/^_+|_+$/g, '');
    if (whole === '' || whole.length > 200) continue;
    words.push(whole);
    const parts = token
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
      .replace(/(\p{L})(\p{N})|(\p{N})(\p{L})/gu, '$1$3_$2$4')
      .split('_')
      .filter(Boolean);
    if (parts.length > 1) for (const part of parts) words.push(fold(part));
  }
  return words;
}

/** Leaves out very frequent words, unless there are no others. */
export function queryWords(query: string): string[] {
  const stop =
    ' a an and are as at be by for from has have how in is it its of on or that the this to was were what when where which who why will with der die das und ist ein eine von zu im den dem des mit auf wie was wer wo ';
  const words = [...new Set(splitWords(query))];
  const telling = words.filter((word) => !stop.includes(` ${word} `));
  return (telling.length > 0 ? telling : words).slice(0, 64);
}

/** Gives the same tokens for the same formula, however it is written: `\frac{a}{b}`, `(a)/(b)` and `a / b`. */
export function mathTokens(formula: string): string[] {
  const names = mathNames();
  const dropped =
    /\\(?:left|right|big|Big|bigg|Bigg|mathrm|mathbf|mathit|mathsf|mathcal|mathbb|operatorname|text|textbf|displaystyle|textstyle|limits|nolimits|quad|qquad|label|tag|begin|end|hbox|mbox|boldsymbol|bm|vec|hat|bar|tilde|nonumber)(?![a-zA-Z])\*?|\\[,;:!> ]|&|~/g;
  const plain = formula
    .normalize('NFKC')
    .replace(/\\(?:d|t|c)?frac\s*(\w)\s*(\w)/g, ' $1/$2 ')
    .replace(/\\(?:d|t|c)?frac/g, ' ')
    .replace(dropped, ' ')
    .replace(/\}\s*\{/g, '}/{');
  const tokens: string[] = [];
  for (const [token] of plain.matchAll(
    /\\[a-zA-Z]+|\p{N}+(?:[.,]\p{N}+)*|[A-Z]+\d+\b|\p{L}+|[^\s\p{L}\p{N}(){}[\]\\$]/gu,
  )) {
    const name = token.startsWith('\\') ? token.slice(1) : token;
    tokens.push((Object.hasOwn(names, name) ? names[name] : undefined) ?? mathLetter(name));
  }
  return tokens.slice(0, 400);
}

function mathLetter(token: string): string {
  const same: Record<string, string> = {
    '×': '*',
    '·': '*',
    '⋅': '*',
    '∗': '*',
    '÷': '/',
    '−': '-',
    '–': '-',
    '∑': '∑',
    Σ: '∑',
  };
  return (Object.hasOwn(same, token) ? same[token] : undefined) ?? token.toLowerCase();
}

/** Tokens, pairs and triples, so that tokens in the same order count more than the same tokens elsewhere. */
export function mathGrams(formula: string): string[] {
  const tokens = mathTokens(formula);
  const grams = [...tokens];
  for (let at = 0; at + 1 < tokens.length; at += 1) grams.push(`${tokens[at]} ${tokens[at + 1]}`);
  for (let at = 0; at + 2 < tokens.length; at += 1) grams.push(`${tokens[at]} ${tokens[at + 1]} ${tokens[at + 2]}`);
  return grams;
}

/** Symbols that LaTeX calls by a name and others write directly. */
function mathNames(): Readonly<Record<string, string>> {
  const pairs =
    'alpha=α beta=β gamma=γ delta=δ epsilon=ε varepsilon=ε zeta=ζ eta=η theta=θ lambda=λ mu=μ nu=ν xi=ξ pi=π rho=ρ sigma=σ tau=τ phi=φ varphi=φ chi=χ psi=ψ omega=ω kappa=κ Gamma=γ Delta=δ Sigma=σ Omega=ω Phi=φ Psi=ψ Lambda=λ sum=∑ prod=∏ int=∫ sqrt=√ infty=∞ partial=∂ nabla=∇ pm=± mp=∓ le=≤ leq=≤ ge=≥ geq=≥ ne=≠ neq=≠ approx=≈ times=* cdot=* ast=* div=/ to=→ rightarrow=→ in=∈ cup=∪ cap=∩ subset=⊂ forall=∀ exists=∃ equiv=≡ propto=∝';
  return Object.fromEntries(pairs.split(' ').map((pair) => pair.split('=')));
}
