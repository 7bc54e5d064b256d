/**
 * Other names under which reference documents know a tool. Each stands for one tool. Aliases are read and never
 * written.
 */
import type { ToolId } from './tool-id.js';

/** From a bare alias to the tool's name. */
export const toolAliases: Readonly<Record<string, string>> = Object.freeze({
  list_directory: 'list_dir',
  http_request: 'fetch_url',
  execute_command: 'run_command',
  stat: 'file_info',
  ssh_execute: 'run_ssh_command',
  create_pdf: 'create_document',
  create_docx: 'create_document',
  create_xlsx: 'create_document',
  create_pptx: 'create_document',
});

/** Arguments that an alias stands for: `create_pdf` is `create_document` with `{"format":"pdf"}`. */
const presets: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.freeze({
  create_pdf: { format: 'pdf' },
  create_docx: { format: 'docx' },
  create_xlsx: { format: 'xlsx' },
  create_pptx: { format: 'pptx' },
});

/** From a dotted alias, as used in code, to the tool. A tool whose own form is the same takes precedence. */
const dottedAliases: Readonly<Record<string, ToolId>> = Object.freeze({
  'browser.screenshot': { toolkit: 'browser', name: 'take_screenshot' },
  'code.execute': { toolkit: 'code', name: 'execute_code' },
  'code.installPackage': { toolkit: 'code', name: 'install_package' },
  'search.web': { toolkit: 'web_search', name: 'web_search' },
  'search.images': { toolkit: 'web_search', name: 'image_search' },
  'file.read': { toolkit: 'files', name: 'read_file' },
  'file.write': { toolkit: 'files', name: 'write_file' },
  'file.list': { toolkit: 'files', name: 'list_dir' },
  'linear.updateStatus': { toolkit: 'linear', name: 'update_issue_status' },
});

/** The canonical name of a tool; a name that is not an alias is returned unchanged. */
export function canonicalToolName(name: string): string {
  return (Object.hasOwn(toolAliases, name) ? toolAliases[name] : undefined) ?? name;
}

/** Whether a name is only an alias, and so may not be the bare name of any tool. */
export function isToolAlias(name: string): boolean {
  return Object.hasOwn(toolAliases, name);
}

/** The arguments that an alias stands for; undefined for every other name. */
export function findAliasPreset(name: string): Readonly<Record<string, string>> | undefined {
  return Object.hasOwn(presets, name) ? presets[name] : undefined;
}

/** The tool that a dotted alias stands for, in the code form or in the audit form (`Linear.updateStatus`). */
export function findDottedAlias(form: string): ToolId | undefined {
  const inCode = form.slice(0, 1).toLowerCase() + form.slice(1);
  return Object.hasOwn(dottedAliases, inCode) ? dottedAliases[inCode] : undefined;
}
