import * as v from 'valibot';
import { connectedLine } from '../../local/services/transfer/log-lines.ts';
import { userHash } from '../../shared/auth/credential-items.ts';
import { limits } from '../../shared/config/limits.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { putItem } from '../support/items.ts';
import { tableNames } from '../support/table-names.ts';
import type { Extra } from './cast.ts';
import type { Stage } from './stage.ts';

const account = v.object({ client_id: v.string(), username: v.string(), password: v.string() });

const issued = v.object({ access_token: v.string() });
const listed = v.object({ tokens: v.array(v.object({ id: v.string(), name: v.nullable(v.string()) })) });

/** The routes about the service itself and about the caller. They come last, so that the audit log has entries. */
export const playAccount = async ({ call, show, service }: Stage): Promise<void> => {
  const { client_id, username, password } = v.parse(account, service.cloud.endpoints);
  await show('health');
  await show('openApi');
  await show('tryOperations');
  await show('getTryFile', { path: { file_name: 'licences.txt' } });
  await show('showConsole');
  await show('getConsoleFile', { path: { file_name: 'licences.0000000000000000.txt' } });
  await show('openApiDocument');
  const signIn = { grant_type: 'password', client_id, username, password };
  await show('issueToken', { body: signIn });
  const key = { name: 'Box office', scope: 'people.write definitions.read', expires_in: 31_536_000 };
  await call('issueToken', { body: { ...signIn, ...key } });
  await show('getCaller');
  const { tokens } = await show('listTokens', {}, listed);
  const [made] = tokens.filter(({ name }) => name === key.name);
  await show('deleteToken', { path: { token_id: made?.id ?? '' } });
  const { access_token } = await call('issueToken', { body: signIn }, issued);
  await show('revokeToken', { body: { token: access_token } });
  await show('listAuditLog', { query: { action: 'DELETE /v1/{property_id}/profile', limit: 1 } });
};

/** A right password, whose token ends an older token, and a wrong password. */
const issueToken: Extra['play'] = async ({ call, service, fresh }) => {
  const { username, ...others } = v.parse(account, service.cloud.endpoints);
  const owner = userHash(username);
  for (let count = 0; count < limits.auth.tokensPerUser; count += 1)
    await putItem(
      service,
      credentialKeys.userToken(owner, count, String(fresh())),
      { token: `old ${fresh()}` },
      tableNames.credentials,
    );
  const body = { grant_type: 'password', username, ...others };
  await call('issueToken', { body });
  await call('issueToken', { body: { ...body, password: `wrong-${fresh()}` } }).catch(() => undefined);
};

/** A right password and a wrong password. */
const signInOverSftp: Extra['play'] = async ({ service, fresh }) => {
  const { username, password } = v.parse(account, service.cloud.endpoints);
  for (const tried of [password, `wrong-${fresh()}`]) {
    const who = { username, password: tried, sourceIp: '127.0.0.1' };
    await service.cloud.invoke('authorizeSftp', { protocol: 'SFTP', serverId: 's-1', ...who });
  }
};

/** A line of the SFTP server about a session by key. */
const tellOfKeyLogin: Extra['play'] = ({ service, fresh }) => {
  const { username } = v.parse(account, service.cloud.endpoints);
  const who = { serverId: 's-1', username, clientIp: '127.0.0.1' };
  const opened = { sessionId: `s${fresh()}`, role: 'role', client: 'SSH-2.0-test' };
  const proof = { method: 'publickey', key: Buffer.from('key'), type: 'ssh-ed25519' } as const;
  service.cloud.parts.transferLog.write('demo', connectedLine(who, { ...opened, proof }));
  return Promise.resolve();
};

/** It reaches the service at its address, and needs nothing of AWS itself. */
const canary: Extra['play'] = async ({ service }) => {
  const { ok } = await service.cloud.invoke('canary', {});
  if (!ok) throw new Error('the canary does not reach the service');
};

export const accountExtras: readonly Extra[] = [
  { of: ['issueToken'], play: issueToken },
  { of: ['authorizeSftp'], play: signInOverSftp },
  { of: ['recordSftpLogin'], play: tellOfKeyLogin },
  { of: ['notFound'], play: ({ service }) => service.call('GET', '/nowhere') },
  { of: ['canary'], play: canary },
];
