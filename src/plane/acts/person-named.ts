/** Which person somebody means: an id, an address or a name. */
import { HelveError } from '../../domain/errors.js';
import type { User } from '../../domain/principal.js';
import type { WorkspaceStorage } from '../../domain/storage.js';
import { suggestName } from '../../util/nearest.js';

/**
 * By id, else by e-mail address or name, as the list of people shows them.
 * @throws `not_found`, and `ambiguous` if several people have this address or name
 */
export async function getPerson(
  workspace: Pick<WorkspaceStorage, 'findUser' | 'listUsers'>,
  named: string,
): Promise<User> {
  const known = await workspace.findUser(named);
  if (known) return known;
  // A name that looks like an address could be chosen by somebody else than the person with this address.
  const field = named.includes('@') ? 'email' : 'name';
  const people = await workspace.listUsers();
  const [person, ...others] = people.filter((one) => one[field] === named);
  const quoted = JSON.stringify(named.slice(0, 100));
  if (person === undefined)
    throw new HelveError('not_found', `There is no person ${quoted}`, {
      // No address is suggested: those of one domain resemble each other too much.
      hint: suggestName(
        named,
        field === 'email' ? [] : people.map(({ name }) => name),
        'Give an id, an e-mail address or a name from the list of people.',
      ),
    });
  if (others.length === 0) return person;
  const ids = [person, ...others].map(({ id }) => id).join(', ');
  throw new HelveError('ambiguous', `Several people are called ${quoted}`, { hint: `Give one of their ids: ${ids}.` });
}
