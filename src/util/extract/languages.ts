/** One name for each language, for all the names that callers and Markdown fences use. */
export function languageName(name: string): string {
  const names: Record<string, string> = {
    ts: 'typescript',
    mts: 'typescript',
    js: 'javascript',
    jsx: 'javascript',
    mjs: 'javascript',
    node: 'javascript',
    py: 'python',
    python3: 'python',
    rs: 'rust',
    golang: 'go',
    'c++': 'cpp',
    cc: 'cpp',
    cxx: 'cpp',
    'c#': 'csharp',
    cs: 'csharp',
    'c-sharp': 'csharp',
    rb: 'ruby',
    sh: 'bash',
    shell: 'bash',
    zsh: 'bash',
    kt: 'kotlin',
    yml: 'yaml',
  };
  const folded = name.toLowerCase();
  return (Object.hasOwn(names, folded) ? names[folded] : undefined) ?? folded;
}
