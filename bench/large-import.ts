/**
 * Import of one large file: `node bench/large-import.ts [rows]` (by default 1,000,000 rows of 15 columns, over 200 MB).
 * Writes the file to disk, uploads it in parts, follows its job, checks every count, pages through every refused row,
 * and looks people up. Prints times, the rate, and the peak memory of client and service. The service is another process
 * with its data in files. The emulators share this process with the functions, so the report separates the heaps of its
 * threads. The memory figures need Linux. Finally a bare loop writes the same items into files, and the bench prints its
 * time as a share.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Answer, ImportInput, Tidemark } from '../client/src/index.ts';
import { signIn } from '../cli/endpoints.ts';
import { startService } from '../cli/service-process.ts';
import { count, duration, table as printTable } from '../cli/terminal.ts';
import { openEngine, tableKeys } from './bare-table.ts';
import { type BareWrites, bareWrites } from './bare-writes.ts';
import { readHeapPeaks, residentBytes, watchMemory } from './memory.ts';
import { tableNames } from '../test/support/table-names.ts';

const rows = Number(process.argv[2] ?? 1_000_000);

/** One row in this many has no e-mail address in its column. */
const REFUSED_EVERY = 1_000;
const refused = Math.floor(rows / REFUSED_EVERY);
const LOOK_UPS = 200;

const columns = [
  ['Visitor', 'unique_id'],
  ['E-mail', 'email'],
  ['First name', 'first_name'],
  ['Last name', 'last_name'],
  ['Born', 'birthday'],
  ['Gender', 'gender'],
  ['Street', 'address.street'],
  ['City', 'address.city'],
  ['State', 'address.state'],
  ['Postcode', 'address.postal_code'],
  ['Country', 'address.country'],
  ['Children', 'has_children'],
  ['Interests', 'tags'],
  ['Seen at', 'source'],
  ['Notes', 'extra_data.notes'],
] as const;
const definition: ImportInput = {
  name: 'A large file',
  mapping_fields: {
    required_fields: ['email'],
    field_maps: columns.map(([name, target_field]) => ({
      sources: [{ type: 'source_field', name }],
      target_field,
    })),
  },
};
const cities = ['Zürich', 'São Paulo', 'Kraków', 'Austin', 'Lyon', 'Malmö', '名古屋', 'Gent'];
const tags = ['jazz', 'opera', 'chess', 'running', 'sailing', 'cinema'];

const emailOf = (row: number): string => `visitor.${row}@example.org`;
const firstNameOf = (row: number): string => `Name ${row % 977} "${row}"`;

/** The `row`-th row (from 1). Each row has quotes, and every tenth a line break. */
const lineOf = (row: number): string => {
  const email = row % REFUSED_EVERY === 0 ? `visitor ${row}` : emailOf(row);
  const born = `${1950 + (row % 50)}-0${1 + (row % 9)}-1${row % 10}`;
  const breaks = row % 10 === 0 ? '\r\n' : ' ';
  const notes = `"asked about ""row ${row}"",${breaks}and would like to hear more of it by mail in the coming season"`;
  const name = `"${firstNameOf(row).replaceAll('"', '""')}"`;
  const place = `${row % 300} Long Street,${cities[row % cities.length] ?? ''},S${row % 40},${10_000 + (row % 80_000)},CH`;
  const rest = `${row % 3 === 0 ? 'Yes' : 'No'},${tags[row % tags.length] ?? ''};${tags[(row + 2) % tags.length] ?? ''},fair`;
  return `v-${row},${email},${name},Family${row % 5_003},${born},${row % 2 === 0 ? 'female' : 'male'},${place},${rest},${notes}\r\n`;
};

const LINES_AT_ONCE = 2_000;
function* fileOf(): Generator<string> {
  yield `${columns.map(([name]) => name).join(',')}\r\n`;
  for (let from = 1; from <= rows; from += LINES_AT_ONCE) {
    yield Array.from({ length: Math.min(LINES_AT_ONCE, rows - from + 1) }, (_, index) =>
      lineOf(from + index),
    ).join('');
  }
}

/** Follows the job to its end, and prints the progress from time to time. */
const follow = async (
  client: Tidemark,
  importId: number,
  jobId: number,
): Promise<Answer<'getImportJob'>['counts']> => {
  let looks = 0;
  const onProgress = ({ counts }: Answer<'getImportJob'>): void => {
    if (looks % 15 === 0)
      console.log(`${counts.status}: ${count(counts.completed)} of ${count(counts.ingested)}`);
    looks += 1;
  };
  return (await client.waitForImport({ importId, jobId, onProgress })).counts;
};

