/** Limit command: sets the rate of one account, which takes effect within `limits.auth.tokenCacheSeconds`. */
import { unknownAccount, type AccountDeps, type Outcome } from '../auth/accounts.ts';
import { err, ok } from '../runtime/result.ts';
import { changeItem } from '../table/change-item.ts';
import { credentialKeys } from '../table/credential-keys.ts';

/** An account and its rate: without, that of the stage again. */
interface AccountLimit {
  readonly account: number;
  readonly requests_per_second?: number | undefined;
}

/** Sets the requests per second of an account, or takes them back. Refuses an unknown account. */
export const limitAccount = (
  { credentials, pause }: Pick<AccountDeps, 'credentials' | 'pause'>,
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
