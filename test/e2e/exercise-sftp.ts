import { connectedLine } from '../../local/services/transfer/log-lines.ts';
import { keys } from '../../shared/table/keys.ts';
import { tellOfFile } from '../support/file-events.ts';
import { identified } from '../support/api-client.ts';
import { definition, type Exercise, type Harness, putItem } from './exercise-scene.ts';

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
  for (const drop of ['1001999999999/x.csv', `${importId}/x${fresh()}.csv`])
    await tellOfNewFile({ service }, drop, `email\n${fresh()}\n`);
};

/** Stores a file as the SFTP server does, and its event. `path` begins with the id of a definition. */
export const tellOfNewFile = async (
  { service }: Pick<Harness, 'service'>,
  path: string,
  text: string,
): Promise<void> => {
  const { etag, size: bytes } = await storeUnannounced(service, path, text);
  const at = `/uploads/sftp/1/${service.property}/imports/${path}`;
  await tellOfFile(service.cloud, { kind: 'sent', path: at, bytes, etag });
};

const HOUR = 3_600_000;

/** Calls the reconciliation as it runs an hour from now, when the present files are old enough. */
export const reconcileInAnHour = async (harness: Pick<Harness, 'service'>): Promise<void> => {
  const pass = { since: 0, began: Date.now() + HOUR, after: '' };
  await putItem(harness, keys.allProperties('drops'), pass);
  await harness.service.cloud.fireSchedule('tidemark-local-reconcileDrops');
};

/**
 * Stores a file as the SFTP server does, without its event, and returns what the event would say. `path` begins with the
 * id of a definition.
 */
export const storeUnannounced = async (
  { cloud, property }: Harness['service'],
  path: string,
  text: string,
): Promise<{ readonly etag: string; readonly size: number }> => {
  const bucket = cloud.deployment.buckets.find(({ name }) => name.includes('uploads'))?.name ?? '';
  return cloud.parts.storage.s3.put(bucket, `sftp/1/${property}/imports/${path}`, Buffer.from(text));
};

/** A new file and a file in a directory of no definition, whose events were lost. */
export const reconcileDrops: Exercise = async (harness) => {
  const { service, importId, fresh } = harness;
  for (const directory of [importId, 1_001_999_999_999])
    await storeUnannounced(service, `${directory}/f${fresh()}.csv`, `email\n${fresh()}\n`);
  await reconcileInAnHour(harness).catch(() => undefined);
};

/** A right password and a wrong password. */
export const sftpLogins: Exercise = async ({ service, account, fresh }) => {
  for (const password of [account.password, `wrong-${fresh()}`]) {
    const who = { username: account.username, password, sourceIp: '127.0.0.1' };
    await service.cloud.invoke('authorizeSftp', { protocol: 'SFTP', serverId: 's-1', ...who });
  }
};

/** A line of the SFTP server about a session by key. */
export const tellOfKeyLogin: Exercise = ({ service, account, fresh }) => {
  const who = { serverId: 's-1', username: account.username, clientIp: '127.0.0.1' };
  const opened = { sessionId: `s${fresh()}`, role: 'role', client: 'SSH-2.0-test' };
  const proof = { method: 'publickey', key: Buffer.from('key'), type: 'ssh-ed25519' } as const;
  service.cloud.parts.transferLog.write('demo', connectedLine(who, { ...opened, proof }));
  return Promise.resolve();
};

/**
 * Two files from SFTP, with and without a refused row, of a definition with a webhook. One definition has the caller's own
 * address, and another has an address that needs a confirmation.
 */
export const announceImport: Exercise = async (harness) => {
  const { service, webhook } = harness;
  for (const notification_email of [service.userEmail, `n${harness.fresh()}@example.net`]) {
    const body = { ...definition(`D${harness.fresh()}`), webhook_url: webhook, notification_email };
    const { id } = await service.client.post(`/v1/${service.property}/imports`, body, identified);
    for (const email of [harness.fresh(), `n${harness.fresh()}@x.org`])
      await tellOfNewFile(harness, `${id}/f${harness.fresh()}.csv`, `email,first_name,tags\n${email},A,\n`);
  }
};
