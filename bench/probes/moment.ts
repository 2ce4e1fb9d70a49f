/**
 * Cost of a moment: `node bench/probes/moment.ts [members]`. Fills a segment, creates a timeline of it and a second moment on
 * the embedded cloud, and prints seconds, writes and request units of each.
 */
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { endpointsSchema, signIn } from '../../cli/endpoints.ts';
import { count, table as printTable } from '../../cli/terminal.ts';
import { startCloud } from '../../local/cloud/cloud.ts';
import { batchesOf, mapLimited } from '../../shared/runtime/pool.ts';
import { encodeChunk, noBits, setBit } from '../../shared/membership/chunk.ts';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { chunkOf, groupOf, keys, ORDINALS_PER_CHUNK, type Key } from '../../shared/table/keys.ts';
import { tableNames } from '../../test/support/table-names.ts';

const members = Number(process.argv[2] ?? 1_000_000);
const cloud = await startCloud({ context: { momentIntervalSeconds: '1' } });

/** Puts items in the JSON protocol into the table. */
const putAll = async (
  items: readonly { readonly key: Key; readonly name: string; readonly bytes: Uint8Array }[],
) => {
  const name = tableNames.table;
  await mapLimited([...batchesOf(items, 25)], 4, (batch) =>
    cloud.parts.storage.table.call('BatchWriteItem', {
      RequestItems: {
        [name]: batch.map(({ key, name: attribute, bytes }) => ({
          PutRequest: {
            Item: {
              pk: { S: key.pk },
              sk: { S: key.sk },
              w: { S: 'bench' },
              [attribute]: { B: Buffer.from(bytes).toString('base64') },
            },
          },
        })),
      },
    }),
  );
};

/** Makes all ordinals below a number members of a segment. The bench does not read their profiles. */
const fill = async (property: number, segment: number): Promise<void> => {
  const chunks = Array.from({ length: Math.ceil(members / ORDINALS_PER_CHUNK) }, (_, index) => {
    const base = index * ORDINALS_PER_CHUNK;
    const bits = noBits();
    for (let offset = 0; offset < ORDINALS_PER_CHUNK && base + offset < members; offset += 1)
      setBit(bits, offset, true);
    return {
      key: keys.chunk(property, segment, groupOf(base), chunkOf(base)),
      name: 'members',
      bytes: encodeChunk(bits),
    };
  });
  const groups = new Uint8Array(4 * (groupOf(members - 1) + 1));
  const view = new DataView(groups.buffer);
  for (let group = 0; group <= groupOf(members - 1); group += 1) view.setUint32(group * 4, group, true);
  await putAll([{ key: keys.directory(property, segment), name: 'groups', bytes: groups }, ...chunks]);
};

/** Runs a step and returns its cost. */
const measured = async (title: string, step: () => Promise<unknown>): Promise<[string, string]> => {
  cloud.gateway.meter.reset();
  const started = performance.now();
  await step();
  const seconds = (performance.now() - started) / 1000;
  const sums = { writes: 0, writeUnits: 0, readUnits: 0, calls: 0 };
  for (const { action, calls, readUnits, writeUnits } of cloud.gateway.meter.snapshot()) {
    sums.writeUnits += writeUnits;
    sums.readUnits += readUnits;
    if (action.startsWith('dynamodb:')) sums.calls += calls;
  }
  return [
    title,
    `${seconds.toFixed(2)} s, ${count(sums.writeUnits)} write units, ${count(sums.readUnits)} read units, ${count(sums.calls)} calls`,
  ];
};

try {
  const endpoints = v.parse(endpointsSchema, cloud.endpoints);
  const client = await signIn(endpoints);
  const property = endpoints.property_id;
  const segment = everyoneId(property);
  await fill(property, segment);
  const timeline = (name: string) => client.createTimeline({ body: { name, reference_tile: segment } });
  const path = { timeline_id: (await timeline('warm')).id };
  // Longer than the interval of this stage.
  await setTimeout(1_500);
  const rows = [
    await measured('first moment', () => timeline('bench')),
    await measured('second moment', () => client.createMoment({ path })),
    await measured('counts of a timeline', async () => client.getTimeline({ path })),
  ];
  printTable([['members', count(members)], ...rows]);
} finally {
  await cloud.stop();
}
