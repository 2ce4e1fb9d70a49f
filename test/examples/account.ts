import * as v from 'valibot';
import type { Recorder } from './recorder.ts';

const anything = v.unknown();
const account = v.object({ client_id: v.string(), username: v.string(), password: v.string() });

/** The routes about the service itself and about the caller. They come last, so that the audit log has entries. */
export const recordAccount = async ({ record, service }: Recorder): Promise<void> => {
  const { client_id, username, password } = v.parse(account, service.cloud.endpoints);
  await record('health', {}, anything);
  await record('openApi', {}, anything);
  await record('tryOperations', {}, anything);
  await record('getTryFile', { path: { file_name: 'licences.txt' } }, anything);
  await record('openApiDocument', {}, anything);
  await record('issueToken', { body: { grant_type: 'password', client_id, username, password } }, anything);
  await record('getCaller', {}, anything);
  await record('listAuditLog', { query: { action: 'DELETE /v1/{property_id}/profile', limit: 1 } }, anything);
};
