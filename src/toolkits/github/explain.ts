/** Translates GitHub's refusals: which field was wrong, which permission the token lacks, how long to wait. */
import type { ErrorCode } from '../../domain/errors.js';
import type { Explained, ServiceResponse } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
import { refusedForSeconds } from './rate-limit.js';

interface RawProblem {
  readonly resource?: string;
  readonly field?: string;
  readonly code?: string;
  readonly message?: string;
}

interface RawRefusal {
  readonly message?: string;
  readonly errors?: readonly (RawProblem | string)[] | string;
  readonly documentation_url?: string;
}

/** A read follows the redirect of a repository that moved; a write is never sent to another address. */
const movedStatuses = new Set([301, 307, 308]);
const moved: Explained = {
  code: 'not_found',
  message: 'GitHub refused: the repository was renamed or moved',
  hint: 'get_repository shows its current name (full_name). Nothing was changed.',
};

/** A failure of the server (5xx) is judged by its status alone: its body does not help a caller. */
export function explain(response: ServiceResponse): Explained | undefined {
  if (movedStatuses.has(response.status)) return moved;
  if (response.status < 400 || response.status >= 500) return undefined;
  const body = readRefusal(response);
  const message = describe(response.status, body);
  const details = readDetails(response, body);
  if (response.status === 401) return { message, details, hint: 'Connect the account again.', tokenRefused: true };
  const retryAfterSeconds = refusedForSeconds(response, message);
  if (retryAfterSeconds !== undefined) return { code: 'rate_limited', message, details, retryAfterSeconds };
  const code = chooseCode(response.status, message);
  const hint = hintFor(response, code, message);
  return { code, message, details, ...defined({ hint }) };
}

function readRefusal(response: ServiceResponse): RawRefusal {
  try {
    const body: unknown = JSON.parse(response.text());
    if (body !== null && typeof body === 'object') return body;
  } catch {
    // A proxy in front of GitHub answers in HTML.
  }
  return {};
}

function describe(status: number, { message, errors }: RawRefusal): string {
  const said = typeof message === 'string' && message !== '' ? message : `status ${status}`;
  const listed = typeof errors === 'string' ? [errors] : Array.isArray(errors) ? errors : [];
  const problems = listed.map(describeProblem).filter((text) => text !== '' && !said.includes(text));
  return `GitHub refused: ${[said, ...problems].join('; ').slice(0, 2_000)}`;
}

const meanings: Readonly<Record<string, string>> = {
  missing: 'does not exist',
  missing_field: 'is required',
  invalid: 'is not valid',
  already_exists: 'already exists',
  unprocessable: 'cannot be processed',
};

/** `{ resource: 'Label', field: 'color', code: 'invalid' }` → `label color is not valid`. */
function describeProblem(problem: RawProblem | string): string {
  if (typeof problem === 'string') return problem;
  const { resource, field, code, message } = problem ?? {};
  const what = [resource?.toLowerCase(), field].filter(Boolean).join(' ');
  const how = message ?? (Object.hasOwn(meanings, code ?? '') ? meanings[code ?? ''] : undefined) ?? code ?? '';
  return message !== undefined && (field === undefined || message.includes(field)) ? message : `${what} ${how}`.trim();
}

function readDetails({ status, headers }: ServiceResponse, { errors, documentation_url }: RawRefusal) {
  const fields = (Array.isArray(errors) ? errors : []).flatMap((one: RawProblem | string) =>
    typeof one === 'object' && one?.field ? [one.field] : [],
  );
  return {
    status,
    ...defined({
      fields: fields.length > 0 ? fields : undefined,
      documentation_url,
      request_id: headers['x-github-request-id'],
    }),
  };
}

function chooseCode(status: number, message: string): ErrorCode {
  if (status === 404 || status === 410) return 'not_found';
  // 405: a pull request that cannot be merged now.
  if (status === 405 || status === 409 || status === 412) return 'conflict';
  if (status === 422) {
    return /already exists|sha" wasn't supplied|does not match|not a fast forward/i.test(message)
      ? 'conflict'
      : 'invalid_input';
  }
  if (status === 413) return 'too_large';
  return status === 403 || status === 451 ? 'forbidden' : 'invalid_input';
}

function hintFor({ status, headers }: ServiceResponse, code: ErrorCode, message: string): string | undefined {
  if (code === 'not_found') {
    return 'Check the owner, the name and the number. GitHub also answers this way for a private repository that the token may not see.';
  }
  if (code === 'conflict') return hintForConflict(status, message);
  if (/no commit found|no ref found|head is not valid|base is not valid/i.test(message)) {
    return 'Check that the branch or commit exists there (list_branches).';
  }
  if (status !== 403) return undefined;
  if (headers['x-github-sso'] !== undefined)
    return 'The organization demands single sign-on: authorise the token for it.';
  const permissions = headers['x-accepted-github-permissions'];
  if (permissions) return `The token needs one of these permissions: ${permissions}.`;
  const scopes = headers['x-accepted-oauth-scopes'];
  if (scopes) return `The token needs one of these scopes: ${scopes}.`;
  return 'This account may not do that there, or the token was made without the permission.';
}

function hintForConflict(status: number, message: string): string | undefined {
  if (/sha" wasn't supplied/i.test(message)) {
    return 'The file already exists: read it with get_file, then use update_file with its sha.';
  }
  if (/does not match/i.test(message)) return 'It has changed since: read it again with get_file and start from that.';
  if (/was modified/i.test(message)) return 'The branch has changed since: read it again.';
  return status === 405 ? 'mergeable_state of get_pull_request says what prevents the merge.' : undefined;
}
