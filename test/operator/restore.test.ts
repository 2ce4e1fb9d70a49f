import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { raiseAll } from '../../cli/counters.ts';
import { wholeList } from '../../cli/admin-list.ts';
import type { AdminAnswer } from '../../cli/admin-service.ts';
import { ordinalSource } from '../../shared/ingest/ordinals.ts';
import { operate } from '../../shared/operator/operator-commands.ts';
import { listedCounters } from '../../shared/operator/raise-counters.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { openUuid, sealOrdinal } from '../../shared/profiles/profile-uuid.ts';
import { credentialCounters, credentialKeys } from '../../shared/table/credential-keys.ts';
import { idCounters, keys, serviceCounters } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { authHarness } from '../auth/harness.ts';
import { bodyOf, PROPERTY } from '../exports/harness.ts';
import { begun, runJob } from '../exports/steps.ts';
import { importHarness } from '../imports/import-harness.ts';
import { ofJob, said, storedStates, undoHarness } from '../ingest/undo-harness.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';

const RESTORED = '2026-11-23T06:00:00Z';

/** The commands of the operator about counters, as the function answers them. */
const operatorOf =
  (table: MemoryTable, credentials = new MemoryTable()) =>
  async (payload: Readonly<Record<string, unknown>>): Promise<AdminAnswer> => {
    const { deps } = authHarness({ table, credentials });
    const answer = await operate({ ...deps, clock: () => Date.UTC(2026, 11, 1) }, payload);
    if (!answer.ok) throw new Error('refused');
    return answer;
  };

type Operator = ReturnType<typeof operatorOf>;

const list = async (operator: Operator) =>
  v.parse(listedCounters, await wholeList({ command: 'counters.list' }, operator));

/** The option `--earlier` of a command: what `counters list --json` answered. */
const earlierOf = async (operator: Operator) => ({ earlier: JSON.stringify(await list(operator)) });

/** A table as it was before the work of a test, with the property in the list of all. */
const startOf = async (table: MemoryTable, property: number): Promise<() => void> => {
  await table.put(keys.listedProperty(property), { property });
  return table.backup();
};

/** Restores a table and raises its counters, as the instructions for a restore say. */
const restoreAndRaise = async (
  table: MemoryTable,
  restore: () => void,
  known: 'the earlier counters' | 'nothing',
): Promise<void> => {
  const earlier = known === 'nothing' ? {} : await earlierOf(operatorOf(table));
  restore();
  const command = { command: 'counters.raise', restored: RESTORED, ...earlier };
  expect(await raiseAll(command, operatorOf(table))).toMatchObject({ ok: true });
};

const JOB = scopedId(scope.id, 11);

