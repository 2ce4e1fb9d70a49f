import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import {
  directoryOf,
  downloadName,
  fileName,
  fixedDirectoryOf,
  manifestName,
} from '../../shared/exports/model/file-names.ts';
import type { OutgoingUpload } from '../../shared/sftp/outgoing.ts';
import { newPgpKey, publicText } from '../support/pgp-keys.ts';
import { locationParts, path, ran, ref, runAll, runJob, withPeople, faultsOf } from './steps.ts';
import { bodyOf, type ExportsHarness, segment } from './harness.ts';

const definition = {
  name: 'Jazz/Weekly: all',
  scope: 'delta',
  schedule: null,
  data_format: 'csv',
  compression: 'none',
  pgp_public_key: null,
  file_name: null,
  directory: null,
} as const;
const job = { export: 5, job: 6, run: 12, created: Date.parse('2026-11-22T23:30:05Z') };
const timezone = 'Europe/Berlin';

describe('the name of a file', () => {
  it.each([
    [{}, '5-6.csv'],
    [{ data_format: 'txt' as const }, '5-6.txt'],
    [{ pgp_public_key: 'k' }, '5-6.csv.pgp'],
    [{ file_name: 'visitors-{date}-{counter}.csv' }, 'visitors-2026-11-22-12.csv'],
    [{ file_name: '{datetime}_{time}_{scope}_{id}_{job}.csv' }, '2026-11-22T233005_233005_delta_5_6.csv'],
    [{ file_name: '{date}.csv', schedule: { hour: '0', timezone } }, '2026-11-23.csv'],
    [{ file_name: '{name}.csv' }, 'Jazz-Weekly- all.csv'],
    [{ file_name: '{name}', name: '../..' }, '--.-'],
    [{ file_name: 'Gäste.csv', pgp_public_key: 'k' }, 'Gäste.csv.pgp'],
    [{ file_name: 'a.csv.pgp', pgp_public_key: 'k' }, 'a.csv.pgp'],
    [{ compression: 'gzip' as const }, '5-6.csv.gz'],
    [{ file_name: 'a.csv.gz', compression: 'gzip' as const }, 'a.csv.gz'],
    [{ file_name: 'a.csv.pgp', compression: 'gzip' as const, pgp_public_key: 'k' }, 'a.csv.gz.pgp'],
  ])('of %j is %s', (more, name) => {
    expect(fileName({ ...definition, ...more }, job)).toBe(name);
  });

  it.each([
    ['5-6.csv.gz.pgp', {}, 'Jazz-Weekly- all-2026-11-22.csv.gz.pgp'],
    ['5-6.csv', { schedule: { hour: '0', timezone } }, 'Jazz-Weekly- all-2026-11-23.csv'],
    ['5-6.manifest.json', {}, 'Jazz-Weekly- all-2026-11-22.manifest.json'],
    ['5-6.csv', { name: null }, '5-6.csv'],
    ['5-6.csv', { name: '../../x\u202evsc.exe' }, '--..-x-vsc.exe-2026-11-22.csv'],
    ['5-6.csv', { name: 'ü'.repeat(100) }, '5-6.csv'],
    ['visitors.csv', {}, 'visitors.csv'],
    ['5-60.csv', {}, '5-60.csv'],
  ])('that a browser stores is %s with %j: %s', (stored, more, name) => {
    expect(downloadName(job, { ...definition, ...more }, stored)).toBe(name);
  });

  it('of a manifest has the ids', () => {
    expect(manifestName(job)).toBe('5-6.manifest.json');
  });
});

it.each([
  [null, null, null],
  ['in', 'in', 'in'],
  ['/in/{date}/{name}/', '/in/2026-11-22/Jazz-Weekly- all', '/in'],
  ['{date}/in', '2026-11-22/in', null],
  ['/{date}', '/2026-11-22', '/'],
  ['/', '/', '/'],
])('the directory %j is %j, and %j in every run', (directory, whole, fixed) => {
  expect(directoryOf({ ...definition, directory }, job)).toBe(whole);
  expect(fixedDirectoryOf({ directory })).toBe(fixed);
});

const destination_credentials = { domain: 'files.example.com', client_id: 'receiver' };

describe('a template of a definition', () => {
  const long = 'x'.repeat(limits.exports.fileNameBytes);
  it.each([
    [{ file_name: 'a/b.csv' }, ['/file_name bad_file_name']],
    [{ file_name: 'a\\b.csv' }, ['/file_name bad_file_name']],
    [{ file_name: 'a"b.csv' }, ['/file_name bad_file_name']],
    [{ file_name: '.hidden' }, ['/file_name bad_file_name']],
    [{ file_name: 'a.' }, ['/file_name bad_file_name']],
    [{ file_name: '{date.csv' }, ['/file_name bad_file_name']],
    [{ file_name: 'x.manifest.json' }, ['/file_name reserved']],
    [{ file_name: '{job}.{name}', name: 'manifest.json' }, ['/file_name reserved']],
    [{ file_name: '{user}.csv' }, ['/file_name unknown_variable']],
    [{ file_name: '{name}.csv' }, ['/file_name name_required']],
    [{ file_name: '{name}.csv', name: 'x' }, 'accepted'],
    [{ file_name: long }, 'accepted'],
    [{ file_name: `${long}x` }, ['/file_name too_long']],
    [{ file_name: `{name}.csv`, name: 'ü'.repeat(100) }, ['/file_name too_long']],
    [{ directory: 'in/../..', destination_credentials }, ['/directory bad_directory']],
    [{ directory: 'in//x', destination_credentials }, ['/directory bad_directory']],
    [{ directory: './in', destination_credentials }, ['/directory bad_directory']],
    [{ directory: '~/in', destination_credentials }, ['/directory bad_directory']],
    [{ directory: 'in/{name}', destination_credentials }, ['/directory name_required']],
    [{ directory: '/in/{date}/', destination_credentials }, 'accepted'],
    [{ directory: 'in' }, ['/directory not_allowed']],
    [{ file_name: '', directory: '' }, 'accepted'],
  ])('%j: %j', async (more, faults) => {
    expect(faultsOf(await withPeople().create({ segment: [segment(2)], ...more }))).toEqual(faults);
  });
});

