import { describe, expect, it } from 'vitest';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { jitteredPause, type Pause } from '../../shared/runtime/pause.ts';
import { dynamoTable } from '../../shared/table/dynamo-table.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { StoredItem } from '../../shared/table/table.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { inProcess, overHttp, TABLE, type CloudTable } from './cloud-table.ts';
import { expectConsistent } from './consistency.ts';
import { seeded } from './interleave.ts';
import { accepted, scope, harnessOn, ordinalsOf } from '../profiles/harness.ts';
import { casesOf } from '../support/scale.ts';

const WRITERS = 100;

/** How often the writers compete for a new person. */
const ROUNDS = {
  inProcess: casesOf('ROUNDS', { full: 100, sample: 2 }),
  overHttp: casesOf('ROUNDS', { full: 10, sample: 1 }),
};

/** One of the writers of a round: a process with its own table, ordinals and journal. */
const writerOf =
  (client: CloudTable['client'], pause: Pause, round: number) =>
  (_: unknown, order: number) =>
  async (): Promise<number> => {
    let rounds = 1;
    const counting: Pause = async (attempt) => {
      rounds = attempt + 1;
      await pause(attempt);
    };
    const table = dynamoTable({ client, tableName: TABLE, ids: systemIds, pause });
    const deps = { ...harnessOn().deps, table, ordinals: ordinalsOf(table), pause: counting };
    const record = accepted(
      {
        email: `person-${round}@example.com`,
        ...(order % 2 === 0 ? { social_id: `person-${round}` } : {}),
        extra_data: { [`writer-${order}`]: order },
      },
      order,
    );
    await applyRecords(deps, scope, [record], { attemptId: `writer-${round}-${order}`, index: 'later' });
    return rounds;
  };

/** Starts `WRITERS` writers on the same new person, `rounds` times; returns the attempts of each writer, ascending. */
const compete = async (
  cloud: CloudTable,
  pause: Pause,
  options: {
    readonly rounds: number;
    run(writers: readonly (() => Promise<number>)[]): Promise<readonly PromiseSettledResult<number>[]>;
  },
): Promise<readonly number[]> => {
  const needed: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const writers = Array.from({ length: WRITERS }, writerOf(cloud.client, pause, round));
    for (const end of await options.run(writers)) {
      if (end.status === 'rejected') throw end.reason;
      needed.push(end.value);
    }
  }
  return needed.sort((a, b) => a - b);
};

/** Each round leaves one profile with the values of every writer, and no claim that leads elsewhere. */
const expectOneProfileEach = (items: readonly StoredItem[], rounds: number): void => {
  expectConsistent({ items: () => items });
  const profiles = items.filter(
    (item) => kindOfKey(item.pk) === 'profile' && parseEntry(item).kind === 'profile',
  );
  expect(profiles).toHaveLength(rounds);
  expect(items.filter(({ pk }) => kindOfKey(pk) === 'claim')).toHaveLength(2 * rounds);
  const everyKey = Array.from({ length: WRITERS }, (_, order) => `writer-${order}`).sort();
  for (const item of profiles) {
    const slot = parseEntry(item);
    if (slot.kind !== 'profile') continue;
    const names = [...slot.state.values()].filter(({ area }) => area === 'extra').map(({ name }) => name);
    expect(names.sort()).toEqual(everyKey);
  }
};

const report = (name: string, started: number, needed: readonly number[]): void => {
  const seconds = Math.round((performance.now() - started) / 1000);
  const [median, most] = [needed[needed.length >> 1], needed.at(-1)];
  process.stdout.write(
    `${name}: ${needed.length} writers, rounds needed: ${median} (median), ${most} (most); ${seconds} s\n`,
  );
};

describe('a hundred writers of one identity, with throttled calls and lost answers', () => {
  it('create one profile with the values of every writer in each round', async () => {
    const [time, choose] = [new VirtualTime(), seeded(1)];
    const cloud = await inProcess(time, choose);
    const started = performance.now();
    const pause: Pause = (attempt) => time.sleep(choose(Math.min(2_000, 25 * 2 ** attempt)));
    const needed = await compete(cloud, pause, {
      rounds: ROUNDS.inProcess,
      run: (writers) => time.run(writers),
    });
    report('in process', started, needed);
    expectOneProfileEach(await cloud.items(), ROUNDS.inProcess);
    await cloud.close();
  }, 600_000);

  it('create one profile with the values of every writer over HTTP', async () => {
    const cloud = await overHttp();
    const started = performance.now();
    const run = (writers: readonly (() => Promise<number>)[]) =>
      Promise.allSettled(writers.map((one) => one()));
    const needed = await compete(cloud, jitteredPause, { rounds: ROUNDS.overHttp, run });
    report('over HTTP', started, needed);
    expectOneProfileEach(await cloud.items(), ROUNDS.overHttp);
    await cloud.close();
  }, 600_000);
});
