import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { isUnavailable } from '../../shared/runtime/aws-errors.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { drainAnnounced } from '../../shared/membership/drain.ts';
import { countMembers } from '../../shared/membership/read-members.ts';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Table } from '../../shared/table/table.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';
import { SideTime } from '../support/side-time.ts';
import { expectIndexed, indexedHarness, processOf, sweepBy } from './indexed-harness.ts';
import { openCloud } from './slow-cloud.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';

/** A process whose calls take time. */
const processIn = (time: SideTime, table: Table) =>
  processOf({ table, clock: () => NOW + time.now, pause: () => time.sleep(100) });

describe('a batch with slow profile writes', () => {
  it('is in the index once its job is complete', async () => {
    const time = new SideTime();
    const { tableOf, close } = await openCloud(time);
    // The first two attempts at each profile write get no answer. No write fails permanently.
    let began = 0;
    let latest = 0;
    const isSlow = (text: string, attempt: number): boolean => {
      if (!text.includes('BatchExecuteStatement') || !text.includes(`P#${scope.id}#B#`)) return false;
      latest = Math.max(latest, time.now - began);
      return attempt <= 2;
    };
    const writer = processIn(time, tableOf(isSlow));
    const drainer = processIn(time, tableOf());
    const people = Array.from({ length: 500 }, (_, n) => accepted({ email: `p${n}@example.org` }, n));
    let deliveries = 0;
    let finished = 0;
    await time.run([
      async () => {
        // A thrown error redelivers the message.
        for (let isDone = false; !isDone && deliveries < 20;) {
          deliveries += 1;
          began = time.now;
          const options = {
            attemptId: `import-1-a-${deliveries}`,
            index: 'later',
            repeated: deliveries > 1,
          } as const;
          isDone = await applyRecords(writer, scope, people, options).then(
            () => true,
            (error: unknown) => {
              if (!isUnavailable(error)) throw error;
              return false;
            },
          );
        }
        finished = writer.clock();
      },
      async () => {
        // Exactly when the first announcement may be retired.
        await time.sleep(185_000);
        await sweepBy(drainer);
      },
    ]);
    let told = { visible: false, counted: 0, stored: 0 };
    await time.run([
      async () => {
        await time.sleep(600_000);
        await sweepBy(drainer);
        const asking = {
          journal: drainer.journal,
          drains: { send: () => Promise.resolve() },
          ids: systemIds,
        };
        const everyone = { property: scope.id, expression: everyoneId(scope.id) };
        told = {
          // The checks of the job before it is complete.
          visible: await drainAnnounced(asking, scope.id, finished + 5_000),
          counted: await countMembers(drainer.table, everyone),
          stored: (
            await profileRepository(drainer).readMany(
              scope.id,
              people.map((_, n) => n),
            )
          ).size,
        };
      },
    ]);
    await close();
    expect(deliveries).toBeGreaterThan(1);
    // The look comes some milliseconds after the beginning.
    expect(latest).toBeLessThan((limits.segments.lookSeconds + 1) * 1000);
    expect(told).toEqual({ visible: true, counted: 500, stored: 500 });
  });

  it('is announced again when it was drained before its last write had arrived', async () => {
    const items = new MemoryTable();
    const harness = indexedHarness(items);
    let isLate = false;
    const table = viewOf(items, {
      writeMany: async (writes) => {
        if (!isLate && writes.some(({ key }) => kindOfKey(key.pk) === 'profile')) {
          isLate = true;
          await harness.sweep();
        }
        return items.writeMany(writes);
      },
    });
    const writer = indexedHarness(table);
    await writer.apply([accepted({ email: 'ann@example.org' })], 'later');
    expect(isLate).toBe(true);
    await harness.sweep();
    expect(await expectIndexed(items, harness.clock.now)).not.toEqual({});
  });
});
