/** Definitions that their makers changed: shown with their differences, and agreed to one by one. */

import type { AccountActs, PendingDefinition } from '../../domain/accounts.js';
import { HelveError } from '../../domain/errors.js';
import type { DefinitionPin } from '../../domain/grant.js';
import type { JsonObject } from '../../domain/json.js';
import type { Tool } from '../../domain/tool.js';
import { classifyChange } from '../../registry/index.js';
import { definitionName } from '../../util/tool-definition.js';
import { scanDefinition } from '../../util/visible-text.js';
import { draft } from '../workspaces/index.js';
import type { AccountParts } from './account-parts.js';

type DefinitionActs = Pick<AccountActs, 'pendingDefinitions' | 'acceptDefinition'>;

const listFlags = (text: string): string[] =>
  scanDefinition(text).map(({ kind, path, excerpt }) => `${kind} at ${path}: ${excerpt}`);

interface Changed {
  readonly pin: DefinitionPin;
  readonly tool: Tool & Required<Pick<Tool, 'definition'>>;
}

export function createDefinitionActs(parts: AccountParts): DefinitionActs {
  async function changed(workspaceId: string) {
    const { pins } = await parts.configurations.getFresh(workspaceId);
    const found: Changed[] = [];
    for (const pin of pins) {
      const listed = await parts.registry.tools(pin.toolkit, workspaceId).catch(() => []);
      const tool = listed.find((each) => definitionName(each.tool) === pin.tool)?.tool;
      if (tool?.definition && tool.definition.hash !== pin.hash)
        found.push({ pin, tool: { ...tool, definition: tool.definition } });
    }
    return found;
  }

  return {
    async pendingDefinitions(principal) {
      return (await changed(principal.workspaceId)).map(asShown);
    },
    async acceptDefinition(principal, toolkit, name, seen) {
      const { workspaceId } = principal;
      const found = (await changed(workspaceId)).find(({ pin }) => pin.toolkit === toolkit && pin.tool === name);
      if (!found) throw new HelveError('not_found', `No definition of ${toolkit}.${name} is waiting for consent`);
      const now = parts.now();
      const { hash, text } = found.tool.definition;
      if (hash !== seen)
        throw new HelveError('conflict', `${toolkit}.${name} now has a different definition`, {
          hint: 'Review the current one, in the details or in the list, and agree to its hash.',
          details: { ...asShown(found) },
        });
      const facts = { toolkit, tool: name, before: found.pin.hash, after: hash };
      const row = draft('definition.decided', principal, now, facts);
      const pins = [{ toolkit, tool: name, hash, text, pinnedAt: now.toISOString() }];
      await parts.storage.workspace(workspaceId).change([row], (tables) => tables.putPins(pins));
    },
  };
}

function asShown({ pin, tool }: Changed): PendingDefinition {
  const { hash, text } = tool.definition;
  const { class: change, changes } = classifyChange(pin.text, text);
  const before = JSON.parse(pin.text) as JsonObject;
  const after = JSON.parse(text) as JsonObject;
  return { toolkit: pin.toolkit, tool: pin.tool, hash, change, changes, flags: listFlags(text), before, after };
}
