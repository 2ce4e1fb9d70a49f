import { tellOfFile } from '../support/file-events.ts';
import type { Exercise } from './exercise-scene.ts';

/**
 * Events of three files: a renamed file that is gone, a file in a directory of no definition, and a file that starts
 * a job.
 */
export const tellOfDrops: Exercise = async ({ service, importId, fresh }) => {
  const imports = `/uploads/sftp/1/${service.property}/imports`;
  const names = {
    from: `${imports}/${importId}/a.csv.part`,
    to: `${imports}/${importId}/lost${fresh()}.csv`,
  };
  await tellOfFile(service.cloud, { kind: 'renamed', ...names });
  for (const path of [`${imports}/1001999999999/x.csv`, `${imports}/${importId}/x${fresh()}.csv`])
    await tellOfFile(service.cloud, { kind: 'sent', path, bytes: 1, etag: 'e' });
};

/** A right password and a wrong password. */
export const sftpLogins: Exercise = async ({ service, account, fresh }) => {
  for (const password of [account.password, `wrong-${fresh()}`]) {
    const who = { username: account.username, password, sourceIp: '127.0.0.1' };
    await service.cloud.invoke('authorizeSftp', { protocol: 'SFTP', serverId: 's-1', ...who });
  }
};
