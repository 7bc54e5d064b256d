/** Reading the few fields of our own forms. */
import { HttpRefusal } from '../problem.js';

/** Empty where the field is missing. */
export async function field(request: Request, name: string): Promise<string> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new HttpRefusal(415, 'invalid_input', 'This address takes a form', 'Use the page that has the form.');
  }
  return new URLSearchParams(await request.text()).get(name) ?? '';
}
