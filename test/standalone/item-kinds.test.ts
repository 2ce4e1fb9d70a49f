import { describe, expect, it } from 'vitest';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { auditKeys, rateKeys } from '../../shared/table/request-keys.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { itemsOfProperty, itemsOfService } from '../table/sample-keys.ts';

const keysOfData = Object.entries({ ...itemsOfProperty(1_001), ...itemsOfService }).map(
  ([name, [key]]) => [name, key.pk] as const,
);
const otherKeys = [
  ['account', credentialKeys.account(1).pk],
  ['property of an account', credentialKeys.property(1_001).pk],
  ['client id', credentialKeys.client('h').pk],
  ['user', credentialKeys.user('h').pk],
  ['token', credentialKeys.token('h').pk],
  ['login failures', credentialKeys.loginFailures('h', 1).pk],
  ['audit log', auditKeys.entry({ account: 1, time: 1, request: 'r' }).pk],
  ['forgettings', auditKeys.forgettings],
  ['rate', rateKeys.window(1, 1).pk],
] as const;

describe('the kind of an item, by which the meters of the embedded DynamoDB count', () => {
  it.each([...keysOfData, ...otherKeys])('has a name for every key: %s', (_, pk) => {
    expect(kindOfKey(pk)).not.toBe('other');
  });
});
