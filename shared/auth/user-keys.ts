/** User keys: adds and removes the SSH keys of a user, for the operator's commands. */
import { limits } from '../config/limits.ts';
import { isoTime, type Clock } from '../runtime/clock.ts';
import { err, ok } from '../runtime/result.ts';
import type { CommandRefusal, Facts, Outcome } from './accounts.ts';
import { changeUser, findUser, type ChangeUserDeps } from './change-user.ts';
import type { SshKey } from './credential-items.ts';
import { parseKeys } from './ssh-keys.ts';

interface Deps extends ChangeUserDeps {
  readonly clock: Clock;
}

/** Adds keys in OpenSSH's format to a user. A key that the user already has stays unchanged. */
export const addKeys = async (
  deps: Deps,
  { username, key: text }: { readonly username: string; readonly key: string },
): Promise<Outcome> => {
  const parsed = parseKeys(text);
  if (!parsed.ok) return err({ code: 'refused_key', message: parsed.error });
  const now = deps.clock();
  const changed = await changeUser(deps, username, ({ ssh_keys }) => {
    const given = new Map(ssh_keys.map((one) => [one.fingerprint, one]));
    for (const one of parsed.value)
      if (!given.has(one.fingerprint)) given.set(one.fingerprint, { ...one, added: now });
    return given.size > limits.auth.sshKeysPerUser ? err(tooMany) : ok({ ssh_keys: [...given.values()] });
  });
  return changed.ok ? ok({ keys: parsed.value.map(({ fingerprint }) => fingerprint) }) : changed;
};

/** Removes a key from a user: it admits nobody from the next login on. */
export const removeKey = async (
  deps: Deps,
  { username, fingerprint }: { readonly username: string; readonly fingerprint: string },
): Promise<Outcome> => {
  const changed = await changeUser(deps, username, ({ ssh_keys }) => {
    const left = ssh_keys.filter((one) => one.fingerprint !== fingerprint);
    return left.length === ssh_keys.length ? err(unknownKey) : ok({ ssh_keys: left });
  });
  return changed.ok ? ok({ key: 'removed' }) : changed;
};

/** The keys of a user, oldest first. */
export const listKeys = async (
  { credentials }: Pick<Deps, 'credentials'>,
  { username }: { readonly username: string },
): Promise<Outcome> => {
  const found = await findUser(credentials, username);
  return found.ok ? ok({ username, keys: found.value.ssh_keys.map(keyView) }) : found;
};

const keyView = ({ key, fingerprint, comment, added }: SshKey): Facts => ({
  fingerprint,
  type: key.split(' ')[0],
  comment: comment === '' ? null : comment,
  added: isoTime(added),
});

const tooMany: CommandRefusal = {
  code: 'full',
  message: `A user has at most ${limits.auth.sshKeysPerUser} keys; remove one first.`,
};
const unknownKey: CommandRefusal = { code: 'unknown_key', message: 'The user has no such key.' };
