/** What an action does, by its tags and its verb. */
import { describe, expect, test } from 'vitest';
import { getCapability, judgeNature } from './action-words.js';
import { toolName } from './tool-names.js';

const tagsOf = (letters: string): string[] => {
  const names: Record<string, string> = {
    r: 'readOnly',
    d: 'destructive',
    i: 'idempotent',
    o: 'openWorld',
    u: 'update',
    w: 'writeOnly',
  };
  return ['repos', ...[...letters].map((letter) => `${names[letter]}Hint`)];
};

describe('R-capability: what an action does', () => {
  test.each([
    // Tag and verb agree.
    ['get_a_repository', 'ro', 'read', false],
    ['delete_a_repository', 'dio', 'destructive', true],
    ['create_an_issue', 'o', 'write', true],
    ['update_a_gist', 'ou', 'write', true],
    // The tag is also set on harmless actions.
    ['accept_a_repository_invitation', 'dio', 'write', true],
    ['unstar_a_gist', 'dio', 'write', true],
    ['set_labels_for_an_issue', 'do', 'write', true],
    // The tag is believed if nothing contradicts it.
    ['merge_a_branch', 'do', 'destructive', true],
    ['transfer_a_repository', 'do', 'destructive', true],
    ['frobnicate_a_widget', 'do', 'destructive', true],
    ['courses_announcements_delete', '', 'destructive', true],
    // The tag is missing although something is lost.
    ['delete_comment', '', 'destructive', true],
    ['delete_comment', 'ou', 'destructive', true],
    ['remove_user_from_group', '', 'destructive', true],
    ['remove_label', 'ou', 'write', true],
    ['lists_clear_rows', '', 'destructive', true],
    ['retrieve_or_delete_person_data', '', 'destructive', true],
    ['permanently_remove_file', '', 'destructive', true],
    // "Only reads" is not believed against the verb, nor together with the destructive tag.
    ['delete_everything', 'r', 'destructive', true],
    ['create_issue', 'r', 'write', true],
    ['get_token', 'rd', 'destructive', true],
    ['manage_secrets', 'r', 'read', false],
    ['auth_user_packages_list', 'r', 'read', false],
    // Without any hint the verb decides, and effects are assumed.
    ['list_users', '', 'read', true],
    ['courses_list', '', 'read', true],
    ['issues_get', '', 'read', true],
    ['list_delete_member', '', 'destructive', true],
    ['get_or_create_contact', '', 'write', true],
    ['query_database', '', 'write', true],
    ['check_out_book', '', 'write', true],
    ['mark_as_read', '', 'write', true],
    ['distance_matrix_api', '', 'write', true],
    // Other hints show that someone looked, and did not find the action read-only.
    ['get_report', 'o', 'write', true],
  ])('R-capability: %s (%s) is %s, with effects: %s', (name, letters, risk, hasEffects) => {
    const nature = judgeNature(name, tagsOf(letters));
    expect(nature).toMatchObject({ risk, hasEffects });
    expect(nature.annotations).toMatchObject({
      readOnlyHint: risk === 'read',
      destructiveHint: risk === 'destructive',
      openWorldHint: true,
    });
  });

  test('R-composio-client: only a tag makes it repeatable', () => {
    expect(judgeNature('get_x', tagsOf('r')).repeatable).toBe(true);
    expect(judgeNature('set_x', tagsOf('i')).repeatable).toBe(true);
    expect(judgeNature('get_x', []).repeatable).toBe(false);
    expect(judgeNature('delete_x', tagsOf('r')).repeatable).toBe(false);
  });

  test.each([
    ['send_message', 'send message'],
    ['create_channel_based_conversation', 'create channel based conversation'],
    ['create_an_issue_for_a_repository', 'create issue'],
    ['repo_s_list_for_user', 'list repos'],
    ['list_repository_events', 'list repository events'],
    ['courses_announcements_delete', 'delete courses announcements'],
    ['post_delete', 'delete post'],
    ['pulls_create_review', 'create pulls review'],
    ['star_a_repository_for_the_authenticated_user', 'star repository'],
    ['geocoding_api', 'geocoding api'],
    ['delete', 'delete'],
  ])('R-capability: %s does %s', (name, capability) => {
    expect(getCapability(name)).toBe(capability);
  });
});

describe('R-composio-client: names of actions', () => {
  test.each([
    ['github', 'GITHUB_CREATE_ISSUE', 'create_issue'],
    ['_21risk', '_21RISK_GET_ITEMS', 'get_items'],
    ['google_maps', 'GOOGLE_MAPS_GET_ROUTE', 'get_route'],
    ['google', 'GOOGLE_MAPS_GET_ROUTE', 'maps_get_route'],
    ['github', 'GITHUB_2FA', '2fa'],
  ])('R-composio-client: of %s, %s is %s', (app, slug, name) => {
    expect(toolName(app, slug)).toBe(name);
  });

  test('R-composio-client: unusual slugs never share a name with others', () => {
    const odd = [
      'FOO_BAR',
      'GITHUB_foo_bar',
      'GITHUB__FOO_BAR',
      'GITHUB_FOO_BAR_',
      'github_foo_bar',
      'GITHUB_',
      'GITHUB',
      'GITHUB_FÖÖ',
      'GITHUB_FOO-BAR',
    ];
    const names = ['GITHUB_FOO_BAR', ...odd].map((slug) => toolName('github', slug));
    expect(names[0]).toBe('foo_bar');
    expect(new Set(names).size).toBe(names.length);
    for (const name of names.slice(1)) expect(name).toMatch(/^[a-z0-9_]+_[0-9a-f]{12}$/);
  });
});
