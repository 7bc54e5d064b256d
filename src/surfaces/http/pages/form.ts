/** Reads the few fields of our own forms. */
import { HttpRefusal } from '../problem.js';

/** Empty if the field is missing. */
export async function field(request: Request, name: string): Promise<string> {
  return (await fields(request)).get(name) ?? '';
}

/** Throws a refusal if the body is not a form. */
export async function fields(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new HttpRefusal(415, 'invalid_input', 'This address accepts only a form', 'Use the page with the form.');
  }
  return new URLSearchParams(await request.text());
}
