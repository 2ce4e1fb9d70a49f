import { describe, expect, it } from 'vitest';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { importRepository, type ImportRepository } from '../../shared/imports/repository/repository.ts';
import type { Table, Write, WriteOutcome } from '../../shared/table/table.ts';
import { type Choose, Killed, seeded, TurnTable } from '../ingest/interleave.ts';
import { viewOf } from '../support/table-view.ts';
import { segmentsOf, tagged, tagsFrom } from './guard-scenes.ts';
import { importHarness } from './import-harness.ts';
import { casesOf, sampleOf } from '../support/scale.ts';

/** Number of schedules with deaths of each scene; `SCHEDULES=…` raises it. */
const SCHEDULES = casesOf('SCHEDULES', { full: 100, sample: 20 });

/** Most new segments of the job. */
const MOST = 3;

/** A scene: the new tags of each batch, first and number; and the batches that are delivered at once. */
interface Scene {
  readonly batches: readonly (readonly [from: number, count: number])[];
  readonly deliveries: readonly number[];
}

const scenes = {
  'two batches that exceed the guard together': {
    batches: [
      [0, 2],
      [2, 2],
    ],
    deliveries: [0, 1],
  },
  'two batches with the same tags': {
    batches: [
      [0, 3],
      [0, 3],
    ],
    deliveries: [0, 1],
  },
  'a batch that is delivered twice, and a batch that stops the job': {
    batches: [
      [0, 2],
      [2, 4],
    ],
    deliveries: [0, 0, 1],
  },
} as const satisfies Record<string, Scene>;

/** The repository of the workers with one guard of the protocol left out. */
type Sabotage = (imports: ImportRepository, table: Table) => ImportRepository;

/** A guard left out, and the scene that shows it soonest. */
interface Omission {
  readonly shownBy: keyof typeof scenes;
  readonly sabotage: Sabotage;
}

/** Plays the deliveries at once, then each batch without a result once more; the faults of the end. */
const play = async (
  { batches, deliveries }: Scene,
  choose: Choose,
  { deadly, sabotage }: { readonly deadly?: number; readonly sabotage?: Sabotage } = {},
): Promise<readonly string[]> => {
  const table = new TurnTable();
  const harness = importHarness(table);
  const { id } = await harness.define({ ...tagged, max_new_segments: MOST });
  const { id: job } = await harness.openJob(id);
  for (const [index, [from, count]] of batches.entries())
    await harness.send(
      job,
      tagsFrom(from, count).map((record, row) => ({ ...record, email: `b${index}r${row}@x.org` })),
    );
  const messages = harness.messages();
  const { imports } = harness.deps;
  const deps = { ...harness.deps, imports: sabotage?.(imports, table) ?? imports };
  const ends = await table.interleave(
    deliveries.map((index) => () => importBatch(deps, must(messages[index]))),
    choose,
    deadly,
  );
  const faults = ends.flatMap((end) =>
    end.status === 'rejected' && !(end.reason instanceof Killed) ? [String(end.reason)] : [],
  );
  for (const message of messages) await importBatch(deps, message);
  const stored = (await harness.people()).map(([email]) => email);
  const isRefused: boolean[] = [];
  for (const [index, { batch: uuid }] of messages.entries()) {
    const [, size] = must(batches[index]);
    const result = (await imports.batch(7, job, uuid))?.result;
    const own = stored.filter((email) => email.startsWith(`b${index}`)).length;
    const said = `batch ${index}: ${result?.completed} completed, ${own} of ${size} stored`;
    if (!result || result.completed !== own || (own !== 0 && own !== size)) faults.push(said);
    isRefused.push(own === 0);
  }
  const made = segmentsOf(harness);
  if (made > MOST) faults.push(`${made} segments`);
  const tags = new Set(batches.flatMap(([from, count]) => tagsFrom(from, count).map(({ email }) => email)));
  if (tags.size <= MOST && isRefused.includes(true)) faults.push('a batch is refused, although all fit');
  const { counts } = await harness.readJob(id, job);
  const isStopped = counts.status === 'failed';
  if (isStopped !== isRefused.includes(true) || counts.processing > 0) faults.push(`job ${counts.status}`);
  return faults;
};

