/** What pointers from names owe to whoever is nobody, to cheap writes, to contended items and to undos. */
import { expect, it } from 'vitest';
import { placeOfName } from '../../shared/profiles/name-places.ts';
import { namePointerOf } from '../../shared/profiles/pointer-keys.ts';
import { preparePointers } from '../../shared/profiles/pointers.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { keys } from '../../shared/table/keys.ts';
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

it('a number that stays is found after another change, where pointers end with their values', async () => {
  const { table, harness } = await begun();
  const phone = '+4915112345678';
  await harness.post(accepted({ ...ada, phone_number: phone }, 1));
  await harness.post(accepted({ ...ada, first_name: 'Ada' }, 2));
  const found = await profileRepository({ table }).findByPhone(scope, phone, 10);
  expect(found.map(({ fields }) => fields.email)).toEqual([ada.email]);
});

it('a lookup by a number gives no more people than it is asked for', async () => {
  const { table, harness } = await begun();
  const phone = '+4915112345678';
  for (const order of [1, 2, 3])
    await harness.post(accepted({ email: `p${order}@example.org`, phone_number: phone }, order));
  expect(await profileRepository({ table }).findByPhone(scope, phone, 2)).toHaveLength(2);
});

it('a writer without the search ends the pointer of a name that stays', async () => {
  const { table, harness, profile } = await begun();
  await harness.post(accepted(ada, 1));
  const { state, pointers: listed } = profile();
  const change = { ordinal: 0, before: state, after: state, listed };
  const pointed = (await preparePointers(table, plain, [change])).get(0);
  expect(pointed?.endings).toHaveLength(1);
});

it('a number that comes back is listed once, without its mark, where pointers do not end', async () => {
  const { table, harness, profile } = await begun();
  await harness.post(accepted({ ...ada, phone_number: '+4915112345678' }, 1));
  const { state, pointers } = profile();
  const [phone = ''] = pointers.filter((one) => one.startsWith('phone:'));
  const names = pointers.filter((one) => one.startsWith('name:'));
  for (const before of [[], [phone]]) {
    const listed = [...before, `-${phone}`, ...names];
    const change = { ordinal: 0, before: undefined, after: state, listed };
    const pointed = (await preparePointers(table, plain, [change])).get(0);
    expect(pointed?.lists?.list).toEqual([phone, ...names.map((one) => `-${one}`)]);
  }
});

it('a batch that comes again ends the pointer of a name that its dead attempt left', async () => {
  const { table, harness, store, pointers } = await begun();
  await harness.post(accepted({ email: ada.email }, 1));
  await store(ofJob(jobs[0], { ...ada, last_name: 'Lee' }, 5));
  const { head = '', rest = '' } = placeOfName(scope, ada.last_name, ada.city) ?? {};
  const key = keys.namePointer(scope.id, head, { rest, ordinal: 0 });
  await table.write({ kind: 'insert', key, set: {} });
  // The older record is hidden by now.
  await store(ofJob(jobs[1], ada, 2));
  expect(pointers()).toHaveLength(1);
});
