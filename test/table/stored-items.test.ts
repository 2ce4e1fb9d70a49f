import { expect, it } from 'vitest';
import { auditItem } from '../../shared/audit/audit-trail.ts';
import * as credentials from '../../shared/auth/credential-items.ts';
import { definitionItem } from '../../shared/imports/model/import-definition.ts';
import { sshKeyItem } from '../../shared/auth/ssh-keys.ts';
import { listedPropertyItem, propertyItem } from '../../shared/properties/items.ts';

interface ItemSchema {
  readonly entries: Readonly<Record<string, { readonly type: string }>>;
}

/** The attributes of an item kind; `?` follows an attribute that an item may lack. */
const attributesOf = ({ entries }: ItemSchema): string =>
  Object.entries(entries)
    .map(([name, { type }]) => (type === 'optional' || type === 'exact_optional' ? `${name}?` : name))
    .toSorted()
    .join(' ');

// After a release, a change here needs a schema version: see "Stored items" in CONTRIBUTING.md.
it('the attributes of stored items change only together with this list', () => {
  expect({
    property: attributesOf(propertyItem),
    listedProperty: attributesOf(listedPropertyItem),
    account: attributesOf(credentials.accountItem),
    ownedProperty: attributesOf(credentials.ownedPropertyItem),
    deletion: attributesOf(credentials.deletionItem),
    accountUser: attributesOf(credentials.accountUserItem),
    user: attributesOf(credentials.userItem),
    sshKey: attributesOf(sshKeyItem),
    client: attributesOf(credentials.clientItem),
    token: attributesOf(credentials.tokenItem),
    userToken: attributesOf(credentials.userTokenItem),
    audit: attributesOf(auditItem),
    importDefinition: attributesOf(definitionItem),
  }).toEqual({
    property: 'account created wrappedKey',
    listedProperty: 'property',
    account: 'client_id? created id name requests_per_second?',
    ownedProperty: 'account busy_until deletion? name',
    deletion: 'after began found items last_from objects phase table',
    accountUser: 'username',
    user: 'account disabled email epoch first_name id last_name password ssh_keys username',
    sshKey: 'added comment fingerprint key',
    client: 'account',
    token: 'account created epoch expires user',
    userToken: 'token',
    importDefinition:
      'account attribute_source created delimiter encoding file_match_rule granted_tier header_line id mapping_fields max_addresses_per_id max_new_segments max_refused_share name not_identities notification_email property result_files revision skip_appends tags_mode test_mode trim webhook_secret webhook_url',
    audit: 'action ids? operator? outcome property? request_id source? time token? user?',
  });
});
