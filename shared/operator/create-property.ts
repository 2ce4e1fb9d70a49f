import { openPointer } from '../catalogue/brand-pointer.ts';
import { err, ok } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import { keys } from '../table/keys.ts';
import { MAX_PROPERTY } from '../table/scoped-ids.ts';
import { findAccount, insertNew, unknownAccount, type AccountDeps, type Outcome } from '../auth/accounts.ts';
import { keyContext } from '../properties/property-keys.ts';

/** Property ids start here, so that nobody confuses them with account or user ids. */
export const FIRST_PROPERTY = 1_001;

/**
 * Creates a property with a fresh master key. Its list entries and its data are written first and its owner
 * last, so a crash leaves nothing that a request could reach, and no list lacks a property. Lists skip
 * properties that do not exist.
 */
export const createProperty = async (
  { table, credentials, clock, keyService }: AccountDeps,
  { account, name }: { account: number; name: string },
): Promise<Outcome<number>> => {
  if (!(await findAccount(credentials, account))) return err(unknownAccount);
  const id = (await credentials.increment(credentialKeys.counter('property'), 1)) + FIRST_PROPERTY - 1;
  if (id > MAX_PROPERTY) return err({ code: 'full', message: 'No more properties can be made.' });
  const { wrapped } = await keyService.generateDataKey(keyContext(id));
  await openPointer(table);
  await insertNew(table, keys.listedProperty(id), { property: id });
  await insertNew(table, keys.property(id), { account, created: clock(), wrappedKey: wrapped });
  await insertNew(credentials, credentialKeys.accountProperty(account, id), { property: id });
  await insertNew(credentials, credentialKeys.property(id), { account, name, busy_until: 0 });
  return ok(id);
};
