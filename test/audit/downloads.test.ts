import { expect, it } from 'vitest';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { completed, ref } from '../exports/steps.ts';
import { PROPERTY } from '../exports/harness.ts';
import { inLogOf } from './audit-log.ts';

/** An export that is complete, with the addresses of its file and of its manifest. */
const finished = async () => {
  const down = { now: false };
  const before = (operation: string) => {
    if (down.now && operation.startsWith('audit log')) throw new UnavailableError('down');
  };
  return { down, ...(await completed({ before })) };
};

it("the audit log records an opened file with the export, its job and the client's address", async () => {
  const { harness, location } = await finished();
  expect(await harness.open(location)).toMatchObject({ ok: true, value: { status: 303 } });
  const [entry, ...more] = harness.auditLog.items();
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    pk: inLogOf(1),
    time: harness.fakes.now,
    action: 'download',
    outcome: 'opened',
    property: PROPERTY,
    source: '192.0.2.1',
    ids: { export_id: ref.export, job_id: ref.job },
  });
  expect(JSON.stringify(entry)).not.toContain(location['capability']);
});

it('a file does not open while the audit log cannot record the download', async () => {
  const { harness, location, down } = await finished();
  down.now = true;
  await expect(harness.open(location)).rejects.toThrow(UnavailableError);
  down.now = false;
  expect(await harness.open(location)).toMatchObject({ ok: true });
});

it('the audit log records neither the download of a manifest nor an address that opens no file', async () => {
  const { harness, location, manifest } = await finished();
  expect(await harness.open(manifest)).toMatchObject({ ok: true });
  expect(await harness.open({ ...location, capability: 'A'.repeat(43) })).toMatchObject({ ok: false });
  expect(harness.auditLog.items()).toEqual([]);
});
