/** Account seeding: creates complete accounts under names that the caller knows, or completes interrupted accounts. */
import * as v from 'valibot';
import { err, ok } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import {
  createAccount,
  findAccount,
  listProperties,
  type AccountDeps,
  type Outcome,
} from '../auth/accounts.ts';
import { createProperty } from './create-property.ts';
import { createClient } from '../auth/clients.ts';
import { clientItem } from '../auth/credential-items.ts';
import { limits } from '../config/limits.ts';
import { sha256 } from '../runtime/hash.ts';
import { name as nameShape, newPassword, username as usernameShape } from './command-ids.ts';
import { verifyPassword } from '../auth/passwords.ts';
import { changePassword } from '../auth/revoke-access.ts';
import { readUser } from '../auth/change-user.ts';
import { createUser } from '../auth/users.ts';

/** An account with one property, one client id and one user, under names that the caller keeps. */
const seedShape = v.strictObject({
  account: nameShape,
  property: nameShape,
  client_id: v.pipe(nameShape, v.minLength(8)),
  username: usernameShape,
  password: newPassword,
});
export type Seed = v.InferOutput<typeof seedShape>;

/** Accounts in the order of their ids. */
export const seedPayload = v.strictObject({ accounts: v.array(seedShape) });

/** The ids of a seeded account. */
export interface Seeded {
  readonly account: number;
  readonly property: number;
  readonly user: number;
}

/**
 * Creates accounts with a property, a client id and a user each, or finds them: the client id identifies the account; the
 * property and the user go by their names. After a crash another call creates the missing parts. Accounts and properties
 * get their ids in the order of the seeds. The users come last and at once, because a password takes long to hash. The
 * hash is the cheapest that a login accepts: the passwords of seeded accounts are public or 128 random bits, and a local
 * service starts sooner.
 */
export const seedAccounts = async (
  deps: AccountDeps,
  seeds: readonly Seed[],
): Promise<Outcome<readonly Seeded[]>> => {
  const places: Place[] = [];
  for (const seed of seeds) {
    const place = await placeOf(deps, seed);
    if (!place.ok) return place;
    places.push({ seed, ...place.value });
  }
  const outcomes = await Promise.all(
    places.map(async ({ seed, account, property }) => {
      const user = await userOf(deps, account, seed);
      return user.ok ? ok({ account, property, user: user.value }) : user;
    }),
  );
  const seeded: Seeded[] = [];
  for (const outcome of outcomes) {
    if (!outcome.ok) return outcome;
    seeded.push(outcome.value);
  }
  return ok(seeded);
};

/** A seed whose account and property exist. */
interface Place extends Omit<Seeded, 'user'> {
  readonly seed: Seed;
}

const placeOf = async (deps: AccountDeps, seed: Seed): Promise<Outcome<Omit<Place, 'seed'>>> => {
  const account = await accountOf(deps, seed);
  if (!account.ok) return account;
  const properties = await listProperties(deps.credentials, account.value);
  const known = properties.find(({ name }) => name === seed.property);
  const property = known
    ? ok(known.id)
    : await createProperty(deps, { account: account.value, name: seed.property });
  return property.ok ? ok({ account: account.value, property: property.value }) : property;
};

const accountOf = async (deps: AccountDeps, seed: Seed): Promise<Outcome<number>> => {
  const client = await deps.credentials.get(credentialKeys.client(sha256(seed.client_id)));
  const account = client ? v.parse(clientItem, client).account : await createAccount(deps, seed.account);
  const found = await findAccount(deps.credentials, account);
  if (found?.account.client_id === seed.client_id) return ok(account);
  const made = await createClient(deps, account, seed.client_id);
  return made.ok ? ok(account) : made;
};

const userOf = async (
  deps: AccountDeps,
  account: number,
  { username, password }: Seed,
): Promise<Outcome<number>> => {
  const user = await readUser(deps.credentials, username);
  if (!user) {
    const person = { email: `${username}@example.com`, first_name: 'Demo', last_name: 'User' };
    const cost = limits.auth.leastScrypt;
    return createUser(deps, { account, username, password, role: 'owner', cost, ...person });
  }
  if (user.account !== account)
    return err({ code: 'username_taken', message: 'This user name belongs to another account.' });
  if (!(await verifyPassword(deps.kdf, password, user.password)))
    await changePassword(deps, { username, password });
  return ok(user.id);
};
