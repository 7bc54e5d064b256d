/** A one-time link, shown to whoever gives it to its person. */
import { useText } from '../messages/index.js';
import { CopyCode } from '../ui/index.js';

export function SignInLink({ link }: { link: string }) {
  const text = useText();
  return (
    <div role="status">
      <p>{text.linkOnce}</p>
      <CopyCode label={text.newLink} text={link} />
    </div>
  );
}
