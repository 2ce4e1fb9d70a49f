/** Demo accounts: how a page with a sign-in form learns the accounts that it may offer by name. */
import { escapeMarkup } from '../../shared/runtime/markup.ts';

/**
 * The tag that names the demo accounts to the script of a page: `DEMO_ACCOUNTS`, a list in JSON of `account`, `client_id`,
 * `username` and `password`. Only the local stage has any: a deployed stage refuses the setting, and gets no tag.
 */
export const demoAccountsTag = (accounts: string): string =>
  accounts === '[]' ? '' : `<meta name="demo-accounts" content="${escapeMarkup(accounts)}">\n`;
