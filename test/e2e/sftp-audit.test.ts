import { expect, it } from 'vitest';
import { auditLogAnswer } from '../../shared/audit/schemas.ts';
import { until } from '../support/until.ts';
import { rows, sftpHarness } from './sftp-harness.ts';

it('the audit log records a file sent over SFTP, and the user who reads or removes it', async () => {
  await using harness = await sftpHarness();
  const definition = await harness.define();
  using client = await harness.login();
  const path = `/imports/${definition}/logged.csv`;
  await client.put(path, rows('logged'));
  const { id } = await harness.jobOf(definition, 'logged.csv');
  await client.read(path);
  await client.remove(path);
  const list = `/v2/properties/${harness.service.property}/audit-log?limit=100`;
  const told = await until('three entries', async () => {
    const { entries } = await harness.service.client.get(list, auditLogAnswer);
    const own = entries.filter(
      ({ action, ids }) => action.startsWith('sftp.') && ids['import_id'] === definition,
    );
    return own.length === 3 ? own : undefined;
  });
  expect(new Set(told.map(({ user }) => typeof user))).toEqual(new Set(['number']));
  expect(told.find(({ action }) => action === 'sftp.upload')).toMatchObject({
    outcome: 'accepted',
    ids: { job_id: id },
  });
  expect(told.map(({ action }) => action)).toEqual(expect.arrayContaining(['sftp.download', 'sftp.delete']));
}, 240_000);
