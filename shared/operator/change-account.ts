/** Changes of accounts and properties: their names, which nothing but people reads, and the rate of an account. */
import * as v from 'valibot';
import { unknownAccount, unknownProperty, type AccountDeps, type Outcome } from '../auth/accounts.ts';
import { ownedPropertyItem } from '../auth/credential-items.ts';
import { err, ok } from '../runtime/result.ts';
import { changeItem } from '../table/change-item.ts';
import { credentialKeys } from '../table/credential-keys.ts';

type ChangeDeps = Pick<AccountDeps, 'credentials' | 'pause'>;

/** Renames an account. Refuses an unknown account. */
export const renameAccount = (
  { credentials, pause }: ChangeDeps,
  { account, name }: { readonly account: number; readonly name: string },
): Promise<Outcome> =>
  changeItem<Outcome>(
    { table: credentials, pause },
    { key: credentialKeys.account(account), what: 'accounts: an account' },
    (item) => (item ? { result: ok({ account, name }), set: { name } } : { result: err(unknownAccount) }),
  );

/** Renames a property. Refuses an unknown property, and a property that is being deleted. */
export const renameProperty = (
  { credentials, pause }: ChangeDeps,
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

/** An account and its rate: without, that of the stage again. */
interface AccountLimit {
  readonly account: number;
  readonly requests_per_second?: number | undefined;
}

/**
 * Sets the requests per second of an account, or takes them back: it takes effect within `limits.auth.tokenCacheSeconds`.
 * Refuses an unknown account.
 */
export const limitAccount = (
  { credentials, pause }: ChangeDeps,
  { account, requests_per_second: requests }: AccountLimit,
): Promise<Outcome> =>
  changeItem<Outcome>(
    { table: credentials, pause },
    { key: credentialKeys.account(account), what: 'accounts: an account' },
    (item) => {
      if (!item) return { result: err(unknownAccount) };
      const rate = { requests_per_second: requests ?? null };
      return { result: ok({ account, ...rate }), set: rate };
    },
  );
