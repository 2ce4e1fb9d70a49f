import { describe, expect, it } from 'vitest';
import { cachedDerivations } from '../../shared/catalogue/derivation.ts';
import { limits } from '../../shared/config/limits.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';
import { withDeadline } from '../../shared/runtime/deadline.ts';
import { keys } from '../../shared/table/keys.ts';
import type { StoredItem, Table, Write } from '../../shared/table/table.ts';
import { expectIndexed } from '../ingest/indexed-harness.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { textLike } from '../support/answers.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { SideTime } from '../support/side-time.ts';
import { viewOf } from '../support/table-view.ts';

const LEASE = keys.drainLease(scope.id, 0);
const SKEW_MS = limits.clockSkewSeconds * 1_000;

/** Called ahead of each operation of a process, with the number of operations since the process became a leader. */
type Fate = (sinceLease: number) => Promise<void> | void;

const isTake = ({ key, set }: Extract<Write, { kind: 'insert' | 'update' }>): boolean =>
  key.pk === LEASE.pk && set['until'] !== 0;

/** A few processes that store people on one table, in virtual time: each operation takes 5 ms. */
const setUp = () => {
  const [table, time] = [new MemoryTable(), new SideTime(1)];
  const clock = (): number => NOW + Math.floor(time.now);
  const leaders: string[] = [];
  let leads = 0;
  const tableOf = (name: string, fate: Fate): Table => {
    let since = -1;
    const act = async <T>(work: () => Promise<T>): Promise<T> => {
      if (since >= 0) await fate((since += 1));
      await time.sleep(5);
      return work();
    };
    const writeMany: Table['writeMany'] = (writes) =>
      act(async () => {
        const outcomes = await table.writeMany(writes);
        const took = writes.some(
          (write, at) => write.kind !== 'delete' && isTake(write) && outcomes[at] === 'applied',
        );
        if (took) {
          leaders.push(name);
          leads += 1;
          since = 0;
        }
        return outcomes;
      });
    return viewOf(table, {
      get: (key) => act(() => table.get(key)),
      getMany: (wanted) => act(() => table.getMany(wanted)),
      query: (pk, range) => act(() => table.query(pk, range)),
      writeMany,
      write: async (write) => (await writeMany([write]))[0] ?? 'refused',
    });
  };
  /** A process, which stores people. */
  const processOf = (name: string, fate: Fate = () => undefined) => {
    const ports = { table: tableOf(name, fate), clock, pause: (attempt: number) => time.sleep(25 * attempt) };
    const writer = profileWriter({ ...ports, derivations: cachedDerivations(ports) });
    return async (person: string, level: string): Promise<void> => {
      const record = accepted({ unique_id: person, education_level: level }, Math.floor(time.now));
      await applyRecords(writer, scope, [record], { attemptId: `${name} ${time.now}`, index: 'now' });
    };
  };
  const store = (name: string, level: string, fate?: Fate): Promise<void> =>
    processOf(name, fate)(name, level);
  /** Another request holds the lease until then, and is dead. */
  const holdLease = (until: number) => table.put(LEASE, { holder: 'dead', until, served: 1 });
  const expectCorrect = async (): Promise<void> => {
    await expectIndexed(table, clock());
    expect(table.items('journal')).toEqual([]);
  };
  const lease = () => table.get(LEASE);
  return {
    table,
    time,
    clock,
    leaders,
    leads: () => leads,
    processOf,
    store,
    holdLease,
    expectCorrect,
    lease,
  };
};

class Killed extends Error {}

/** Fates of a leader that dies before the n-th operation of its pass, and never works again. */
const diesAt =
  (nth: number): Fate =>
  (sinceLease) =>
    sinceLease >= nth ? Promise.reject(new Killed()) : undefined;

const names = Array.from({ length: 6 }, (_, n) => `person-${n}`);

/** Lets people be stored at once, behind a lease that has just ended. Failures of the killed are no failures. */
const storeAll = async (
  { time, store }: ReturnType<typeof setUp>,
  fate: (name: string) => Fate = () => () => undefined,
): Promise<readonly string[]> => {
  const killed: string[] = [];
  await time.run(
    names.map((name) => async () => {
      try {
        await store(name, 'Master', fate(name));
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        killed.push(name);
      }
    }),
  );
  return killed;
};

