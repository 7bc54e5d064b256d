/**
 * Tools that two reference documents name differently (SPEC.md §0). They are one tool each: the native-tools document's
 * name is canonical, the other is an alias that is read but never written.
 */

/** Alias → canonical name. */
export const toolAliases: Readonly<Record<string, string>> = Object.freeze({
  list_directory: 'list_dir',
  http_request: 'fetch_url',
  execute_command: 'run_command',
  stat: 'file_info',
});

/** The canonical name of a tool; a name that is no alias is its own. */
export function canonicalToolName(name: string): string {
  return (Object.hasOwn(toolAliases, name) ? toolAliases[name] : undefined) ?? name;
}

/** Whether a name is only an alias, and so may not be anybody's bare name. */
export function isToolAlias(name: string): boolean {
  return Object.hasOwn(toolAliases, name);
}
