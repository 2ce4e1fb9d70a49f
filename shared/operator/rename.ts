/** Rename commands: give an account or a property another name. Nothing but people reads the name. */
import * as v from 'valibot';
import { unknownAccount, unknownProperty, type AccountDeps, type Outcome } from '../auth/accounts.ts';
import { ownedPropertyItem } from '../auth/credential-items.ts';
import { err, ok } from '../runtime/result.ts';
import { changeItem } from '../table/change-item.ts';
import { credentialKeys } from '../table/credential-keys.ts';

type RenameDeps = Pick<AccountDeps, 'credentials' | 'pause'>;

/** Renames an account. Refuses an unknown account. */
export const renameAccount = (
  { credentials, pause }: RenameDeps,
  { account, name }: { readonly account: number; readonly name: string },
): Promise<Outcome> =>
  changeItem<Outcome>(
    { table: credentials, pause },
    { key: credentialKeys.account(account), what: 'accounts: an account' },
    (item) => (item ? { result: ok({ account, name }), set: { name } } : { result: err(unknownAccount) }),
  );

/** Renames a property. Refuses an unknown property, and a property that is being deleted. */
export const renameProperty = (
  { credentials, pause }: RenameDeps,
  { property, name }: { readonly property: number; readonly name: string },
): Promise<Outcome> =>
  changeItem<Outcome>(
    { table: credentials, pause },
    { key: credentialKeys.property(property), what: 'accounts: a property' },
    (item) =>
      item && !v.parse(ownedPropertyItem, item).deletion
        ? { result: ok({ property, name }), set: { name } }
        : { result: err(unknownProperty) },
  );
