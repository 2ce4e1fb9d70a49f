/**
 * Cost of an import: `node bench/import.ts [rows]`. Imports the sample file through the whole service on the embedded
 * cloud. Prints the rate, its share of a bare loop that only writes the items of the import (same engine, same client,
 * same run), request units and calls per row, and the size of the undo log.
 */
import * as v from 'valibot';
import type { Tidemark } from '../client/src/index.ts';
import { endpointsSchema, signIn } from '../cli/endpoints.ts';
import { makeSample, sampleDefinition } from '../cli/sample.ts';
import { count, table as printTable } from '../cli/terminal.ts';
import { type Cloud, startCloud } from '../local/cloud/cloud.ts';
import { limits } from '../shared/config/limits.ts';
import { bareWrites } from './bare-writes.ts';
import { tableNames } from '../test/support/table-names.ts';

const rows = Number(process.argv[2] ?? 10_000);
const sample = makeSample(rows);

/** Imports the sample once and returns the seconds from the upload to the end of the job. */
const importSample = async (client: Tidemark): Promise<number> => {
  const { id: importId } = await client.createImport({ body: sampleDefinition });
  const file = new Blob([sample.csv]);
  const started = performance.now();
  const { jobId } = await client.uploadFile({ importId, file, fileName: 'sample.csv' });
  const { status, failed } = (await client.waitForImport({ importId, jobId })).counts;
  if (status !== 'complete-with-errors' || failed > 0) throw new Error(`the import ended as ${status}`);
  return (performance.now() - started) / 1000;
};

/** Prints the meter's lines per row of the file, and returns the units of all lines per row. */
const perRow = (cloud: Cloud): { readonly reads: number; readonly writes: number } => {
  const sums = new Map<string, { calls: number; reads: number; writes: number; bytes: number }>();
  for (const {
    caller,
    action,
    kind,
    calls,
    readUnits,
    writeUnits,
    bytes,
  } of cloud.gateway.meter.snapshot()) {
    const name = `${caller}  ${action}  ${kind}`;
    const sum = sums.get(name) ?? { calls: 0, reads: 0, writes: 0, bytes: 0 };
    sums.set(name, {
      calls: sum.calls + calls,
      reads: sum.reads + readUnits,
      writes: sum.writes + writeUnits,
      bytes: sum.bytes + bytes,
    });
  }
  const of = (value: number): string => (value / rows).toFixed(3).padStart(9);
  const largestFirst = [...sums].sort(([, left], [, right]) => right.calls - left.calls);
  console.log('\nper row: calls, read units, write units, bytes');
  printTable(
    largestFirst
      .filter(([, { calls }]) => calls / rows >= 0.0005)
      .map(([name, { calls, reads, writes, bytes }]) => [
        name,
        `${of(calls)} ${of(reads)} ${of(writes)} ${of(bytes)}`,
      ]),
  );
  const total = [...sums.values()].reduce(
    (all, { reads, writes }) => ({ reads: all.reads + reads, writes: all.writes + writes }),
    { reads: 0, writes: 0 },
  );
  return { reads: total.reads / rows, writes: total.writes / rows };
};

/** The objects and the bytes of the undo log of the import. Each object is one call of S3. */
const undoLog = async ({
  deployment,
  parts: {
    storage: { s3 },
  },
}: Cloud): Promise<{ readonly objects: number; readonly bytes: number }> => {
  const bucket = deployment.buckets.find(({ name }) => name.includes('-work-'))?.name ?? '';
  const keys = s3.list(bucket).filter((key) => key.startsWith('undo/'));
  const sizes = await Promise.all(keys.map(async (key) => (await s3.get(bucket, key))?.length ?? 0));
  return { objects: keys.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
};

const cloud = await startCloud();
try {
  const client = await signIn(v.parse(endpointsSchema, cloud.endpoints));
  cloud.gateway.meter.reset();
  const cold = await importSample(client);
  const units = perRow(cloud);
  const log = await undoLog(cloud);
  const bare = await bareWrites(cloud.parts.storage.table, tableNames.table);
  console.log('');
  printTable([
    ['rows', count(rows)],
    ['import', `${count(Math.round(rows / cold))} rows/s, ${cold.toFixed(1)} s`],
    ['write units a row', `${units.writes.toFixed(2)} (limits: ${limits.imports.writeUnitsPerRow})`],
    ['read units a row', `${units.reads.toFixed(2)} (limits: ${limits.imports.readUnitsPerRow})`],
    [
      'undo log',
      `${log.objects} objects, ${(rows / log.objects).toFixed(0)} rows each, ${(log.bytes / rows).toFixed(0)} bytes a row`,
    ],
    ['bare loop', `${count(bare.items)} items in ${bare.seconds.toFixed(1)} s`],
    ['share', `${((bare.seconds / cold) * 100).toFixed(0)} %`],
  ]);
} finally {
  await cloud.stop();
}
