import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { sendBrandFile, shippedBrands, type Ask } from '../../shared/brands/send-file.ts';
import { OWNER_ONLY, replaceFile } from '../../local/core/folder.ts';
import type { Outcome } from '../../local/services/lambda/outcome.ts';
import type { AccountAccess } from './endpoints.ts';

type Invoke = (name: string, payload: unknown) => Promise<Outcome>;

/** An account, and a second account to try isolation. */
export interface SeededAccounts extends AccountAccess {
  readonly other: AccountAccess;
}

const Facts = v.variant('ok', [
  v.looseObject({ ok: v.literal(true) }),
  v.object({ ok: v.literal(false), error: v.looseObject({ message: v.string() }) }),
]);

/**
 * Loads the brand catalogue of the project, unless one is loaded. Before the first account exists, the catalogue takes
 * effect at once.
 */
export const seedBrands = async (invoke: Invoke): Promise<void> => {
  const ask: Ask = async (command) => {
    const outcome = await invoke('operator', command);
    if (!outcome.ok) throw new Error(`the brands were not loaded: ${outcome.failure.errorMessage}`);
    const answer = v.parse(Facts, JSON.parse(outcome.payload));
    if (!answer.ok) throw new Error(`the brands were refused: ${answer.error.message}`);
    return answer;
  };
  const { current, next } = await ask({ command: 'brands.show' });
  if (current !== 'none' || next !== 'none') return;
  const loaded = await sendBrandFile(ask, await shippedBrands());
  if (!loaded.ok) throw new Error('the brand catalogue of the project is invalid');
};

const Seeded = v.array(v.object({ property: v.number() }));

/** User names of an account and of the account to try isolation. */
type SeededNames = readonly [one: string, other: string];

/** The password of the account of a user name. */
type PasswordOf = (name: string) => string;

/** Passwords that everybody knows, for a service that keeps nothing. */
const published: PasswordOf = (name) => `tidemark-${name}-password`;

/**
 * The passwords of a service that keeps its people in a folder: random, made at its first start, and kept in a file that
 * only its owner can read. Another user of the machine reaches the port, too.
 */
export const keptPasswords = (folder: string): PasswordOf => {
  const file = join(folder, 'demo-passwords.json');
  const kept = existsSync(file) ? v.safeParse(Kept, readFileSync(file, 'utf8')) : undefined;
  const known = new Map(Object.entries(kept?.success === true ? kept.output : {}));
  return (name) => {
    const password = known.get(name) ?? randomBytes(PASSWORD_BYTES).toString('hex');
    if (known.get(name) === password) return password;
    known.set(name, password);
    replaceFile(file, `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`, OWNER_ONLY);
    return password;
  };
};

const PASSWORD_BYTES = 16;
const Kept = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/**
 * Creates both accounts, or finds them in the data folder, and gives them their passwords; by default the demo accounts
 * with published passwords. No deployed stage has this function.
 */
export const seedAccounts = async (
  invoke: Invoke,
  { names = demoNames, passwordOf = published }: SeedOptions = {},
): Promise<SeededAccounts> => {
  const [one, another] = names.map((name) => accessOf(name, passwordOf(name)));
  if (!one || !another) throw new Error('the seed needs two names');
  const accounts = [one, another].map((access) => ({
    account: accountNameOf(access.username),
    property: 'Main',
    ...access,
  }));
  const outcome = await invoke('seed', { accounts });
  if (!outcome.ok) throw new Error(`the accounts were not created: ${outcome.failure.errorMessage}`);
  const [first, second] = v.parse(Seeded, JSON.parse(outcome.payload));
  if (!first || !second) throw new Error('the seed created fewer accounts than it was given');
  return {
    property_id: first.property,
    ...one,
    other: { property_id: second.property, ...another },
  };
};

interface SeedOptions {
  readonly names?: SeededNames;
  readonly passwordOf?: PasswordOf;
}

const demoNames: SeededNames = ['demo', 'other'];

/** The demo accounts with published passwords, for pages that offer them (the setting `demoAccounts`). */
export const publishedAccounts = () =>
  demoNames.map((name) => ({ account: accountNameOf(name), ...accessOf(name, published(name)) }));

const accountNameOf = (username: string): string =>
  `${username.charAt(0).toUpperCase()}${username.slice(1)} account`;

const accessOf = (name: string, password: string): Omit<AccountAccess, 'property_id'> => ({
  client_id: `tidemark-${name}-client`,
  username: name,
  password,
});
