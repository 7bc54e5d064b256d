/**
 * Which tools a name in a policy stands for. New policies contain identities (`toolkit.name`) and the three wildcards:
 * `*`, `toolkit.*` and `*.name`. Policies stored by earlier versions may contain any written form of a name: such a
 * form can restrict a call but never allow one.
 */
import type { PolicyEffect } from '../domain/grant.js';
import {
  looksFingerprinted,
  slugify,
  type ToolId,
  toAuditName,
  toCodeName,
  toComposioName,
  toLegacyId,
  toModelName,
  toolAliases,
} from '../domain/naming/index.js';

/** Whether a rule with this effect that names `text` applies to the tool. */
export function namesTool(text: string, id: ToolId, effect: PolicyEffect): boolean {
  const { toolkit, name } = id;
  if (text === '*' || text === name || text === `${toolkit}.${name}`) return true;
  if (text === `${toolkit}.*` || text === `*.${name}`) return true;
  return effect !== 'allow' && mayBeForm(text, name) && writtenForms(id).has(text);
}

/** Avoids most of the hashing: every form but an alias contains the beginning of the name. */
function mayBeForm(text: string, name: string): boolean {
  return Object.hasOwn(toolAliases, text) || letters(text).includes(letters(name).slice(0, 8));
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Every text by which any rule applies to the tool: its identity and the wildcards. */
export function exactNames({ toolkit, name }: ToolId): readonly string[] {
  return ['*', name, `${toolkit}.${name}`, `${toolkit}.*`, `*.${name}`];
}

/**
 * Whether the text can only be an identity or a wildcard, and no other form of any tool's name. Other forms with a dot have capitals, a
 * `$`, a `_` at the end of a word, or a fingerprint.
 */
export function hasOnlyExactName(text: string): boolean {
  if (text === '*' || text.startsWith('*.') || text.endsWith('.*')) return true;
  if (!plainIdentity.test(text) || Object.hasOwn(toolAliases, text)) return false;
  return text.split('.').every((part) => !part.endsWith('_') && !looksFingerprinted(part));
}

const plainIdentity = /^[a-z0-9][a-z0-9_-]*\.[a-z0-9][a-z0-9_-]*$/;

/** Tools are immutable, so their forms, which need hashes, are computed once. */
const known = new WeakMap<ToolId, ReadonlySet<string>>();

/** Every other form of the tool's name that a stored policy may contain. */
export function writtenForms(id: ToolId): ReadonlySet<string> {
  const forms = known.get(id) ?? new Set(makeForms(id));
  known.set(id, forms);
  return forms;
}

function* makeForms(id: ToolId): Generator<string> {
  yield toComposioName(id);
  yield toLegacyId(id);
  yield toCodeName(id);
  yield toAuditName(id);
  yield toModelName(id);
  yield toModelName(id, slugify(id.toolkit));
  for (const [alias, name] of Object.entries(toolAliases)) if (name === id.name) yield alias;
}
