import { tellOfFile } from '../support/file-events.ts';
import type { Provocation } from './provoking.ts';

/** Word of a renamed file that is there no more. */
export const renameLost: Provocation = ({ service, importId, fresh }) => {
  const folder = `/uploads/sftp/1/${service.property}/imports/${importId}`;
  const names = { from: `${folder}/a.csv.part`, to: `${folder}/lost${fresh()}.csv` };
  return tellOfFile(service.cloud, { kind: 'renamed', ...names });
};

/** A right password and a wrong one. */
export const sftpLogins: Provocation = async ({ service, account, fresh }) => {
  for (const password of [account.password, `wrong-${fresh()}`]) {
    const who = { username: account.username, password, sourceIp: '127.0.0.1' };
    await service.cloud.invoke('authorizeSftp', { protocol: 'SFTP', serverId: 's-1', ...who });
  }
};