const check = (what: string, found: unknown, wanted: unknown): void => {
  if (!isDeepStrictEqual(found, wanted))
    throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
};

/** Checks that every refused row is listed once, and that people have the values of their rows. */
const checkRows = async (client: Tidemark, importId: number, jobId: number): Promise<void> => {
  const path = { import_id: importId, job_id: jobId };
  const errors = client.listImportErrors({ path, query: { limit: 1000 } });
  const listed = await Array.fromAsync(errors, ({ row }) => row);
  check(
    'refused rows',
    listed,
    Array.from({ length: refused }, (_, index) => (index + 1) * REFUSED_EVERY),
  );
  for (let index = 0; index < LOOK_UPS; index += 1) {
    const row = 1 + Math.floor((index * (rows - 1)) / LOOK_UPS);
    if (row % REFUSED_EVERY === 0) continue;
    const { profile } = await client.getProfile({ query: { email: emailOf(row) } });
    check(`the name of row ${row}`, profile.first_name, firstNameOf(row));
  }
};

const megabytes = (bytes: number): string => `${count(Math.round(bytes / 1e6))} MB`;

/** Bytes of all files below a folder. */
const bytesBelow = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  // LevelDB may remove files at any time.
  const sizes = files.map(({ parentPath, name }) =>
    stat(join(parentPath, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

/** Time of a bare loop that writes the items in a table's files. */
const bareWritesOf = async (dataDir: string): Promise<BareWrites> => {
  const engine = await openEngine(dataDir);
  try {
    const name = tableNames.table;
    await engine.createTable({ name, ...tableKeys });
    return await bareWrites(engine, name, join(folder, 'bare'));
  } finally {
    await engine.close();
  }
};

const folder = await mkdtemp(join(tmpdir(), 'tidemark-large-'));
const heapReport = join(folder, 'heaps.json');
const dataFolder = join(folder, 'data');
const service = await startService(0, ['--data', dataFolder], {
  endpointsFile: join(folder, 'endpoints.json'),
  node: ['--import', join(import.meta.dirname, 'heap-report.ts')],
  env: { HEAP_REPORT: heapReport },
});
const idle = residentBytes(service.pid);
const watching = new AbortController();
const watched = watchMemory(service.pid, watching.signal);
try {
  const client = await signIn(service.endpoints);
  const path = join(folder, 'large.csv');
  await pipeline(Readable.from(fileOf()), createWriteStream(path));
  const { size } = await stat(path);
  console.log(`${count(rows)} rows, ${megabytes(size)}`);
  const { id: importId } = await client.createImport({ body: definition });
  const started = performance.now();
  const { jobId } = await client.uploadFile({ importId, file: path });
  const uploaded = performance.now();
  const counts = await follow(client, importId, jobId);
  const ended = performance.now();
  const stored = rows - refused;
  check('counts', counts, {
    status: refused > 0 ? 'complete-with-errors' : 'complete',
    unserializable: refused,
    serialized: stored,
    completed: stored,
    processing: 0,
    failed: 0,
    ingested: rows,
  });
  await checkRows(client, importId, jobId);
  watching.abort();
  const { whole, own, mapped } = await watched;
  const heaps = readHeapPeaks(heapReport);
  const clientPeak = process.resourceUsage().maxRSS * 1024;
  const dataBytes = await bytesBelow(dataFolder);
  // The bare loop writes the items in the files of the stopped service.
  await service.stop();
  const bare = await bareWritesOf(join(dataFolder, 'dynamodb'));
  const seconds = (ended - uploaded) / 1000;
  console.log('');
  printTable([
    ['upload', duration(uploaded - started)],
    ['import', `${duration(ended - uploaded)}, ${count(Math.round(rows / seconds))} rows/s`],
    ['bare loop', `${count(bare.items)} items in ${bare.seconds.toFixed(1)} s`],
    ['share', `${((bare.seconds / seconds) * 100).toFixed(0)} %`],
    ['counts', `right: ${count(stored)} stored, ${count(refused)} refused, each listed once`],
    ['data of the emulators', `${megabytes(dataBytes)} in files`],
    ['the service', `${megabytes(idle)} before, ${megabytes(whole)} at most`],
    ['  of it not mapped files', `${megabytes(own)}; mapped ${megabytes(mapped)}, the table's among them`],
    ['  heap of the emulators', megabytes(heaps.main)],
    [
      '  heaps of the functions',
      `${megabytes(heaps.functions)} of at most ${heaps.threads}, the largest ${megabytes(heaps.largestFunction)}`,
    ],
    ['the client', `${megabytes(clientPeak)} at most`],
  ]);
} finally {
  watching.abort();
  await service.stop();
  await rm(folder, { recursive: true });
}
