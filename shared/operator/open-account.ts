/** Opens an account: the account alone, or with a property, a client id and a user, ready to sign in. */
import * as v from 'valibot';
import { createAccount, type AccountDeps, type CommandRefusal, type Outcome } from '../auth/accounts.ts';
import { createClient } from '../auth/clients.ts';
import { readUser } from '../auth/change-user.ts';
import { err, ok } from '../runtime/result.ts';
import {
  email as emailShape,
  isNotName,
  name as nameShape,
  newPassword,
  username as usernameShape,
} from './command-ids.ts';
import { createProperty } from './create-property.ts';
import { makeUser } from './operate-users.ts';

/** A new account, and its first user if there is to be one. */
export const newAccount = v.pipe(
  v.strictObject({
    name: nameShape,
    with_user: v.optional(usernameShape),
    email: v.optional(emailShape),
    first_name: v.optional(nameShape),
    last_name: v.optional(nameShape),
    password: v.optional(newPassword),
  }),
  v.check(
    (account) => (account.with_user === undefined) === (account.email === undefined),
    'Needs both a user and its e-mail address, or neither.',
  ),
  v.forward(
    v.check(
      ({ with_user, password }) =>
        with_user === undefined ? password === undefined : isNotName({ username: with_user, password }),
      'Must not be the user name, and needs a user.',
    ),
    ['password'],
  ),
);

/**
 * Creates an account. With a user it also creates a property of the same name, the client id and the user, and returns
 * what is needed to sign in; a generated password appears only in this answer. A taken user name is refused before
 * anything is created.
 */
export const openAccount = async (
  deps: AccountDeps,
  { name, with_user: username, email, first_name, last_name, password }: v.InferOutput<typeof newAccount>,
): Promise<Outcome> => {
  if (username !== undefined && (await readUser(deps.credentials, username))) return err(taken);
  const account = await createAccount(deps, name);
  if (username === undefined || email === undefined) return ok({ account });
  const property = await createProperty(deps, { account, name });
  if (!property.ok) return property;
  const client = await createClient(deps, account);
  if (!client.ok) return client;
  const user = {
    account,
    username,
    email,
    first_name: first_name ?? 'API',
    last_name: last_name ?? 'User',
    password,
  };
  const made = await makeUser(deps, user);
  return made.ok ? ok({ account, property: property.value, client_id: client.value, ...made.value }) : made;
};

const taken: CommandRefusal = {
  code: 'username_taken',
  message: 'This user name is taken; choose another. Nothing was created.',
};