describe('the file of a job', () => {
  it('has its name in the answer, at its location, in the notice and on the server', async () => {
    const harness = withPeople();
    const pushed: OutgoingUpload[] = [];
    harness.fakes.push = (_, file) => {
      pushed.push(file);
      return Promise.resolve({ kind: 'sent' });
    };
    const webhook_url = 'https://hooks.example.com/x';
    const names = { name: 'Jazz', file_name: '{name} {date}-{counter}.csv', directory: 'in/{scope}' };
    bodyOf(await harness.create({ segment: [segment(2)], ...names, destination_credentials, webhook_url }));
    await runAll(harness);
    const shown = bodyOf(await harness.readJob(path));
    expect(shown).toMatchObject({ run: 1, file_name: 'Jazz 2026-06-01-1.csv' });
    expect(shown['location']).toMatch(/\/Jazz%202026-06-01-1\.csv$/);
    const opened = (location: unknown) => {
      const { capability = '', file_name = '' } = locationParts(location);
      return harness.open({ capability, file_name: decodeURIComponent(file_name) });
    };
    expect(await opened(shown['location'])).toMatchObject({ ok: true, value: { status: 303 } });
    expect(await opened(shown['manifest'])).toMatchObject({ ok: true, value: { status: 303 } });
    await harness.pushFile(ref);
    expect(pushed).toMatchObject([{ name: 'Jazz 2026-06-01-1.csv', directory: 'in/full' }]);
    await harness.deliver(ref);
    expect(harness.sent[0]?.body).toContain('"file_name":"Jazz 2026-06-01-1.csv"');
  });

  it('is encrypted under a name that ends in .pgp', async () => {
    const harness = withPeople();
    const pgp_public_key = publicText(await newPgpKey());
    bodyOf(await harness.create({ segment: [segment(2)], file_name: 'people.csv', pgp_public_key }));
    await runAll(harness);
    expect(bodyOf(await harness.readJob(path))).toMatchObject({ file_name: 'people.csv.pgp' });
  });
});

describe('the counter of runs', () => {
  const jobs = v.array(v.looseObject({ id: v.string(), run: v.number(), status: v.string() }));
  const runs = async (harness: ExportsHarness): Promise<readonly string[]> =>
    v
      .parse(jobs, bodyOf(await harness.listJobs(path, { order: 'oldest' }))['jobs'])
      .map(({ run, status }) => `${run} ${status}`);
  const last = async (harness: ExportsHarness) => {
    const [newest] = v.parse(jobs, bodyOf(await harness.listJobs(path))['jobs']);
    return { ...ref, job: Number(newest?.id) };
  };

  it('counts every job once, cancelled ones too, and never takes a number twice', async () => {
    const harness = withPeople();
    const body = { segment: [segment(2)], file_name: '{counter}.csv' };
    bodyOf(await harness.create(body));
    // A waiting job has the next number while the first job runs, and keeps it when a later request is coalesced.
    await harness.runAgain(path, 'second');
    await harness.runAgain(path, 'second');
    await harness.runAgain(path, 'coalesced');
    const waiting = await last(harness);
    expect(await runs(harness)).toEqual(['1 pending', '2 pending']);
    await harness.cancel({ export_id: path.export_id, job_id: String(waiting.job) });
    await harness.runAgain(path);
    await runAll(harness);
    bodyOf(await harness.replace(path, body));
    await runJob(harness, await last(harness));
    expect(await runs(harness)).toEqual(['1 complete', '2 cancelled', '3 complete']);
    expect((await harness.exports.job(await last(harness)))?.value.file?.name).toBe('3.csv');
  });

  it('starts at one for the first run of a schedule', async () => {
    const harness = withPeople();
    bodyOf(await harness.create({ segment: [segment(2)], schedule: { hour: '3' } }));
    await harness.repair();
    const [schedule] = [...harness.schedules.made.values()];
    const message = schedule?.input.replace('<time>', '2026-06-01T03:00:00Z') ?? '';
    await harness.deliverScheduleMessage(JSON.parse(message));
    await harness.deliverScheduleMessage(JSON.parse(message));
    expect(await runs(harness)).toEqual(['1 pending']);
  });

  it('has the number that was announced when the starter of a job died after it', async () => {
    let dies = false;
    const before = (operation: string) => {
      if (dies && operation === 'workflow start') throw new Error('died');
    };
    const harness = await ran({}, { before });
    dies = true;
    await expect(harness.runAgain(path, 'again')).rejects.toThrow('died');
    dies = false;
    await harness.runAgain(path, 'another');
    await harness.runAgain(path, 'again');
    expect(await runs(harness)).toEqual(['1 complete', '2 pending', '3 pending']);
  });
});
