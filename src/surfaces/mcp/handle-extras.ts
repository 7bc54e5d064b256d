/** Serves resources, prompts and completions from the ports of extras.ts. */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import type { Principal } from '../../domain/principal.js';
import { openChannel } from './client-channel.js';
import { converse } from './converse.js';
import { type McpExtras, type McpPromptText, maxSubscriptions } from './extras.js';
import type { McpParts } from './parts.js';
import { getPrincipal } from './principal.js';
import { guarded } from './protocol-errors.js';
import { prepareFingerprint, readWaiting } from './request-state.js';

type Resources = NonNullable<McpExtras['resources']>;

export function handleExtras(server: Server, parts: McpParts, fixed: Principal | undefined): void {
  const { resources, complete } = parts.extras;
  if (resources !== undefined) handleResources(server, resources, fixed);
  handlePrompts(server, parts, fixed);
  if (complete === undefined) return;
  server.setRequestHandler('completion/complete', ({ params }, context) =>
    guarded(async () => {
      const { ref, argument } = params;
      const of = ref.type === 'ref/prompt' ? ref.name : ref.uri;
      const asked = { of, argument: argument.name, value: argument.value };
      const values = await complete(getPrincipal(context, fixed), asked);
      return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } };
    }),
  );
}

function handleResources(server: Server, resources: Resources, fixed: Principal | undefined): void {
  server.setRequestHandler('resources/list', (_request, context) =>
    guarded(async () => ({ resources: [...(await resources.list(getPrincipal(context, fixed)))] })),
  );
  server.setRequestHandler('resources/templates/list', (_request, context) =>
    guarded(async () => ({ resourceTemplates: [...(await resources.templates(getPrincipal(context, fixed)))] })),
  );
  server.setRequestHandler('resources/read', ({ params }, context) =>
    guarded(async () => ({ contents: [...(await readResource(resources, getPrincipal(context, fixed), params.uri))] })),
  );
  if (resources.subscribe !== undefined) handleSubscriptions(server, resources, fixed);
}

async function readResource(resources: Resources, principal: Principal, uri: string) {
  const contents = await resources.read(principal, uri);
  if (contents === undefined) throw new ResourceNotFoundError(uri);
  return contents;
}

function handleSubscriptions(server: Server, resources: Resources, fixed: Principal | undefined): void {
  const watched = new Map<string, () => void>();
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }, context) =>
    guarded(async () => {
      if (watched.size >= maxSubscriptions && !watched.has(uri)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `At most ${maxSubscriptions} subscriptions`);
      }
      const principal = getPrincipal(context, fixed);
      // Without this, a mistyped address would be accepted and never updated.
      await readResource(resources, principal, uri);
      watched.get(uri)?.();
      const changed = () => void server.sendResourceUpdated({ uri }).catch(() => undefined);
      const stop = resources.subscribe?.(principal, uri, changed);
      if (stop !== undefined) watched.set(uri, stop);
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    watched.get(uri)?.();
    watched.delete(uri);
    return {};
  });
  const before = server.onclose;
  server.onclose = () => {
    before?.();
    for (const stop of watched.values()) stop();
    watched.clear();
  };
}

function handlePrompts(server: Server, parts: McpParts, fixed: Principal | undefined): void {
  const { prompts } = parts.extras;
  if (prompts === undefined) return;
  server.setRequestHandler('prompts/list', (_request, context) =>
    guarded(async () => ({
      prompts: (await prompts.list(getPrincipal(context, fixed))).map((prompt) => ({
        ...prompt,
        arguments: prompt.arguments === undefined ? [] : [...prompt.arguments],
      })),
    })),
  );
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: values = {} } }, context) =>
    guarded(async () => {
      const principal = getPrincipal(context, fixed);
      const call = prepareFingerprint('prompts/get', name, values);
      const waiting = readWaiting(context, call);
      const prompt = await (waiting !== undefined && 'conversation' in waiting
        ? parts.conversations.resume<McpPromptText | undefined>(waiting, context)
        : converse({ parts, server, context, principal }, call, (talk) =>
            prompts.get(principal, { name, values, client: openChannel(talk, name).client }),
          ));
      if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
      return 'resultType' in prompt ? prompt : { ...prompt, messages: [...prompt.messages] };
    }),
  );
}
