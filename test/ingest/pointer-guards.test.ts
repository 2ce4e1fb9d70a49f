/** What pointers from names owe to whoever is nobody, to cheap writes, to contended items and to undos. */
import { expect, it } from 'vitest';
import { namePointerOf } from '../../shared/profiles/pointer-keys.ts';
import { preparePointers } from '../../shared/profiles/pointers.ts';
import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { accepted, scope as plain } from '../profiles/harness.ts';
import { jobs, ofJob, scheduledHarness } from './undo-harness.ts';

const scope: PropertyScope = { ...plain, rules: { ...plain.rules, searchNames: true, allNames: true } };
const ada = { email: 'ada@example.org', last_name: 'Noor', city: 'Bonn' };

const begun = async () => {
  const { table, harness, store } = await scheduledHarness([...jobs], { scopeNow: () => scope });
  const profile = () => {
    const [entry] = table.items('profile').map(parseEntry);
    if (entry?.kind !== 'profile') throw new Error('there is no profile');
    return entry;
  };
  const pointers = () => table.items('name-pointer').map(({ pk, sk }) => `${pk} ${sk}`);
  return { table, harness, store, profile, pointers };
};

it('somebody whom an undo left without an identity is nobody: no name leads there, also one that stays', async () => {
  const { table, harness, profile } = await begun();
  await harness.post(accepted(ada, 1));
  const { state, pointers: listed } = profile();
  const nobody = new Map([...state].filter(([, { area }]) => area !== 'identity'));
  expect([namePointerOf(scope, state), namePointerOf(scope, nobody)]).toEqual([listed[0], undefined]);
  const change = { ordinal: 0, before: state, after: nobody, listed };
  const pointed = (await preparePointers(table, scope, [change])).get(0);
  expect(pointed?.lists?.list).toEqual(listed.map((one) => `-${one}`));
  expect(pointed?.endings).toHaveLength(1);
});

it('a write that changes neither name nor town computes no hash for the pointer', async () => {
  const { table, harness, profile } = await begun();
  await harness.post(accepted(ada, 1));
  const { state, pointers: listed } = profile();
  let hashes = 0;
  const counting: PropertyScope = {
    ...scope,
    get keys() {
      hashes += 1;
      return scope.keys;
    },
  };
  await preparePointers(table, counting, [{ ordinal: 0, before: state, after: state, listed }]);
  expect(hashes).toBe(0);
  await preparePointers(table, counting, [{ ordinal: 0, before: undefined, after: state, listed }]);
  expect(hashes).toBeGreaterThan(0);
});

it('a writer that others keep from storing a pointer gives up, to be repeated', async () => {
  const { harness, profile } = await begun();
  await harness.post(accepted(ada, 1));
  const { state } = profile();
  let rounds = 0;
  const contended = {
    getMany: () => Promise.resolve([]),
    writeMany: (writes: readonly unknown[]) => {
      rounds += 1;
      if (rounds > 100) throw new Error('it does not give up');
      return Promise.resolve(writes.map(() => 'refused' as const));
    },
  };
  const change = { ordinal: 0, before: undefined, after: state, listed: [] };
  await expect(preparePointers(contended, scope, [change])).rejects.toThrow(UnavailableError);
});

it('a pointer ends with the undo that takes its name away, and the name of before has its own', async () => {
  const { harness, store, pointers } = await begun();
  await store(ofJob(jobs[0], ada, 1));
  const before = pointers();
  await store(ofJob(jobs[1], { ...ada, last_name: 'Lee' }, 2));
  expect(pointers()).toHaveLength(1);
  expect(pointers()).not.toEqual(before);
  await harness.undo(jobs[1]);
  expect(pointers()).toEqual(before);
});