describe.each(['the earlier counters', 'nothing'] as const)('after a restore that knows %s', (known) => {
  it('a UUID that a client has got for a person never names another person', async () => {
    const table = new MemoryTable();
    await undoHarness(table, new MemoryObjects()).post(accepted({ email: 'first@example.org' }, 1));
    const restore = await startOf(table, scope.id);
    // Another process: it has no ordinals in reserve.
    const later = undoHarness(table, new MemoryObjects());
    const [ann] = await later.post(accepted({ email: 'ann@example.org' }, 2));
    if (ann?.kind !== 'created') throw new Error('not created');
    const uuidOfAnn = sealOrdinal(scope.keys.uuid, ann.ordinal);
    await restoreAndRaise(table, restore, known);
    await undoHarness(table, new MemoryObjects()).post(accepted({ email: 'ben@example.org' }, 3));
    const ordinal = openUuid(scope.keys.uuid, uuidOfAnn) ?? -1;
    expect(await profileRepository({ table }).findByOrdinal(scope.id, ordinal)).toBeUndefined();
  });

  it('a track gives out no ordinal again', async () => {
    const table = new MemoryTable();
    const processOn = (track: number) => ordinalSource(table, { of: () => track });
    await processOn(0).take(scope.id, 1);
    await processOn(1).take(scope.id, 1);
    const restore = await startOf(table, scope.id);
    const given = await processOn(1).take(scope.id, 1);
    await restoreAndRaise(table, restore, known);
    const again = processOn(1);
    for (let n = 0; n < 32; n += 1) expect(given).not.toContain((await again.take(scope.id, 1))[0]);
  });

  it('the undo of an import that was under way brings nobody the values of another person', async () => {
    const table = new MemoryTable();
    const work = new MemoryObjects();
    const before = undoHarness(table, work);
    await before.addJob(JOB);
    const restore = await startOf(table, scope.id);
    // Lost by the restore: Ann came over HTTP, and a row of the job replaced her city.
    await before.post(accepted({ email: 'ann@example.org', city: 'Bonn', last_name: 'Anders' }, 1));
    await before.apply([ofJob(JOB, { email: 'ann@example.org', city: 'Ulm', last_name: 'Andres' }, 5)]);
    await restoreAndRaise(table, restore, known);
    const after = undoHarness(table, work);
    await after.post(accepted({ email: 'ben@example.org' }, 9));
    const own = said(storedStates(table));
    expect(await after.undo(JOB)).toBe(true);
    expect(said(storedStates(table))).toEqual(own);
  });

  it('an export runs, and its deliveries start', async () => {
    const harness = await begun({ webhook_url: 'https://hook.example.test/x' });
    const id = scopedId(PROPERTY, 1);
    // The first job of the definition has ended before the backup.
    await runJob(harness, { property: PROPERTY, export: id, job: scopedId(PROPERTY, 1) });
    const restore = await startOf(harness.table, PROPERTY);
    const again = async () => {
      bodyOf(await harness.runAgain({ export_id: String(id) }));
      const job = (await harness.exports.definition(PROPERTY, id))?.value.latest_job ?? 0;
      const ref = { property: PROPERTY, export: id, job };
      await runJob(harness, ref);
      const before = harness.started.length;
      await harness.startDeliveries(ref);
      return { job, started: harness.started.length - before };
    };
    const lost = await again();
    await restoreAndRaise(harness.table, restore, known);
    const outcome = await again();
    expect(outcome.started).toBe(1);
    expect(outcome.job).not.toBe(lost.job);
  });

  it('a file is imported', async () => {
    const harness = importHarness();
    // Step Functions starts nothing under a name that was used in the last 90 days.
    const names: string[] = [];
    harness.deps.workflow = { start: (name) => Promise.resolve(void names.push(name)) };
    const { id } = await harness.define();
    const restore = await startOf(harness.table, scope.id);
    const first = await harness.upload(id, 'email\na@x.org\n');
    await restoreAndRaise(harness.table, restore, known);
    const second = await harness.upload(id, 'email\nb@x.org\n', 'another.csv');
    expect(new Set(names).size).toBe(2);
    expect(second.job).not.toBe(first.job);
    await harness.repairAt(harness.deps.clock());
    expect((await harness.readJob(id, second.job)).counts.status).toBe('ingesting');
  });
});

