/**
 * Pointers of an undo that dies: whatever it was about to bring back, and whatever others say of the person before the undo
 * comes again, no pointer stays that nobody's profile lists.
 */
import { describe, expect, it } from 'vitest';
import { pointerKeysOf } from '../../shared/profiles/pointer-keys.ts';
import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import type { Key } from '../../shared/table/keys.ts';
import { scope as plain } from '../profiles/harness.ts';
import { dyingAnywhere, type Tick } from '../support/death.ts';
import { frozenAtWrite } from '../support/frozen.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { jobs, ofJob, withJobs } from './undo-harness.ts';

const searched: PropertyScope = { ...plain, rules: { ...plain.rules, searchNames: true, allNames: true } };
const [EARLIER, JOB, LATER] = jobs;
const ann = { email: 'ann@example.org' };
const before = { ...ann, last_name: 'Noor', city: 'Bonn', phone_number: '+4915112345678' };
const brought = { ...ann, last_name: 'Lee', city: 'Trier', phone_number: '+4915187654321' };
const since = { ...ann, last_name: 'Okafor', city: 'Ulm', phone_number: '+4915100000000' };

/** A person of whom a job has hidden the name, the town and the number. */
const hidden = (scope: PropertyScope) => async (tick: Tick) => {
  const table = new MemoryTable(tick);
  const { harness, store } = await withJobs(table, jobs, {
    ...{ work: new MemoryObjects(tick), scopeNow: () => scope },
  });
  await store(ofJob(JOB, brought, 2));
  // An older record comes late, so its values never had a pointer.
  await store(ofJob(EARLIER, before, 1));
  const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;
  const pointers = () => [...table.items('phone-pointer'), ...table.items('name-pointer')].map(nameOf);
  const listed = () => {
    const [entry] = table.items('profile').map(parseEntry);
    return entry?.kind === 'profile' ? pointerKeysOf(scope.id, 0, entry.pointers).map(nameOf) : [];
  };
  return { table, harness, pointers, listed };
};

describe('an undo that dies, and whose values somebody changes before it comes again, leaves no pointer', () => {
  it.each([
    ['where the property searches by name', searched],
    ['where it does not', plain],
  ])('%s', async (_, scope) => {
    const operations = await dyingAnywhere({
      needsAll: true,
      begin: hidden(scope),
      run: ({ harness }) => harness.undo(JOB),
      check: async ({ harness, pointers, listed }) => {
        await harness.apply([ofJob(LATER, since, 9)]);
        expect(await harness.undo(JOB)).toBe(true);
        expect(listed()).toEqual(expect.arrayContaining(pointers()));
        await harness.forget(0);
        expect(pointers()).toEqual([]);
      },
    });
    expect(operations).toBeGreaterThan(30);
  });
});

it('an undo settles the pointers that it stored behind another writer who found none at their marks', async () => {
  const { table, harness, pointers, listed } = await hidden(searched)(() => undefined);
  await frozenAtWrite(table, 'insert', 'name-pointer').during(
    (view) => harness.undo(JOB, view),
    () => harness.apply([ofJob(LATER, since, 9)]),
  );
  expect(listed()).toEqual(expect.arrayContaining(pointers()));
});
