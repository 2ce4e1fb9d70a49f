import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { capabilityOf, downloadKey } from '../../shared/exports/model/location.ts';
import { begun, locationParts, path, ran, ref, jobPath, runNext } from './steps.ts';
import {
  getExport,
  getExportJob,
  listExportJobs,
  listExports,
} from '../../shared/exports/definitions/read-exports.ts';
import { getDelivery, listDeliveries } from '../../shared/exports/delivery/read-deliveries.ts';
import { allPermissions } from '../../shared/http/permissions.ts';
import { mayDo } from '../edge/needed-permissions.ts';
import { bodyOf, type ExportsHarness, request } from './harness.ts';

const finished = async (): Promise<{ harness: ExportsHarness; location: string }> => {
  const harness = await ran({ notification_email: 'ada@example.test' });
  return { harness, location: String(bodyOf(await harness.readJob(path))['location']) };
};

describe('the location of a file', () => {
  it('is shown the same by job, list and definition, and redirects to the file', async () => {
    const { harness, location } = await finished();
    const name = `${ref.export}-${ref.job}.csv`;
    expect(location).toMatch(new RegExp(`^https://api\\.example\\.test/downloads/[\\w-]{43}/${name}$`));
    expect(bodyOf(await harness.read(path))).toMatchObject({ status: 'complete', location });
    expect(bodyOf(await harness.list())).toMatchObject({
      exports: [{ location }],
      paging: { next_page: null },
    });
    expect(bodyOf(await harness.listJobs(path))).toMatchObject({ jobs: [{ location, id: String(ref.job) }] });
    const opened = await harness.open(locationParts(location));
    expect(opened).toMatchObject({ ok: true, value: { status: 303 } });
    expect(JSON.stringify(opened)).toContain(`?name=${name}&`);
  });

  it('stands in no table', async () => {
    const { harness, location } = await finished();
    expect(JSON.stringify(harness.table.items())).not.toContain(locationParts(location)['capability']);
  });

  it('has a capability of its own for each key, export, job and time', () => {
    const [key, one] = [randomBytes(32), { property: 7, export: 1, job: 23 }];
    const all = [
      capabilityOf(key, one, 4),
      capabilityOf(randomBytes(32), one, 4),
      capabilityOf(key, { ...one, export: 2 }, 4),
      capabilityOf(key, { ...one, job: 2 }, 34),
      capabilityOf(key, { ...one, export: 12, job: 3 }, 4),
      capabilityOf(key, one, 5),
    ];
    expect(new Set(all).size).toBe(all.length);
    for (const capability of all) expect(downloadKey(capability).pk).toMatch(/[\da-f]{64}$/);
  });

  it('opens for seven days and then no more', async () => {
    const { harness, location } = await finished();
    const parts = locationParts(location);
    harness.fakes.now += 7 * 86_400_000 - 1;
    expect(await harness.open(parts)).toMatchObject({ ok: true });
    harness.fakes.now += 1;
    expect(await harness.open(parts)).toMatchObject({ ok: false, error: { status: 403 } });
    expect(bodyOf(await harness.readJob(path))['location']).toBeNull();
  });

  it('leads to an address of the file that ends soon, and never after the location', async () => {
    const { harness, location } = await finished();
    expect(JSON.stringify(await harness.open(locationParts(location)))).toContain('&seconds=300"');
    harness.fakes.now += 7 * 86_400_000 - 10_000;
    expect(JSON.stringify(await harness.open(locationParts(location)))).toContain('&seconds=10"');
  });

  it('does not open under another name or capability', async () => {
    const { harness, location } = await finished();
    const parts = locationParts(location);
    for (const wrong of [
      { ...parts, file_name: 'other.csv' },
      { ...parts, capability: 'A'.repeat(43) },
      { ...parts, capability: '' },
      { ...parts, capability: '../../x' },
      {},
    ])
      expect(await harness.open(wrong)).toMatchObject({ ok: false, error: { status: 403 } });
  });
});

/** What a token in a role is shown of exports, jobs and deliveries. */
const shownTo = async (harness: ExportsHarness, role: keyof typeof mayDo): Promise<string> => {
  const permissions = allPermissions.filter((one) => mayDo[role].split(' ').includes(one));
  const asked = { ...request(harness.fakes.now, {}, undefined, path), permissions };
  const delivery = { ...asked, path: { ...path, delivery: `${path.job_id}-email` } };
  const answers = await Promise.all([
    getExport(harness, asked),
    getExportJob(harness, asked),
    listExports(harness, asked),
    listExportJobs(harness, asked),
    listDeliveries(harness, asked),
    getDelivery(harness, delivery),
  ]);
  return JSON.stringify(answers.map(bodyOf));
};