describe('the counters of a stage', () => {
  /** Two properties, whose counters have given out numbers. */
  const stage = async () => {
    const [table, credentials] = [new MemoryTable(), new MemoryTable()];
    for (const property of [1001, 1002]) {
      await table.put(keys.listedProperty(property), { property });
      for (const name of idCounters) await table.increment(keys.counter(property, name), 5);
      await table.increment(keys.counter(property, 'segment-count'), 5);
    }
    for (const name of serviceCounters) await table.increment(keys.serviceCounter(name), 5);
    for (const name of credentialCounters) await credentials.increment(credentialKeys.counter(name), 5);
    return { table, credentials, operator: operatorOf(table, credentials) };
  };

  it('are all in the list, page by page, also those that have given out nothing', async () => {
    const { table, operator } = await stage();
    await table.put(keys.listedProperty(1003), { property: 1003 });
    table.queried = 1;
    const { service, counters } = await list(operator);
    expect(service.map(({ name, value }) => `${name} ${value}`).toSorted()).toEqual(
      [...serviceCounters, ...credentialCounters].map((name) => `${name} 5`).toSorted(),
    );
    expect(counters.map(({ property, name, value }) => `${property} ${name} ${value}`)).toEqual(
      [1001, 1002, 1003].flatMap((property) =>
        idCounters.map((name) => `${property} ${name} ${property === 1003 ? 0 : 5}`),
      ),
    );
  });

  it('are all raised beyond the earlier ones; numbers of things stay true', async () => {
    const { table, operator } = await stage();
    const earlier = await earlierOf(operator);
    expect(await raiseAll({ restored: RESTORED, ...earlier }, operator)).toMatchObject({
      ok: true,
      raised: 22,
    });
    const { service, counters } = await list(operator);
    for (const { value, raised } of [...service, ...counters]) {
      expect(value).toBeGreaterThan(5);
      expect(raised).toBe(RESTORED);
    }
    expect(await table.get(keys.counter(1001, 'segment-count'))).toMatchObject({ value: 5 });
  });

  it.each(['the earlier counters', 'nothing'] as const)(
    'are raised once, however often the command runs: %s',
    async (known) => {
      const { table, operator } = await stage();
      const command = { restored: RESTORED, ...(known === 'nothing' ? {} : await earlierOf(operator)) };
      await raiseAll(command, operator);
      await table.increment(keys.counter(1001, 'import'), 1);
      const once = await list(operator);
      expect(await raiseAll(command, operator)).toMatchObject({ ok: true, raised: 0 });
      expect(await list(operator)).toEqual(once);
      const next = await raiseAll({ restored: '2026-12-01T00:00:00Z' }, operator);
      expect(next).toMatchObject({ raised: 22 });
    },
  );

  it('of a property that the earlier tables had lost are raised by the gap', async () => {
    const { table, operator } = await stage();
    const lost = await table.get(keys.listedProperty(1002));
    if (!lost) throw new Error('no property');
    await table.write({ kind: 'delete', key: lost, expect: {} });
    const earlier = await earlierOf(operator);
    await table.put(keys.listedProperty(1002), { property: 1002 });
    await raiseAll({ restored: RESTORED, ...earlier }, operator);
    const valueOf = async (property: number) =>
      (await table.get(keys.counter(property, 'export')))?.['value'];
    expect(Number(await valueOf(1002))).toBeGreaterThan(10 * Number(await valueOf(1001)));
  });

  it('are raised by nothing in a dry run, which shows the plan', async () => {
    const { operator } = await stage();
    const before = await list(operator);
    const planned = await raiseAll({ restored: RESTORED, dry_run: true }, operator);
    expect(planned).toMatchObject({ ok: true, would_raise: 22 });
    expect(planned).toHaveProperty('counters');
    expect(await list(operator)).toEqual(before);
  });

  it('are raised in parts that one call takes', async () => {
    const { table, operator } = await stage();
    for (let property = 1003; property <= 1200; property += 1)
      await table.put(keys.listedProperty(property), { property });
    const calls: unknown[] = [];
    const counted: Operator = (payload) => {
      if (payload['command'] === 'counters.raise') calls.push(payload);
      return operator(payload);
    };
    await raiseAll({ restored: RESTORED }, counted);
    expect(calls).toHaveLength(4);
    const { counters } = await list(operator);
    expect(counters.filter(({ raised }) => raised === null)).toEqual([]);
  });

  it('are not raised by a file of something else', async () => {
    const { operator } = await stage();
    expect(await raiseAll({ restored: RESTORED, earlier: '{"ok": true}' }, operator)).toEqual({
      ok: false,
      error: { message: 'The file of --earlier is not what "counters list --json" answers.', errors: [] },
    });
  });
});
