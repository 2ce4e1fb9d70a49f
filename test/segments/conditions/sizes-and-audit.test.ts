import { expect, it } from 'vitest';
import { cachedDerivations } from '../../../shared/catalogue/derivation.ts';
import { segmentCatalogue } from '../../../shared/catalogue/catalogue.ts';
import { audit, type AuditDeps } from '../../../shared/membership/audit/audit.ts';
import { applyRecords } from '../../../shared/ingest/apply-records.ts';
import { profileWriter } from '../../../shared/ingest/profile-writer.ts';
import { DAY_MS, isoTime } from '../../../shared/runtime/clock.ts';
import { journal } from '../../../shared/membership/journal.ts';
import { membershipIndex } from '../../../shared/membership/membership.ts';
import { measureAllSizes } from '../../../shared/membership/sizes/measure-all.ts';
import { readState } from '../../../shared/membership/sizes/size-items.ts';
import { profileRepository } from '../../../shared/profiles/profile-repository.ts';
import { keys } from '../../../shared/table/keys.ts';
import { accepted, scope } from '../../profiles/harness.ts';
import { unloadedBrands } from '../../support/brands.ts';
import { ConditionHarness, where } from './harness.ts';

const MINUTE_MS = 60_000;

const scene = async () => {
  const harness = new ConditionHarness();
  const { table, clock, now } = harness;
  const property = { account: 1, name: 'Shop', created: now, wrappedKey: new Uint8Array(1) };
  await table.put(keys.property(scope.id), property);
  await table.put(keys.listedProperty(scope.id), { property: scope.id });
  await harness.store({ unique_id: 'a', extra_data: { spend: 700 } });
  const ports = { table, clock, pause: () => Promise.resolve() };
  const derivations = cachedDerivations(ports);
  const catalogue = segmentCatalogue({ ...ports, derivations });
  const measure = () => measureAllSizes({ table, catalogue, clock }, () => true);
  const sizes = async () => {
    const [list] = (await readState(table, scope.id))?.lists ?? [];
    return new Map(list?.starts.map(({ segment, count }) => [segment, count]));
  };
  return { harness, ports, derivations, catalogue, measure, sizes };
};

it('the size of a condition is not listed before it is ready, and soon after', async () => {
  const { harness, catalogue, measure, sizes } = await scene();
  const id = await harness.create(where);
  for (let minutes = 0; minutes < 3; minutes += 1) {
    harness.now += MINUTE_MS;
    await measure();
    await harness.look();
  }
  expect(await harness.isReady(id)).toBe(true);
  const stored = await harness.table.get(keys.size(scope.id, id));
  // Nobody has counted it while only some of its members were in the index.
  expect(stored).toBeUndefined();
  for (let minutes = 0; minutes < 20; minutes += 2) {
    harness.now += 2 * MINUTE_MS;
    await measure();
  }
  expect((await catalogue.getMany(scope.id, [id])).get(id)?.name).toBe('A condition');
  expect((await harness.table.get(keys.size(scope.id, id)))?.['w']).toBeDefined();
  expect((await sizes()).size).toBeGreaterThan(0);
});

const auditScene = async () => {
  const { harness, ports, derivations, catalogue } = await scene();
  const readProfiles = profileRepository(ports).readEach;
  const around = { ...ports, derivations, catalogue, readProfiles };
  const deps: AuditDeps = {
    ...around,
    journal: journal(ports),
    scopeOf: () => Promise.resolve(scope),
    newIndex: () => membershipIndex(around),
  };
  const run = (repair: boolean) =>
    audit(deps, { command: 'audit', property: scope.id, ...(repair ? { repair } : {}) });
  return { harness, ports, run };
};

it('an audit takes no condition for wrong that is being prepared, and repairs one that is', async () => {
  const { harness, run } = await auditScene();
  const id = await harness.create(where);
  harness.now += MINUTE_MS;
  expect(await run(false)).toMatchObject({ ok: true, missing: 0, extra: 0, directories: 0 });
  await harness.settle();
  expect(await run(false)).toMatchObject({ ok: true, missing: 0, extra: 0, directories: 0 });
  const chunk = keys.chunk(scope.id, id, 0, 0);
  await harness.table.write({ kind: 'delete', key: chunk, expect: {} });
  expect(await run(true)).toMatchObject({ ok: true, missing: 1, extra: 0 });
  expect(await harness.members(id)).toEqual(['a']);
});

it('an audit puts right what release 0.2.0 wrote, which knows no conditions', async () => {
  const { harness, ports, run } = await auditScene();
  const day = (ago: number): string => isoTime(harness.now - ago * DAY_MS).slice(0, 10);
  await harness.store({ unique_id: 'b', extra_data: { spend: 800, seen: day(5) } });
  const spent = await harness.create(where);
  const seen = await harness.create({ field: 'extra_data.seen', op: 'within_days', value: 30 }, 'Seen');
  await harness.settle();
  expect([await harness.members(spent), await harness.members(seen)]).toEqual([['a', 'b'], ['b']]);

  const old = profileWriter({ ...ports, derivations: unloadedBrands });
  const records = [
    accepted({ unique_id: 'b', extra_data: { spend: 3, seen: day(60) } }, 98),
    accepted({ unique_id: 'c', extra_data: { spend: 900, seen: day(20) } }, 99),
  ];
  await applyRecords(old, scope, records, { attemptId: 'by 0.2.0', index: 'now' });
  expect([await harness.members(spent), await harness.members(seen)]).toEqual([['a', 'b'], ['b']]);

  expect(await run(true)).toMatchObject({ ok: true, missing: 4, extra: 3 });
  expect([await harness.members(spent), await harness.members(seen)]).toEqual([['a', 'c'], ['c']]);
  // So the calendar finds who leaves the window.
  expect(await run(false)).toMatchObject({ ok: true, missing: 0, extra: 0 });
});
