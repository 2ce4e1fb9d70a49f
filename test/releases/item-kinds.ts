/** Item kinds: the attributes of the kinds of stored items that have a schema. */
import { auditItem } from '../../shared/audit/audit-trail.ts';
import * as credentials from '../../shared/auth/credential-items.ts';
import { definitionItem } from '../../shared/imports/items/import-definition.ts';
import { listedPropertyItem, propertyItem } from '../../shared/properties/items.ts';
import { storedRules } from '../../shared/properties/rules.ts';

interface ItemSchema {
  readonly entries: Readonly<Record<string, { readonly type: string }>>;
}

/** The attributes of an item kind; `?` follows an attribute that an item may lack. */
export const attributesOf = ({ entries }: ItemSchema): string =>
  Object.entries(entries)
    .map(([name, { type }]) => (type === 'optional' || type === 'exact_optional' ? `${name}?` : name))
    .toSorted()
    .join(' ');

/** The attributes of each item kind. */
export const itemKinds: Readonly<Record<string, string>> = {
  property: attributesOf(propertyItem),
  rules: attributesOf(storedRules),
  listedProperty: attributesOf(listedPropertyItem),
  account: attributesOf(credentials.accountItem),
  ownedProperty: attributesOf(credentials.ownedPropertyItem),
  deletion: attributesOf(credentials.deletionItem),
  accountUser: attributesOf(credentials.accountUserItem),
  user: attributesOf(credentials.userItem),
  sshKey: attributesOf(credentials.sshKeyItem),
  client: attributesOf(credentials.clientItem),
  token: attributesOf(credentials.tokenItem),
  userToken: attributesOf(credentials.userTokenItem),
  audit: attributesOf(auditItem),
  importDefinition: attributesOf(definitionItem),
};
