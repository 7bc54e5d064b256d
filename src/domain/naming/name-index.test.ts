/** The written forms of a tool's name, and what may not take one over. */
import { describe, expect, it } from 'vitest';
import { createNameIndex, toAuditName, toCodeName, toComposioName, toLegacyId, toModelName } from './index.js';

describe('createNameIndex', () => {
  const github = { toolkit: 'github', name: 'create_issue' };

  it('R-registry: writes and reads the five documented forms', () => {
    const index = createNameIndex([github, { toolkit: 'math', name: 'calculate' }]);
    expect(toCodeName(github)).toBe('github.createIssue');
    expect(toComposioName(github)).toBe('GITHUB_CREATE_ISSUE');
    expect(toLegacyId(github)).toBe('composio-github_create_issue');
    expect(toAuditName(github, 'GitHub')).toBe('GitHub.createIssue');
    expect(toModelName(github, 'work')).toBe('work__create_issue');
    const forms = ['github.createIssue', 'GITHUB_CREATE_ISSUE', 'composio-github_create_issue', 'GitHub.createIssue'];
    for (const form of [...forms, 'work__create_issue', 'create_issue'])
      expect(index.parse(form), form).toEqual(github);
    expect(index.parse('calculate')).toEqual({ toolkit: 'math', name: 'calculate' });
  });

  it('R-registry: returns undefined for text in no form, in a form other than the requested one, or of another toolkit', () => {
    const index = createNameIndex([github]);
    const nothing = [
      '',
      '.',
      'github',
      'gitHub.createIssue',
      'GITHUB_CREATE',
      'composio-GITHUB_CREATE_ISSUE',
      'work__',
      '__proto__',
    ];
    for (const form of nothing) expect(index.parse(form), form).toBeUndefined();
    expect(index.parse('GITHUB_CREATE_ISSUE', { form: 'code' })).toBeUndefined();
    expect(index.parse('work__create_issue', { toolkitOfSlug: () => 'gitlab' })).toBeUndefined();
    expect(index.parse('work__create_issue', { toolkitOfSlug: () => undefined })).toBeUndefined();
  });

  it('R-registry: a toolkit cannot take over the Composio form of another, present or not', () => {
    const squatter = { toolkit: 'github_create', name: 'issue' };
    expect(toComposioName(squatter)).toMatch(/^GITHUB_CREATE_ISSUE_[0-9A-F]{16}$/);
    expect(createNameIndex([squatter]).parse('GITHUB_CREATE_ISSUE')).toBeUndefined();
    expect(createNameIndex([squatter, github]).parse('GITHUB_CREATE_ISSUE')).toEqual(github);
  });

  it('R-registry: a toolkit cannot take over the audit name of another by its title', () => {
    expect(toAuditName({ toolkit: 'evil', name: 'create_issue' }, 'GitHub')).toBe('Evil.createIssue');
    expect(toAuditName({ toolkit: 'one_drive', name: 'get' }, 'OneDrive')).toBe('One_Drive.get');
    expect(toAuditName({ toolkit: 'google_workspace', name: 'list_files' })).toBe('Google_Workspace.listFiles');
  });

  it('R-registry: resolves a slug that only its provider can know, unless a tool has it as its own form', () => {
    const odd = { toolkit: 'acme', name: 'run', composioSlug: 'LEGACY_RUN' };
    const thief = { toolkit: 'acme', name: 'steal', composioSlug: 'GITHUB_CREATE_ISSUE' };
    const index = createNameIndex([thief, odd, github]);
    expect(index.parse('LEGACY_RUN')).toEqual({ toolkit: odd.toolkit, name: odd.name });
    expect(index.parse('composio-legacy_run')).toEqual({ toolkit: odd.toolkit, name: odd.name });
    expect(index.parse('GITHUB_CREATE_ISSUE')).toEqual(github);
    expect(createNameIndex([odd, { ...thief, composioSlug: 'LEGACY_RUN' }]).parse('LEGACY_RUN')).toBeUndefined();
  });

  it('R-registry: a name that several tools could mean is refused', () => {
    const index = createNameIndex([github, { toolkit: 'gitlab', name: 'create_issue' }]);
    expect(index.parse('create_issue')).toBeUndefined();
    expect(index.parse('work__create_issue')).toBeUndefined();
    expect(index.parse('work__create_issue', { toolkitOfSlug: () => 'gitlab' })?.toolkit).toBe('gitlab');
  });

  it('words that JavaScript reserves or that are properties of every object end in _ in code', () => {
    const names = ['get', 'delete', 'then', 'to_string'].map((name) => toCodeName({ toolkit: 'fetch', name }));
    expect(names).toEqual(['fetch_.get', 'fetch_.delete_', 'fetch_.then_', 'fetch_.toString_']);
  });

  it('hyphens stay readable in code', () => {
    expect(toCodeName({ toolkit: 'brave-search', name: 'web-search_2' })).toBe('brave$search.web$search_2');
  });
});