describe('the location of a file, which opens without a token', () => {
  it.each(['owner', 'editor', 'exporter'] as const)('is shown to the role %s', async (role) => {
    const { harness, location } = await finished();
    const shown = await shownTo(harness, role);
    // Of both definitions and both jobs, and the manifest of both jobs.
    expect(shown.split(location)).toHaveLength(5);
    expect(shown.split('/downloads/')).toHaveLength(7);
    expect(shown).not.toContain('"sha256":null');
  });

  it.each(['importer', 'reader', 'viewer'] as const)(
    'is not shown to the role %s, nor are its manifest and its hash',
    async (role) => {
      const { harness } = await finished();
      const shown = await shownTo(harness, role);
      expect(shown.split('"location":null')).toHaveLength(5);
      expect(shown.split('"manifest":null')).toHaveLength(3);
      expect(shown.split('"sha256":null')).toHaveLength(3);
      expect(shown).not.toContain('/downloads/');
    },
  );
});

describe('a location that is withdrawn', () => {
  it('opens nothing at once, neither the file nor its manifest, and is told nowhere', async () => {
    const { harness, location } = await finished();
    const { manifest } = bodyOf(await harness.readJob(path));
    expect(await harness.open(locationParts(manifest))).toMatchObject({ ok: true });
    harness.fakes.now += 1_000;
    expect(bodyOf(await harness.withdraw(path))).toMatchObject({ status: 'complete', location: null });
    for (const told of [location, manifest])
      expect(await harness.open(locationParts(told))).toMatchObject({ error: { status: 403 } });
    expect(bodyOf(await harness.read(path))).toMatchObject({ status: 'complete', location: null });
    expect(bodyOf(await harness.readJob(path))).toMatchObject({ location: null, manifest: null });
    await harness.sendEmail(ref);
    expect(JSON.stringify(harness.mails)).not.toContain('/downloads/');
  });

  it('may be withdrawn again; a job without a file has none, and a foreign job is 404', async () => {
    const { harness } = await finished();
    harness.fakes.now += 1_000;
    const [first] = await Promise.all([harness.withdraw(path), harness.withdraw(path)]);
    expect(bodyOf(first)).toEqual(bodyOf(await harness.withdraw(path)));
    for (const wrong of [{ ...path, job_id: '1' }, { ...path, export_id: '1' }, {}])
      expect(await harness.withdraw(wrong)).toMatchObject({ error: { status: 404 } });
    const again = bodyOf(await harness.runAgain(path));
    expect(await harness.withdraw({ ...path, job_id: String(again['id']) })).toMatchObject({
      error: { status: 409, code: 'no_location' },
    });
  });

  it('leaves the locations of other jobs open', async () => {
    const { harness, location } = await finished();
    await runNext(harness, 2);
    harness.fakes.now += 1_000;
    const other = jobPath(2);
    const told = bodyOf(await harness.readJob(other))['location'];
    bodyOf(await harness.withdraw(other));
    expect(await harness.open(locationParts(told))).toMatchObject({ error: { status: 403 } });
    expect(await harness.open(locationParts(location))).toMatchObject({ ok: true });
  });
});

describe('a job that fails', () => {
  it('says why, and stays failed', async () => {
    const harness = await begun();
    expect(await harness.fail(ref, 'States.Timeout')).toEqual({ status: 'failed' });
    expect(await harness.fail(ref, 'TypeError')).toEqual({ status: 'failed' });
    expect(bodyOf(await harness.readJob(path))).toMatchObject({
      status: 'failed',
      error: { code: 'timed_out' },
      location: null,
      rows: null,
    });
    expect(await harness.plan(ref)).toMatchObject({ status: 'failed', shards: [] });
    expect(await harness.assemble(ref)).toEqual({ status: 'failed' });
  });

  it('does not tell a client of our own errors', async () => {
    const harness = await begun();
    await harness.fail(ref, 'constructor');
    expect(bodyOf(await harness.readJob(path))).toMatchObject({ error: { code: 'internal_error' } });
  });
});
