/**
 * Tells names that the maker of a service chose (`createdAt`, `line_1`) from names that are data: ids, dates, e-mail
 * addresses, keys. In doubt a name is data.
 */

const maxLength = 40;
const maxWord = 24;
const name = /^(?:[@$]|_{1,2})?[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*$/;
/** Their digits say nothing about anyone. */
const terms = /sha(?:1|224|256|384|512)|md5|x509|base(?:32|64)|utf(?:8|16)|iso\d{3,4}/gi;
/** How well-known services start their secrets. */
const secret = /^(?:[prs]k_(?:live|test)_|gh[opsru]_|github_pat_|glpat-|xox[a-z]-|whsec_|helve_|AKIA|ASIA|AIza|eyJ)/;
const words = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

export function isFieldName(text: string): boolean {
  if (text.length > maxLength || !name.test(text) || secret.test(text)) return false;
  const parts = text.replace(terms, '').split(/[^A-Za-z0-9]+/);
  const digits = parts.join('').replace(/\D/g, '').length;
  return digits <= 4 && parts.every(isOfWords);
}

function isOfWords(part: string): boolean {
  if (/\d{3}/.test(part) || /^[A-Z]{16,}$/.test(part) || isHex(part)) return false;
  const found = part.match(words) ?? [];
  if (found.length >= 4 && part.length / found.length < 2.5) return false;
  return found.every((word) => word.length <= maxWord && !/^[^aeiouy\d]{6,}$/i.test(word));
}

function isHex(part: string): boolean {
  return /^[0-9a-f]{6,}$/i.test(part) && (/\d/.test(part) || part.length >= 8);
}
