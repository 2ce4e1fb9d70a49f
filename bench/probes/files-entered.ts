/**
 * Counts the files of `shared/` that a reader enters when they follow one request:
 * `node bench/probes/files-entered.ts [list]`. A file counts when one of its functions runs, by V8's precise coverage, in
 * three scenes on ports in memory. The general vocabulary (`runtime`, `table`, `http`, `csv`) is counted apart: a
 * reader knows it after the first request. `list` names the files.
 */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getSegment } from '../../shared/segments/get-segment.ts';
import { count, table as printTable } from '../../cli/terminal.ts';
import { exportsHarness, segment } from '../../test/exports/harness.ts';
import { reimport } from '../../test/imports/reimport.ts';
import { Fixture, property } from '../../test/segments/fixture.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Paths of the files of `shared/` in which a function ran since the last look. */
const entered = async (): Promise<readonly string[]> => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url, functions }) => ({ path: relative(root, fileURLToPath(url)), functions }))
    .filter(({ path }) => path.startsWith('shared/'))
    .filter(({ functions }) =>
      // The function that starts at 0 is the module itself. V8 lists it only in the first look at a file.
      functions.some(({ ranges: [whole] }) => whole && whole.count > 0 && whole.startOffset > 0),
    )
    .map(({ path }) => path)
    .toSorted();
};

/** The files that a piece of work enters. */
const enteredBy = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  await entered();
  await work();
  const files = await entered();
  if (files.length === 0)
    throw new Error('the scene enters no file: is the root of the project another one?');
  return files;
};

const createsExport = async (): Promise<readonly string[]> => {
  const harness = exportsHarness();
  harness.fakes.members.set(segment(2), [1]);
  const bodies = [
    { webhook_url: 'https://hooks.example.com/x', schedule: { hour: '3', minute: '0' } },
    {
      field_set: 'custom',
      custom_result_format: [{ umbel_field_name: 'city', destination_field_name: 'x' }],
    },
    { destination_credentials: { domain: 'sftp.example.com', client_id: 'me' } },
    { notification_email: 'ada@example.org' },
  ];
  return enteredBy(async () => {
    for (const body of bodies) await harness.create({ segment: [segment(2)], ...body });
  });
};

const readsSegment = async (): Promise<readonly string[]> => {
  const fixture = new Fixture();
  await fixture.put([[1, { tags: ['a'] }]], ['a']);
  const id = await fixture.tag('a');
  const read = (asked: Parameters<typeof getSegment>[1]) => getSegment(fixture.deps, asked);
  const user = { id: 1, email: '', first_name: '', last_name: '' };
  return enteredBy(() =>
    read({
      requestId: 'r',
      now: 0,
      user,
      permissions: ['definitions.read'],
      property: { id: property, account: 1 },
      path: { segment_id: String(id) },
      query: {},
      body: undefined,
      requestKey: 'c',
    }),
  );
};

const storesRows = async (): Promise<readonly string[]> => {
  const files = new Set<string>();
  const around = async (work: () => Promise<void>): Promise<void> => {
    for (const path of await enteredBy(work)) files.add(path);
  };
  await reimport({ people: 10, rowsPerSecond: 2_500, seed: 1, around });
  return [...files].toSorted();
};

const scenes = [
  ['a row of a file, from the queue to the index', await storesRows(), 45],
  ['POST exports with all its members, behind the wrapper', await createsExport(), 24],
  ['GET segments/{id}, behind the wrapper', await readsSegment(), 8],
] as const;

/** Folders whose files are vocabulary, not steps of a request. */
const isVocabulary = (path: string): boolean => /^shared\/(runtime|table|http|csv)\//.test(path);

printTable(
  scenes.map(([name, files, goal]) => {
    const steps = files.filter((path) => !isVocabulary(path)).length;
    const vocabulary = files.length - steps;
    return [name, `${count(steps)} files (goal: ${count(goal)}), and ${count(vocabulary)} of vocabulary`];
  }),
);
if (process.argv[2] === 'list')
  for (const [name, files] of scenes) process.stdout.write(`\n${name}\n  ${files.join('\n  ')}\n`);