describe('requests for people of one group', () => {
  it('index alone, without a lease, when no other request is at work', async () => {
    const given = setUp();
    await given.time.run([
      () => given.store('a', 'Master'),
      async () => {
        await given.time.sleep(1_000);
        await given.store('b', 'Master');
      },
    ]);
    expect(given.leads()).toBe(0);
    await given.expectCorrect();
  });

  it('leave the chunks to one leader when they meet', async () => {
    const given = setUp();
    await storeAll(given);
    expect(given.leads()).toBeGreaterThan(0);
    expect(given.leads()).toBeLessThan(names.length / 2);
    await given.expectCorrect();
  });

  it('part once they have met, and index alone at the same time, whoever holds the lease', async () => {
    const given = setUp();
    const { time, table, processOf, holdLease } = given;
    const processes = names.map((name) => ({ name, store: processOf(name) }));
    const storeEach = (from: number, to: number): Promise<unknown> =>
      time.run(
        processes.map(({ name, store }) => async () => {
          for (let n = from; n < to; n += 1) await store(`${name}-${n}`, 'Master');
        }),
      );
    await storeEach(0, 10);
    expect(given.leads()).toBeGreaterThan(0);
    const [led, began] = [given.leads(), time.now];
    await holdLease(NOW + 3_600_000);
    await storeEach(10, 30);
    expect(given.leads()).toBe(led);
    expect(time.now - began).toBeLessThan(3_000);
    expect(table.items('journal')).toEqual([]);
    await given.expectCorrect();
  });

  it('wait while another request leads, and lead once its lease has ended', async () => {
    const given = setUp();
    await given.holdLease(NOW + 1_000);
    await storeAll(given);
    expect(given.time.now).toBeGreaterThan(1_000 + SKEW_MS);
    expect(given.time.now).toBeLessThan(1_500 + SKEW_MS);
    expect(given.leads()).toBe(1);
    expect(await given.lease()).toMatchObject({ until: 0, served: names.length });
    await given.expectCorrect();
  });

  it('give up at their deadline, and leave their change to the drainer', async () => {
    const given = setUp();
    const { time, clock, table } = given;
    await given.holdLease(NOW + 60_000);
    const life = { clock, until: NOW + 3_000 };
    await time.run([
      () =>
        expect(withDeadline(life, () => given.store('a', 'Master'))).rejects.toThrow(
          'the time for this work',
        ),
    ]);
    expect(time.now).toBeLessThan(3_200);
    const [entry] = table.items('journal');
    expect(entry).toMatchObject({ done: true });
  });
});

/** The operations of a pass: the journal, the chunks, the profiles, the writes and the release. More is never reached. */
const STEPS = Array.from({ length: 40 }, (_, at) => at + 1);

describe('when the leader dies before', () => {
  it.each(STEPS)('operation %i of its pass, the others are indexed by another leader', async (step) => {
    const given = setUp();
    await given.holdLease(NOW);
    let victim: string | undefined;
    const killed = await storeAll(given, (name) => (sinceLease) => {
      victim ??= name;
      return victim === name ? diesAt(step)(sinceLease) : undefined;
    });
    expect(killed.length).toBeLessThanOrEqual(1);
    // The others wait for the end of the lease at most.
    expect(given.time.now).toBeLessThan(2 * SKEW_MS + 3_000);
    await given.expectCorrect();
  });
});

/** Longer than a lease with the clock skew. */
const FROZEN_MS = 20_000;

describe('when the leader freezes before', () => {
  it.each(STEPS)('operation %i of its pass, and thaws behind its lease, the index is right', async (step) => {
    const given = setUp();
    const { time, store } = given;
    await given.holdLease(NOW);
    let victim: string | undefined;
    const freezes =
      (name: string): Fate =>
      async (sinceLease) => {
        victim ??= name;
        if (victim === name && sinceLease === step) await time.sleep(FROZEN_MS);
      };
    await time.run([
      ...names.map((name) => () => store(name, 'Master', freezes(name))),
      // Each person moves to another segment while the leader is frozen.
      ...names.map((name) => async () => {
        await time.sleep(FROZEN_MS / 2);
        await store(name, 'Bachelor');
      }),
    ]);
    await given.expectCorrect();
  });
});

it('a leader whose lease has ended does not release the lease of the next leader', async () => {
  const given = setUp();
  const { time, store, lease, leaders } = given;
  await given.holdLease(NOW);
  let during: StoredItem | undefined;
  await time.run([
    ...names.map(
      (name) => () =>
        store(name, 'Master', async (sinceLease) => {
          if (name === leaders[0] && sinceLease === 1) await time.sleep(SKEW_MS + 3_000);
          // The second leader holds its lease while the first one thaws and ends.
          if (name === leaders[1] && sinceLease === 1) {
            await time.sleep(1_500);
            during = await lease();
          }
        }),
    ),
  ]);
  expect(leaders.length).toBeGreaterThan(1);
  expect(during).toMatchObject({ holder: textLike(new RegExp(`^${leaders[1]} `)) });
  expect(during?.['until']).not.toBe(0);
  await given.expectCorrect();
});
