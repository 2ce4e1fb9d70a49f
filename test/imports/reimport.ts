import * as v from 'valibot';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import {
  drainAnnounced,
  drainGroup,
  drainRequest,
  requestDrains,
  sweepJournal,
} from '../../shared/membership/drain.ts';
import { countMembers } from '../../shared/membership/read-members.ts';
import { identityKey } from '../../shared/catalogue/identity.ts';
import { journal } from '../../shared/membership/journal.ts';
import { membershipIndex } from '../../shared/membership/membership.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keys, ORDINALS_PER_CHUNK } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { seeded } from '../ingest/interleave.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { unloadedBrands } from '../support/brands.ts';
import { importHarness, importsOn } from './import-harness.ts';
import { storingIn } from './import-world.ts';
import { definitionOf } from '../support/field-map.ts';

/** How known people come again. */
export interface Reimport {
  readonly people: number;
  /** So many people, then ordinals are left out up to the next chunk, so that fewer people lie in more chunks. */
  readonly perChunk?: number;
  /** Decides how often the sweep comes while the file is stored. */
  readonly rowsPerSecond: number;
  readonly seed: number;
  /** Runs around the work on each batch, from the queue to the index: a bench can watch it. */
  readonly around?: (work: () => Promise<void>) => Promise<void>;
}

const SWEEP_MS = 300_000;
const definition = definitionOf(['unique_id', 'tags'], { required_fields: ['unique_id'] });

/**
 * Imports people from a file, then the same in random order with a tag that nobody had: the real steps of a file, the real
 * journal and the real drainer, on a table in memory. Each asked-for drain runs at once, which is as often as can be. Returns
 * what indexing the second file took.
 */
export const reimport = async ({
  people,
  perChunk = ORDINALS_PER_CHUNK,
  rowsPerSecond,
  seed,
  around = (work) => work(),
}: Reimport) => {
  const written = new Map<string, number>();
  const table = new MemoryTable((operation, [key]) => {
    if (operation !== 'insert' && operation !== 'update') return;
    const kind = kindOfKey(key?.pk ?? '');
    written.set(kind, (written.get(kind) ?? 0) + 1);
  });
  let now = NOW;
  const base = { table, clock: () => now, pause: () => Promise.resolve(), derivations: unloadedBrands };
  const harness = importHarness(table);
  const catalogue = segmentCatalogue(base);
  const readProfiles = profileRepository(base).readEach;
  const membership = membershipIndex({ ...base, catalogue, readProfiles });
  const log = journal(base);
  const drains = new MemoryQueue();
  const asking = { journal: log, drains, ids: systemIds };
  const counts = { drains: 0, sweeps: 0 };
  const drainAll = async (): Promise<void> => {
    for (const body of drains.takeBodies()) {
      const { property, group } = v.parse(drainRequest, body);
      const deps = { journal: log, membership, finishForgetting: () => Promise.resolve() };
      counts.drains += 1;
      while ((await drainGroup(deps, property, group)).more);
    }
  };
  const writer = { ...harness.profileDeps, ...base, segments: catalogue, journal: log, membership };
  const deps: typeof harness.deps = {
    ...harness.deps,
    clock: base.clock,
    store: storingIn(writer),
    requestDrains: async (property, groups) => {
      await requestDrains(
        asking,
        groups.map((group) => ({ property, group })),
      );
      return undefined;
    },
  };
  const barrier = { isSettled: (property: number, by: number) => drainAnnounced(asking, property, by) };
  const imports = importsOn({ ...harness, deps });
  const run = async (importId: number, rows: readonly string[]): Promise<void> => {
    const { reference } = await imports.upload(importId, ['unique_id,tags', ...rows].join('\n'));
    await imports.inspectFile(reference);
    await imports.cut(reference);
    let swept = now;
    for (const message of harness.messages()) {
      await around(async () => {
        await imports.importBatch(message);
        const batch = await deps.imports.batch(scope.id, message.job, message.batch);
        now += Math.round((1000 * (batch?.records ?? 0)) / rowsPerSecond);
        for (; now - swept >= SWEEP_MS; swept += SWEEP_MS) {
          counts.sweeps += 1;
          await sweepJournal(asking);
        }
        await drainAll();
      });
    }
    while (!(await settleImport({ ...deps, barrier }, reference)).done) await drainAll();
  };
  const { id } = await harness.define(definition);
  const rowOf = (person: number, tag: string): string => `u${person},${tag}`;
  for (let first = 0; first < people; first += perChunk) {
    await run(
      id,
      Array.from({ length: Math.min(perChunk, people - first) }, (_, n) => rowOf(first + n, '')),
    );
    await table.increment(keys.counter(scope.id, 'ordinal'), ORDINALS_PER_CHUNK - perChunk);
  }
  written.clear();
  Object.assign(counts, { drains: 0, sweeps: 0 });
  const order = Array.from({ length: people }, (_, person) => person);
  const choose = seeded(seed);
  for (let at = people - 1; at > 0; at -= 1) {
    const other = choose(at + 1);
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  await run(
    id,
    order.map((person) => rowOf(person, 'new')),
  );
  const tag = { type: 'tag', path: ['Tags'], name: 'new' } as const;
  const target = (await catalogue.findIds(scope.id, [tag])).get(identityKey(tag)) ?? 0;
  return {
    chunkWrites: written.get('chunk') ?? 0,
    directoryWrites: written.get('directory') ?? 0,
    journalWrites: written.get('journal') ?? 0,
    ...counts,
    /** Members of the new tag's segment at the end. */
    members: await countMembers(table, { property: scope.id, expression: target }),
  };
};
