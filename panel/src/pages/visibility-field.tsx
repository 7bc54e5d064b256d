/** Who sees an account. An administrator cannot give an agent what they do not see. */
import { useText } from '../messages/index.js';
import { useMay } from '../shell/session.js';

export type Visibility = 'private' | 'workspace';

interface VisibilityFieldProps {
  readonly value: Visibility;
  readonly onChange: (value: Visibility) => void;
}

export function VisibilityField({ value, onChange }: VisibilityFieldProps) {
  const text = useText();
  const mayGrant = useMay('grants:write');
  return (
    <label>
      {text.visibilityLabel}
      <select value={value} onChange={(event) => onChange(event.target.value as Visibility)}>
        <option value="private">{text.visibility.private}</option>
        <option value="workspace">{text.visibility.workspace}</option>
      </select>
      {value === 'private' && !mayGrant ? <span role="status">{text.privateToNoAgent}</span> : undefined}
    </label>
  );
}
