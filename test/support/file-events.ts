/** Files of the SFTP server: stores them as the server does, and publishes its events. */
import { fileTransferEvent, type FileOperation } from '../../local/services/events/file-transfer.ts';
import { keys } from '../../shared/table/keys.ts';
import { bucketOf } from './buckets.ts';
import { putItem } from './items.ts';
import type { Service } from './service.ts';

/** Publishes the event that the SFTP server publishes after an operation on a file. */
export const tellOfFile = async (
  { deployment, parts }: Service['cloud'],
  operation: FileOperation,
): Promise<void> => {
  const serverId = deployment.servers[0]?.attributes['ServerId'] ?? '';
  const ended = Date.now();
  const context = {
    serverId,
    username: 'demo',
    sessionId: 'test',
    clientIp: '127.0.0.1',
    started: ended,
    ended,
  };
  await parts.bus.put(fileTransferEvent(context, operation));
};

/**
 * Stores a file without its event, and returns what the event would say. `path` begins with the id of a definition.
 */
export const storeUnannounced = (
  { cloud, property }: Service,
  path: string,
  text: string,
): Promise<{ readonly etag: string; readonly size: number }> => {
  const key = `sftp/1/${property}/imports/${path}`;
  return cloud.parts.storage.s3.put(bucketOf(cloud, 'uploads'), key, Buffer.from(text));
};

/** Stores a file, and publishes its event. `path` begins with the id of a definition. */
export const tellOfNewFile = async (service: Service, path: string, text: string): Promise<void> => {
  const { etag, size: bytes } = await storeUnannounced(service, path, text);
  const at = `/uploads/sftp/1/${service.property}/imports/${path}`;
  await tellOfFile(service.cloud, { kind: 'sent', path: at, bytes, etag });
};

const HOUR = 3_600_000;

/** Calls the reconciliation as it runs an hour from now, when the present files are old enough. */
export const reconcileInAnHour = async (service: Service): Promise<void> => {
  const pass = { since: 0, began: Date.now() + HOUR, after: '' };
  await putItem(service, keys.allProperties('drops'), pass);
  await service.cloud.fireSchedule('tidemark-local-reconcileDrops');
};
