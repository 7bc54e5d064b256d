/** Explains failures between us and the machine, and whether the command may be sent again. */
import { HelveError } from '../../domain/errors.js';
import type { Target } from './hosts.js';

/** How far a call got. */
export interface Stage {
  /** The fingerprint that the machine showed instead of the pinned one. */
  wrongKey: string | undefined;
  /** The command was sent: without an answer, it is unknown whether it ran. */
  sent: boolean;
  /** The connection is gone. */
  lost: boolean;
}

/** An error as ssh2 throws it. */
interface SshFailure {
  readonly message: string;
  readonly level?: string;
  /** The reason why the machine did not open a channel. */
  readonly reason?: unknown;
}

export function sessionFailed(thrown: unknown, target: Target, stage: Stage, expected: string): HelveError {
  const { name, setting } = target;
  const failure: SshFailure = thrown instanceof Error ? thrown : { message: String(thrown) };
  if (stage.wrongKey !== undefined) {
    return new HelveError(
      'egress_blocked',
      `The host ${name} showed the key ${stage.wrongKey}, not ${expected}; nothing was sent`,
      {
        hint: `Tell the person: either it is another machine, or its key was changed. Only after the operator has verified the new one may ${setting}.host_key in helve.yaml be set to it.`,
        details: { expected, got: stage.wrongKey },
      },
    );
  }
  if (failure.level === 'client-authentication') {
    return new HelveError('invalid_config', `The host ${name} refused the login; nothing was run`, {
      hint: `The operator must check user and private_key of ${setting} in helve.yaml, and authorized_keys on the host.`,
    });
  }
  const words = shown(failure.message);
  // ssh2 reports a refused command and a lost connection with the same message.
  if (stage.sent && !stage.lost && (failure.reason !== undefined || words === 'Unable to exec')) {
    return new HelveError('tool_failed', `The host ${name} refused to run a command (${words}); nothing was run`);
  }
  if (stage.sent) return outcomeUnknown(target, words);
  if (thrown instanceof HelveError) return thrown;
  if (failure.level === 'handshake' && /^Handshake failed: no matching/.test(failure.message)) {
    return new HelveError(
      'tool_failed',
      `Helve and the host ${name} could not agree on how to connect (${words}); nothing was run`,
      {
        hint: `The operator must check ${setting}.host_key in helve.yaml, whose key type the host must have, and the algorithms that the host offers.`,
      },
    );
  }
  const code = failure.level === 'client-timeout' ? 'timeout' : 'upstream_failed';
  return new HelveError(code, `The connection to the host ${name} failed (${words}); nothing was run`, {
    hint: 'Try again later.',
  });
}

const outcomeUnknown = ({ name }: Target, words: string): HelveError =>
  new HelveError(
    'outcome_unknown',
    `The command was sent to the host ${name}, then the connection was lost (${words})`,
    {
      hint: 'It may have run completely or in part, or may still be running. Check what it did before you send it again.',
    },
  );

/** Shortens text from outside to one line of limited length. */
function shown(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
