import { expect, it } from 'vitest';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { readListItem, readState } from '../../shared/membership/sizes/size-items.ts';
import { measureSizes } from '../../shared/membership/sizes/measure.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { unloadedBrands } from '../support/brands.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { gate } from '../support/table-view.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 15, 10);
const everyone = everyoneId(scope.id);

/**
 * People stored one at a time, and the measuring job. The harness awaits `before` ahead of each operation on a chunk of
 * `everyone`.
 */
const setUp = () => {
  const clock = { now: START };
  const hook: { before: (operation: string) => Promise<void> | undefined } = { before: () => undefined };
  const table = new MemoryTable((operation, [key]) =>
    key?.pk.includes(`#M#${everyone}#`) === true ? hook.before(operation) : undefined,
  );
  const deps = { table, clock: () => clock.now, pause: () => Promise.resolve(), derivations: unloadedBrands };
  const writer = profileWriter(deps);
  const catalogue = writer.segments;
  let people = 0;
  const post = () => {
    people += 1;
    const record = accepted({ email: `p${people}@b.co` }, people);
    return applyRecords(writer, scope, [record], { attemptId: `c${people}`, index: 'now' });
  };
  const measure = () => measureSizes({ ...deps, catalogue }, scope.id, () => true);
  const size = async () => {
    const list = (await readState(table, scope.id))?.lists[0];
    const sizes = list ? await readListItem(table, scope.id, list.version, 0) : [];
    return sizes.find(({ segment }) => segment === everyone)?.count;
  };
  return { clock, hook, post, measure, size };
};

it('a change that is written long after its note is counted', async () => {
  const { clock, hook, post, measure, size } = setUp();
  await post();
  await measure();
  // The writer notes the change at 10:44 and writes the chunk at 10:50, in the next quarter of an hour. The job runs in between.
  clock.now = START + 44 * MINUTE;
  const { reached, pass, open } = gate();
  let isHeld = false;
  hook.before = (operation) => {
    if (isHeld || operation !== 'update') return undefined;
    isHeld = true;
    return pass();
  };
  const late = post();
  await reached;
  clock.now = START + 46 * MINUTE;
  await measure();
  clock.now = START + 50 * MINUTE;
  open();
  await late;
  clock.now = START + 61 * MINUTE;
  await measure();
  expect(await size()).toBe(2);
});

it('a measurement that a later measurement has overtaken ends and changes nothing', async () => {
  const { clock, hook, post, measure, size } = setUp();
  await post();
  let isOvertaken = false;
  hook.before = async (operation) => {
    if (isOvertaken || operation !== 'query') return;
    isOvertaken = true;
    clock.now += MINUTE;
    expect(await measure()).toBe('done');
  };
  expect(await measure()).toBe('late');
  expect(await size()).toBe(1);
});
