import { manifest } from '../../functions/manifest.ts';
import { floors, measureColdStarts, type ColdStart } from '../cold/cold-starts.ts';
import { type Spread, spreadOf } from '../support/measure.ts';
import { scenario } from '../support/scenario.ts';

/** Functions of the API with different work, for a short run. */
const some = [
  'getCaller',
  'getProfile',
  'createProfile',
  'listSegmentProfiles',
  'createUpload',
  'issueToken',
];

const all = (): readonly string[] =>
  Object.keys(manifest).filter((name) => manifest[name]?.trigger.kind === 'http');

type Start = ColdStart['starts'][number];

/** Each round starts every function and the floor once: the ratios of these pairs. */
const pairsOf = ({ starts }: ColdStart, floor: ColdStart, of: (start: Start) => number): Spread =>
  spreadOf(
    starts.flatMap((start, round) => {
      const bare = floor.starts[round];
      return bare ? [of(start) / of(bare)] : [];
    }),
  );

export default scenario({
  name: 'cold-start',
  title: 'Start a function cold',
  about:
    'A new process loads the bundle of a function and answers its first request, while a tape on loopback answers for AWS. The floor is a bundle with a bare client of the AWS SDK, which makes one call.',
  sizes: { ci: { functions: some.length, rounds: 5 }, full: { functions: all().length, rounds: 11 } },
  run: async ({ functions, rounds }, report) => {
    report.progress('plays the examples');
    const rows = await measureColdStarts(functions === some.length ? some : all(), rounds);
    const bare = rows.find((row) => row.function === floors.sdk);
    if (!bare) throw new Error('the bare client was not measured');
    const bars: { name: string; value: number }[] = [];
    for (const row of rows) {
      const name = row.function;
      if (row.firstCallMs === undefined) continue;
      if (row !== bare) {
        const whole = pairsOf(row, bare, ({ wholeMs }) => wholeMs);
        bars.push({ name, value: whole.median });
        report.ratio(`${name}: load and first call`, whole);
        report.ratio(
          `${name}: processor time`,
          pairsOf(row, bare, ({ cpuMs }) => cpuMs),
        );
      }
      report.count(`${name}: bundle`, row.bundleKilobytes, 'KB');
      report.count(`${name}: calls`, row.callsInFirstRequest ?? 0, 'calls');
      report.count(`${name}: calls in sequence`, row.sequentialRoundTrips ?? 0, 'calls');
      report.time(`${name}: load`, row.loadMs, 'ms');
      report.time(`${name}: first call`, row.firstCallMs, 'ms');
    }
    report.chart({ kind: 'bars', unit: 'time as a multiple of the bare SDK client', floor: 1, bars });
  },
});
