/** SFTP login: answers Transfer Family's question whether a user may log in, by password or public key. */
import * as v from 'valibot';
import { listProperties } from './accounts.ts';
import type { User } from './credential-items.ts';
import { loginFailures } from './login-failures.ts';
import { passwordLogin, type PasswordDeps } from './password-login.ts';
import { readUser } from './change-user.ts';
import { recordLogin } from './record-login.ts';
import { isName, isPassword } from './token-request.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import { roleHas } from '../http/permissions.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import { sessionOf, type SftpPlace, type SftpSession } from '../sftp/session.ts';

export interface SftpDeps extends PasswordDeps {
  readonly place: SftpPlace;
  readonly log: Log;
  readonly ids: Ids;
  readonly audit: AuditTrail;
}

/** The question of Transfer Family. A missing or empty password asks for the public keys of the user. */
const question = v.object({
  protocol: v.literal('SFTP'),
  username: v.string(),
  password: v.optional(v.string(), ''),
  sourceIp: v.string(),
});
type Question = v.InferOutput<typeof question>;

/** A session, with the user's keys when no password was checked; an empty answer refuses the login. */
export type SftpAnswer = (SftpSession & { readonly PublicKeys?: readonly string[] }) | Record<string, never>;

/** Failures over SFTP count under one client id, separate from the token route, and questions for keys under another. */
const CLIENT = 'sftp';
const KEYS = 'sftp.keys';

/**
 * Decides an SFTP login and returns its session. With a password: the same check as the token route. Without:
 * Transfer Family checks that the client holds one of the returned keys, so a user without keys is refused
 * here. The server asks for the keys before it checks a signature, so the question is no login: the audit log has it as
 * such, ten times in a quarter of an hour at most for a name and an address, because any stranger can ask. A disabled
 * user, and one whose role may not send people, is refused at the next login; open sessions go on. A user whose role may
 * not see people reads back no file with people.
 */
export const sftpLogin =
  (deps: SftpDeps) =>
  async (asked: unknown): Promise<SftpAnswer> => {
    const { success, output } = v.safeParse(question, asked);
    const checked = success && output.password !== '';
    const login = success && isName(output.username) ? await admit(deps, output) : {};
    const user = login.user && maySend(login.user) ? login.user : undefined;
    const properties = user ? await listProperties(deps.credentials, user.account) : [];
    const admitted = checked ? 'admitted' : 'keys_asked';
    const refused = login.user && !user ? 'not_permitted' : 'refused';
    await recordLogin(deps, {
      way: 'sftp.login',
      user: login.known,
      sourceIp: success ? output.sourceIp : '',
      requestId: deps.ids.uuid(),
      outcome: user && properties.length > 0 ? admitted : refused,
    });
    if (!user || properties.length === 0) return {};
    const { account, role, ssh_keys } = user;
    const ids = properties.map(({ id }) => id);
    const session = sessionOf(deps.place, {
      account,
      properties: ids,
      mayRead: roleHas(role, 'people.read'),
    });
    return checked ? session : { ...session, PublicKeys: ssh_keys.map(({ key }) => key) };
  };

/**
 * `known`: the user with the given name, if there is one and the audit log has room. `user`: the same user, if only the
 * role may still refuse the login.
 */
interface Admission {
  readonly known?: User | undefined;
  readonly user?: User | undefined;
}

/** The user of a correct password, or the user whose keys are asked for. */
const admit = async (deps: SftpDeps, { username, password, sourceIp }: Question): Promise<Admission> => {
  let known: User | undefined;
  const find = async () => (known = await readUser(deps.credentials, username));
  if (password === '') {
    const user = await find();
    const questions = loginFailures(deps);
    const asked = { client: KEYS, username, sourceIp };
    if ((await questions.wait(asked)) === 0) await questions.add(asked);
    else known = undefined;
    const isAllowed = user !== undefined && !user.disabled && user.ssh_keys.length > 0;
    return { known, user: isAllowed ? user : undefined };
  }
  if (!isPassword(password)) return {};
  const login = await passwordLogin(deps, { client: CLIENT, username, sourceIp }, password, find);
  return { known, user: login.ok ? login.value : undefined };
};

/** Files that a user puts into a folder bring in people. */
const maySend = ({ role }: User): boolean => roleHas(role, 'people.write');
