/** Removing a person, and what becomes of the accounts that they own. */
import { useState } from 'react';
import { useText } from '../messages/index.js';
import { useAct, useRead } from '../server/use-api.js';
import { Actions, Dialog, ProblemBox } from '../ui/index.js';
import css from './pages.module.css';
import type { Person } from './people.js';

interface RemovePersonProps {
  readonly person: Person;
  readonly users: readonly Person[];
  readonly onClose: () => void;
}

export function RemovePerson({ person, users, onClose }: RemovePersonProps) {
  const text = useText();
  const owned = useRead('GET /api/tools/connected').data?.connections.filter(({ ownerId }) => ownerId === person.id);
  const others = users.filter(({ id, status }) => id !== person.id && status === 'active');
  const [to, setTo] = useState(others[0]?.id ?? '');
  const [keeps, setKeeps] = useState(true);
  const { mutate, error, isPending } = useAct('DELETE /api/users/:user', onClose);
  const count = owned?.length ?? 0;
  const query = count === 0 ? {} : keeps ? { accounts: 'hand_over' as const, to } : { accounts: 'remove' as const };
  return (
    <Dialog title={text.removeAsk(person.name)} isOpen onClose={onClose}>
      <p>{text.leaverHow}</p>
      {count === 0 ? undefined : (
        <fieldset className={css.choices}>
          <legend>{text.leaverAccounts(count)}</legend>
          <label className={css.check}>
            <input type="radio" name="accounts" checked={keeps} onChange={() => setKeeps(true)} />
            {text.handOver}
            <select aria-label={text.handOver} value={to} onChange={(event) => setTo(event.target.value)}>
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className={css.check}>
            <input type="radio" name="accounts" checked={!keeps} onChange={() => setKeeps(false)} />
            {text.removeAccounts}
          </label>
        </fieldset>
      )}
      <ProblemBox error={error} />
      <Actions>
        <button type="button" onClick={onClose}>
          {text.cancel}
        </button>
        <button type="button" disabled={isPending} onClick={() => mutate({ params: { user: person.id }, query })}>
          {text.remove}
        </button>
      </Actions>
    </Dialog>
  );
}
