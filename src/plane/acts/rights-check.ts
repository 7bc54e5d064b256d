/** For streams: a caller whose rights have changed since the beginning gets nothing more. */
import { HelveError } from '../../domain/errors.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Principal } from '../../domain/principal.js';
import type { PlaneParts, StreamReads } from '../../flows/parts.js';
import { shareByTurn } from '../../util/share-by-turn.js';

/** Rights that nothing has changed are still checked this often: a credential expires without a change. */
const checkMs = 1_000;

/** Thousands of streams are woken by the same row of the record: they share what they ask the store then. */
export function createStreamReads({
  authenticator,
  configurations,
}: Pick<PlaneParts, 'authenticator' | 'configurations'>): StreamReads {
  return {
    configuration: shareByTurn((workspaceId) => workspaceId, configurations.getFresh),
    rights: shareByTurn(
      ({ workspaceId, credentialId, authorizationId, onBehalfOf, permissions, ownAccountsOnly, ofWorkspace, task }) =>
        JSON.stringify([
          workspaceId,
          credentialId,
          authorizationId,
          onBehalfOf?.kind,
          onBehalfOf?.id,
          ownAccountsOnly === true,
          ofWorkspace === true || task !== undefined,
          permissions,
        ]),
      authenticator.findRights,
    ),
  };
}

/**
 * Yields each item with the configuration as it is after the item was read: a change that was recorded before it is in there.
 * Throws `unauthenticated` once the caller has other rights than at the beginning.
 */
export async function* whileAllowed<Item>(
  { streamReads }: Pick<PlaneParts, 'streamReads'>,
  principal: Principal,
  items: AsyncIterable<Item>,
): AsyncGenerator<readonly [Item, WorkspaceConfiguration]> {
  const requireRights = createRightsCheck(streamReads, principal);
  for await (const item of items) {
    const configuration = await streamReads.configuration(principal.workspaceId);
    await requireRights(configuration.revision);
    yield [item, configuration];
  }
}

/** Rows of an export between two looks at the rights of the caller. */
const rowsPerCheck = 500;

/** Yields each row of an export. Throws as `whileAllowed` does, but only now and then looks whether it must. */
export async function* exportWhileAllowed<Row>(
  { streamReads }: Pick<PlaneParts, 'streamReads'>,
  principal: Principal,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Row> {
  const requireRights = createRightsCheck(streamReads, principal);
  let count = 0;
  for await (const row of rows) {
    if (count % rowsPerCheck === 0)
      await requireRights((await streamReads.configuration(principal.workspaceId)).revision);
    count += 1;
    yield row;
  }
}

/** Returns a check that throws once the caller has other rights than at the beginning. */
function createRightsCheck(streamReads: StreamReads, principal: Principal): (revision: number) => Promise<void> {
  let checked: { readonly revision: number; readonly until: number; readonly rights: string } | undefined;
  return async (revision) => {
    const at = performance.now();
    if (checked?.revision === revision && at < checked.until) return;
    const rights = await streamReads.rights(principal);
    if (rights === undefined || (checked !== undefined && checked.rights !== rights))
      throw new HelveError('unauthenticated', 'The credential has ended, or its rights have changed', {
        hint: 'Sign in again, or connect again with the same credential if only its rights have changed.',
      });
    checked = { revision, until: at + checkMs, rights };
  };
}