const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the scene has no such batch');
  return value;
};

/**
 * Lets the worker of the newest operation go on, except at these operations: there the worker goes on that has waited
 * longest. `steps` counts the operations.
 */
const switchingAt = (at: ReadonlySet<number>) => {
  const seen = { steps: 0 };
  const choose: Choose = (count) => {
    seen.steps += 1;
    return at.has(seen.steps) ? 0 : count - 1;
  };
  return { choose, seen };
};

/** Every set of at most `most` numbers from 1 to `last`. */
const subsets = (last: number, most: number): readonly (readonly number[])[] => {
  if (most === 0) return [[]];
  const smaller = subsets(last, most - 1);
  return [
    [],
    ...Array.from({ length: last }, (_, index) => index + 1).flatMap((first) =>
      smaller.filter((rest) => rest.every((step) => step > first)).map((rest) => [first, ...rest]),
    ),
  ];
};

describe.each(Object.entries(scenes))('batches under a guard at once: %s', (_, scene) => {
  it('are stored whole or not at all, with any two switches between their workers', async () => {
    const { choose, seen } = switchingAt(new Set());
    expect(await play(scene, choose)).toEqual([]);
    for (const steps of sampleOf(subsets(seen.steps, 2), 10))
      expect(await play(scene, switchingAt(new Set(steps)).choose), `switches at ${steps.join()}`).toEqual(
        [],
      );
  });

  it('are stored whole or not at all, whatever dies in any order, and is delivered again', async () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1)
      expect(await play(scene, seeded(seed), { deadly: 30 }), `seed ${seed}`).toEqual([]);
  });
});

describe('some schedule breaks the guard unless', () => {
  const omissions: Readonly<Record<string, Omission>> = {
    'the guard of the job is written on condition of its nonce': {
      shownBy: 'two batches that exceed the guard together',
      sabotage: (imports, table) => {
        const write = async (one: Write): Promise<WriteOutcome> => {
          await table.write(one);
          return 'applied';
        };
        const pause = (): Promise<void> => Promise.resolve();
        const blind = importRepository({ table: viewOf(table, { write }), pause });
        return { ...imports, changeGuard: (job, decide) => blind.changeGuard(job, decide) };
      },
    },
    'an admitted batch bears a mark': {
      shownBy: 'two batches that exceed the guard together',
      sabotage: (imports) => {
        const admitted = new Set<string>();
        return {
          ...imports,
          updateBatch: (where, seen, update) => {
            if (update.admitted !== true) return imports.updateBatch(where, seen, update);
            admitted.add(seen.uuid);
            return Promise.resolve(true);
          },
          batch: async (property, job, uuid) => {
            const batch = await imports.batch(property, job, uuid);
            return batch && admitted.delete(uuid) ? { ...batch, admitted: true } : batch;
          },
        };
      },
    },
    'a refusal is written on condition that nobody has admitted the batch': {
      shownBy: 'a batch that is delivered twice, and a batch that stops the job',
      sabotage: (imports) => ({
        ...imports,
        finishBatch: async (where, seen, result) =>
          imports.finishBatch(where, (await imports.batch(7, where.id, seen.uuid)) ?? seen, result),
      }),
    },
  };

  it.each(Object.entries(omissions))('%s', async (_, { shownBy, sabotage }) => {
    const breaks = async (): Promise<boolean> => {
      for (let seed = 0; seed < 10 * SCHEDULES; seed += 1)
        if ((await play(scenes[shownBy], seeded(seed), { deadly: 30, sabotage })).length > 0) return true;
      return false;
    };
    expect(await breaks()).toBe(true);
  });
});
