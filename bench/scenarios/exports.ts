import { generateKey } from 'openpgp';
import { openExportRuns, type Taken } from '../support/export-run.ts';
import { median } from '../support/measure.ts';
import { scenario } from '../support/scenario.ts';
import { openSftpRuns } from '../support/sftp-push.ts';

const ROUND_TRIPS = [0, 20, 40];

const wallOf = ({ wall }: Taken): number => wall;
const cpuOf = ({ cpu }: Taken): number => cpu;

export default scenario({
  name: 'exports',
  title: 'Export profiles',
  about:
    'People with 15 columns are exported as CSV by the steps of the workflow, plain and encrypted with PGP; every person must be in the file. Files are pushed by SFTP over lines with a delay. The floor is a bare loop that only reads the profiles and prints their columns.',
  sizes: {
    ci: { profiles: 20_000, rounds: 7, megabytes: 24 },
    full: { profiles: 1_000_000, rounds: 3, megabytes: 256 },
  },
  run: async ({ profiles, rounds, megabytes }, report) => {
    const { publicKey } = await generateKey({ type: 'rsa', rsaBits: 3_072, userIDs: [{ name: 'Bench' }] });
    report.progress('fills a table');
    await using runs = await openExportRuns(profiles);
    const [bare, plain, encrypted]: [Taken[], Taken[], Taken[]] = [[], [], []];
    for (let round = 0; round <= rounds; round += 1) {
      report.progress(`round ${round} of ${rounds}`);
      const taken = [await runs.bareLoop(), await runs.export(null), await runs.export(publicKey)] as const;
      // The first round warms up.
      if (round > 0) [bare, plain, encrypted].forEach((all, index) => all.push(taken[index] ?? taken[0]));
    }
    const ratio = (one: readonly Taken[], other: readonly Taken[], of: (taken: Taken) => number): number =>
      median(one.map((taken, index) => of(taken) / of(other[index] ?? taken)));
    const rate = (all: readonly Taken[]): number => profiles / median(all.map(wallOf));
    report.ratio('plain: an export', ratio(plain, bare, wallOf));
    report.ratio('plain: rate of the export', ratio(bare, plain, wallOf), 'of the floor');
    report.ratio('plain: processor time', ratio(plain, bare, cpuOf));
    report.ratio('PGP: an export', ratio(encrypted, plain, wallOf), '× plain');
    report.ratio('PGP: processor time', ratio(encrypted, plain, cpuOf), '× plain');
    report.count('plain: processor time', (median(plain.map(cpuOf)) / profiles) * 1e6, 'µs a profile');
    report.time('plain: rate', rate(plain), 'profiles/s');
    report.time('PGP: rate', rate(encrypted), 'profiles/s');
    report.time('bare loop: rate', rate(bare), 'profiles/s');
    await using sftp = await openSftpRuns();
    for (const milliseconds of ROUND_TRIPS) {
      report.progress(`SFTP to ${sftp.kind}, ${milliseconds} ms`);
      report.time(`SFTP: round trip of ${milliseconds} ms`, await sftp.push(megabytes, milliseconds), 'MB/s');
    }
    const bars = [
      { name: 'bare loop', value: rate(bare) },
      { name: 'plain', value: rate(plain) },
      { name: 'PGP', value: rate(encrypted) },
    ];
    report.chart({ kind: 'bars', unit: 'profiles a second of this machine', bars });
  },
});
