import { expect, it } from 'vitest';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { locationParts, path, people, ref, runAll } from '../exports/steps.ts';
import { bodyOf, exportsWorld, PROPERTY, segment } from '../exports/world.ts';

/** An export that is complete, with the addresses of its file and of its manifest. */
const finished = async () => {
  const down = { now: false };
  const world = exportsWorld({
    before: (operation) => {
      if (down.now && operation.startsWith('audit log')) throw new UnavailableError('down');
    },
  });
  people(world, 3);
  world.world.members.set(segment(2), [1]);
  bodyOf(await world.create({ segment: [segment(2)] }));
  await runAll(world);
  const job = bodyOf(await world.readJob(path));
  const [location, manifest] = [job['location'], job['manifest']].map(locationParts);
  if (!location || !manifest) throw new Error('the export has no file');
  return { world, location, manifest, down };
};

it("the audit log records an opened file with the export, its job and the client's address", async () => {
  const { world, location } = await finished();
  expect(await world.open(location)).toMatchObject({ ok: true, value: { status: 303 } });
  const [entry, ...more] = world.auditLog.items();
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    pk: 'AUDIT#1',
    time: world.world.now,
    action: 'download',
    outcome: 'opened',
    property: PROPERTY,
    source: '192.0.2.1',
    ids: { export_id: ref.export, job_id: ref.job },
  });
  expect(JSON.stringify(entry)).not.toContain(location['capability']);
});

it('a file does not open while the audit log cannot record the download', async () => {
  const { world, location, down } = await finished();
  down.now = true;
  await expect(world.open(location)).rejects.toThrow(UnavailableError);
  down.now = false;
  expect(await world.open(location)).toMatchObject({ ok: true });
});

it('the audit log records neither the download of a manifest nor an address that opens no file', async () => {
  const { world, location, manifest } = await finished();
  expect(await world.open(manifest)).toMatchObject({ ok: true });
  expect(await world.open({ ...location, capability: 'A'.repeat(43) })).toMatchObject({ ok: false });
  expect(world.auditLog.items()).toEqual([]);
});
