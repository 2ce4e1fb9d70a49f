import { generateKey } from 'openpgp';
import { type Exported, exportPeople, objectCalls, partsOf, printBare } from '../support/export-run.ts';
import { median, spreadOf } from '../support/measure.ts';
import { peopleWith } from '../support/people-file.ts';
import { openPeopleScene } from '../support/people-scene.ts';
import { type Report, scenario } from '../support/scenario.ts';
import type { Cost } from '../support/service.ts';
import { openSftpRuns } from '../support/sftp-push.ts';

const ROUND_TRIPS = [0, 20, 40];

const middle = <T>(all: readonly T[], of: (one: T) => number): number => median(all.map(of));
const secondsOf = ({ seconds }: Exported): number => seconds;

/** Reports the processor time of the jobs for each person. The polls of the waiting client do not count. */
const reportUse = (report: Report, name: string, jobs: readonly Exported[], people: number): void => {
  const each = (of: (cost: Cost) => number): number => middle(jobs, ({ cost }) => of(cost)) / people;
  report.cpu(`${name}: processor time, functions`, each(({ cpu }) => cpu.functions) * 1e6, 'µs a profile');
  report.cpu(`${name}: processor time, emulators`, each(({ cpu }) => cpu.emulators) * 1e6, 'µs a profile');
  report.cpu(
    `${name}: processor time, storage and collector`,
    each(({ cpu }) => cpu.other) * 1e6,
    'µs a profile',
  );
};

/** Reports the calls of a job and its bytes in objects, and how long its phases took. */
const reportPhases = (report: Report, jobs: readonly Exported[], people: number): void => {
  const [job] = jobs;
  if (!job) return;
  const { calls, written, read } = objectCalls(job.cost);
  report.count('plain: parts', partsOf(job.cost), 'a job');
  report.count('plain: read units', job.cost.readUnits / people, 'a profile');
  report.count('plain: calls of tables', (job.cost.tableCalls / people) * 1e3, '1,000 profiles');
  report.count('plain: calls of objects', calls, 'a job');
  report.count('plain: bytes written to objects', written / people, 'a profile');
  report.count('plain: bytes read from objects', read / people, 'a profile');
  report.time('plain: from the request to the plan', middle(jobs, ({ toPlan }) => toPlan) * 1e3, 'ms');
  report.time(
    'plain: from the plan to the file',
    middle(jobs, ({ toFile }) => toFile),
    's',
  );
  report.time(
    'plain: from the file to its last byte',
    middle(jobs, ({ toLastByte }) => toLastByte) * 1e3,
    'ms',
  );
};

export default scenario({
  name: 'exports',
  title: 'Export profiles',
  about:
    'A user posts an export of everyone with 15 columns as CSV and downloads the file to its last byte, plain and encrypted with PGP; every person must be in the file. Files are pushed by SFTP over lines with a delay. The floor is a bare loop that only reads the profiles of the same table and prints their columns.',
  sizes: {
    ci: { people: 20_000, rounds: 4, megabytes: 24 },
    full: { people: 1_000_000, rounds: 3, megabytes: 256 },
  },
  run: async ({ people: rows, rounds, megabytes }, report) => {
    const { publicKey } = await generateKey({ type: 'rsa', rsaBits: 3_072, userIDs: [{ name: 'Bench' }] });
    report.progress('fills a service');
    const people = peopleWith(rows);
    const [bare, plain, encrypted]: [number[], Exported[], Exported[]] = [[], [], []];
    {
      await using scene = await openPeopleScene(rows, report);
      // The first round warms up.
      for (let round = 0; round <= rounds; round += 1) {
        report.progress(`round ${round} of ${rounds}`);
        const floor = await printBare(scene, people);
        const [open, sealed] = [
          await exportPeople(scene, people, null),
          await exportPeople(scene, people, publicKey),
        ];
        if (round === 0) continue;
        bare.push(floor);
        plain.push(open);
        encrypted.push(sealed);
      }
    }
    const rate = (seconds: number): number => people / seconds;
    const share = (of: (floor: number, job: number) => number) =>
      spreadOf(plain.map(({ seconds }, index) => of(bare[index] ?? NaN, seconds)));
    report.ratio(
      'plain: an export',
      share((floor, job) => job / floor),
    );
    report.ratio(
      'plain: rate of the export',
      share((floor, job) => floor / job),
      'of the floor',
    );
    const beside = encrypted.map(({ seconds }, index) => seconds / (plain[index]?.seconds ?? NaN));
    report.ratio('PGP: an export', spreadOf(beside), '× plain');
    reportPhases(report, plain, people);
    reportUse(report, 'plain', plain, people);
    reportUse(report, 'PGP', encrypted, people);
    report.time('plain: rate', rate(middle(plain, secondsOf)), 'profiles/s');
    report.time('PGP: rate', rate(middle(encrypted, secondsOf)), 'profiles/s');
    report.time('bare loop: rate', rate(median(bare)), 'profiles/s');
    await using sftp = await openSftpRuns();
    for (const milliseconds of ROUND_TRIPS) {
      report.progress(`SFTP to ${sftp.kind}, ${milliseconds} ms`);
      report.time(`SFTP: round trip of ${milliseconds} ms`, await sftp.push(megabytes, milliseconds), 'MB/s');
    }
    const bars = [
      { name: 'bare loop', value: rate(median(bare)) },
      { name: 'plain', value: rate(middle(plain, secondsOf)) },
      { name: 'PGP', value: rate(middle(encrypted, secondsOf)) },
    ];
    report.chart({ kind: 'bars', unit: 'profiles a second of this machine', bars });
  },
});
