import { setTimeout } from 'node:timers/promises';
import { count } from '../../cli/terminal.ts';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { encodeChunk, noBits, setBit } from '../../shared/membership/chunk.ts';
import { batchesOf, mapLimited } from '../../shared/runtime/pool.ts';
import { chunkOf, groupOf, type Key, keys, ORDINALS_PER_CHUNK } from '../../shared/table/keys.ts';
import { tableNames } from '../../test/support/table-names.ts';
import { toAttributeValues } from '../../shared/table/attribute-values.ts';
import { insertOf } from '../support/bare-writes.ts';
import { timed } from '../support/measure.ts';
import { type Report, scenario } from '../support/scenario.ts';
import { measureSizes } from '../support/sizes.ts';
import { type MeasuredService, openService } from '../support/service.ts';

/** Longer than the interval between moments of the measured service. */
const INTERVAL_MS = 1_500;

type Item = ReturnType<typeof toAttributeValues>;

const itemOf = ({ pk, sk }: Key, name: string, bytes: Uint8Array): Item =>
  toAttributeValues({ pk, sk, w: 'bench', [name]: bytes });

/** The chunks of a segment whose members are all ordinals below a number. */
const chunksOf = (property: number, segment: number, members: number): readonly Item[] =>
  Array.from({ length: Math.ceil(members / ORDINALS_PER_CHUNK) }, (_, index) => {
    const base = index * ORDINALS_PER_CHUNK;
    const bits = noBits();
    for (let offset = 0; offset < ORDINALS_PER_CHUNK && base + offset < members; offset += 1)
      setBit(bits, offset, true);
    return itemOf(keys.chunk(property, segment, groupOf(base), chunkOf(base)), 'members', encodeChunk(bits));
  });

const directoryOf = (property: number, segment: number, members: number): Item => {
  const groups = new Uint8Array(4 * (groupOf(members - 1) + 1));
  const view = new DataView(groups.buffer);
  for (let group = 0; group <= groupOf(members - 1); group += 1) view.setUint32(group * 4, group, true);
  return itemOf(keys.directory(property, segment), 'groups', groups);
};

const putAll = async ({ bare }: MeasuredService, items: readonly Item[]): Promise<void> => {
  await mapLimited([...batchesOf(items, 25)], 8, (batch) =>
    bare.call('BatchExecuteStatement', {
      Statements: batch.map((item) => insertOf(tableNames.table, item)),
    }),
  );
};

const measure = async (members: number, report: Report): Promise<number> => {
  const title = `${count(members)} members: `;
  await using service = await openService();
  const { client, property } = service;
  const segment = everyoneId(property);
  const chunks = chunksOf(property, segment, members);
  await putAll(service, [directoryOf(property, segment, members), ...chunks]);
  const create = (name: string) => client.createTimeline({ body: { name, reference_tile: segment } });
  const path = { timeline_id: (await create('warm')).id };
  await setTimeout(INTERVAL_MS);
  report.progress(`${title}first moment`);
  const first = await service.cost(() => timed(() => create('bench')));
  const further = await service.cost(() => timed(() => client.createMoment({ path })));
  const { moments } = await client.getTimeline({ path });
  for (const { count: found } of moments) report.check(`${title}members of a moment`, found, members);
  const bare = await timed(() => putAll(service, chunksOf(property, 1, members)));
  const ratio = first.result.seconds / bare.seconds;
  report.ratio(`${title}first moment`, ratio);
  report.ratio(`${title}further moment`, further.result.seconds / bare.seconds);
  report.count(`${title}chunks`, chunks.length, 'items');
  report.count(`${title}write units, first`, first.cost.writeUnits, 'units');
  report.count(`${title}write units, further`, further.cost.writeUnits, 'units');
  report.count(`${title}read units, first`, first.cost.readUnits, 'units');
  const { functions, emulators, other } = first.cost.cpu;
  report.cpu(`${title}processor time, whole service`, functions + emulators + other, 's');
  report.time(`${title}first moment`, first.result.seconds, 's');
  report.time(`${title}further moment`, further.result.seconds, 's');
  return ratio;
};

export default scenario({
  name: 'moments',
  title: 'Freeze a segment in a moment',
  about:
    'A timeline copies all members of a segment; the count of each moment is checked. The floor is a bare loop that writes as many chunks of the index.',
  sizes: { ci: { members: [200_000] }, full: { members: [1_000_000, 10_000_000] } },
  run: ({ members }, report) =>
    measureSizes(
      report,
      { sizes: members, of: 'members', unit: 'time as a multiple of bare writes' },
      measure,
    ),
});
