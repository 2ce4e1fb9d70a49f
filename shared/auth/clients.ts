/** Client ids: creates and rotates the only client id of an account, for the operator's commands. */
import type { Ids } from '../runtime/ids.ts';
import { err, ok } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { findAccount, unknownAccount, type CommandRefusal, type Outcome } from './accounts.ts';
import { sha256 } from '../runtime/hash.ts';

interface Deps {
  readonly credentials: Table;
  readonly ids: Ids;
}

/** Gives an account its only client id. Of two racing calls one wins, and a crash in between leaves nothing in force. */
export const createClient = async (
  deps: Deps,
  account: number,
  clientId = deps.ids.hex(16),
): Promise<Outcome<string>> => {
  const found = await findAccount(deps.credentials, account);
  if (!found) return err(unknownAccount);
  if (found.account.client_id !== undefined) return err(clientExists);
  return (await name(deps.credentials, found, clientId)) ? ok(clientId) : err(clientExists);
};

/**
 * Replaces the client id of an account. The old one stops working with the write that names the new one. Tokens
 * belong to users and stay valid.
 */
export const rotateClient = async ({ credentials, ids }: Deps, account: number): Promise<Outcome<string>> => {
  const found = await findAccount(credentials, account);
  if (!found) return err(unknownAccount);
  const old = found.account.client_id;
  if (old === undefined) return err(noClient);
  const clientId = ids.hex(16);
  if (!(await name(credentials, found, clientId))) return err(changing);
  await credentials.write({ kind: 'delete', key: credentialKeys.client(sha256(old)), expect: {} });
  return ok(clientId);
};

/** Names a client id in its account, unless the account has changed. A client id works only while its account names it. */
const name = async (
  credentials: Table,
  { account, w }: { readonly account: { readonly id: number }; readonly w: string },
  clientId: string,
): Promise<boolean> => {
  const key = credentialKeys.client(sha256(clientId));
  await credentials.write({ kind: 'insert', key, set: { account: account.id } });
  const named = {
    kind: 'update',
    key: credentialKeys.account(account.id),
    set: { client_id: clientId },
  } as const;
  return (await credentials.write({ ...named, expect: { w } })) === 'applied';
};

const clientExists: CommandRefusal = {
  code: 'client_exists',
  message: 'This account has its client id already; there can be only one. "client rotate" replaces it.',
};
const noClient: CommandRefusal = { code: 'unknown_client', message: 'This account has no client id yet.' };
const changing: CommandRefusal = {
  code: 'conflict',
  message: 'Another call is changing this account; try again.',
};
