import { describe, expect, it } from 'vitest';
import { itemKinds } from '../releases/item-kinds.ts';
import { releasedItemKinds, releases } from '../releases/release-files.ts';

it('the attributes of stored items change only together with this list', () => {
  expect(itemKinds).toEqual({
    property: 'account created wrappedKey',
    listedProperty: 'property',
    rules: 'file_days names_ready? names_since? profile_months special_categories',
    account: 'client_id? created id name requests_per_second?',
    ownedProperty: 'account busy_until deletion? name',
    deletion: 'after began found items last_from objects phase table',
    accountUser: 'username',
    user: 'account disabled email epoch first_name id last_name password role ssh_keys username version',
    sshKey: 'added comment fingerprint key',
    client: 'account',
    token: 'account created epoch expires name permissions properties user version',
    userToken: 'is_key token version',
    importDefinition:
      'account attribute_source created delimiter encoding file_match_rule granted_tier header_line id mapping_fields max_addresses_per_id max_new_segments max_refused_share name not_identities notification_email property result_files revision skip_appends tags_mode test_mode trim webhook_secret webhook_url',
    audit: 'action ids? operator? outcome property? request_id source? time token? user?',
  });
});

/** Whether an item kind may differ from what a release stored: its schema has a version of its own. */
const isVersioned = (attributes: string): boolean => attributes.split(' ').includes('version');

/** Item kinds of a release that later code could not tell apart. */
const changedInSecret = (
  released: Readonly<Record<string, string>>,
  present: Readonly<Record<string, string>>,
): readonly string[] =>
  Object.entries(released).flatMap(([kind, attributes]) => {
    const now = present[kind];
    return now === attributes || (now !== undefined && isVersioned(now)) ? [] : [kind];
  });

describe('an item kind that a release has stored', () => {
  it.each(releases)('is as it was in %s, or has a version (CONTRIBUTING.md, "Stored items")', (version) => {
    expect(changedInSecret(releasedItemKinds(version), itemKinds)).toEqual([]);
  });

  it.each([
    ['another attribute', 'account created', 'account born', ['user']],
    ['another attribute and a version', 'account created', 'account born version', []],
    ['no change', 'account created', 'account created', []],
  ])('%s', (_, released, present, found) => {
    expect(changedInSecret({ user: released }, { user: present })).toEqual(found);
    expect(changedInSecret({ gone: released }, { user: present })).toEqual(['gone']);
  });
});
