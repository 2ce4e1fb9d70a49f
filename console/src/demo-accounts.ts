/** The demo accounts of this machine, which its page names. A deployed stage has none. */

/** An account whose password everybody knows. */
export interface DemoAccount {
  readonly account: string;
  readonly client_id: string;
  readonly username: string;
  readonly password: string;
}

const isDemoAccount = (value: unknown): value is DemoAccount =>
  typeof value === 'object' &&
  value !== null &&
  ['account', 'client_id', 'username', 'password'].every(
    (name) => typeof Object.entries(value).find(([key]) => key === name)?.[1] === 'string',
  );

const named = document.querySelector<HTMLMetaElement>('meta[name="demo-accounts"]')?.content ?? '[]';
const listed: unknown = JSON.parse(named);

/** The demo accounts; empty where there are none. */
export const demoAccounts: readonly DemoAccount[] = Array.isArray(listed) ? listed.filter(isDemoAccount) : [];
