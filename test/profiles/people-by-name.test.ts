import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { noRules } from '../../shared/properties/rules.ts';
import { findPeople } from '../../shared/profiles/find-people.ts';
import { placeOfName } from '../../shared/profiles/name-places.ts';
import { peopleAnswer } from '../../shared/profiles/schemas.ts';
import { keys, NAME_SHARDS } from '../../shared/table/keys.ts';
import { undoHarness } from '../ingest/undo-harness.ts';
import { jsonOf, problemOf } from '../support/answers.ts';
import { answered, requestOf } from '../support/requests.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { onDynamoDb } from '../table/engines.ts';
import { accepted, scope } from './harness.ts';
import { profileRoutes } from './routes.ts';

let routes: Awaited<ReturnType<typeof profileRoutes>>;
beforeEach(async () => {
  routes = await profileRoutes();
  await routes.table.put(keys.rules(routes.property), { ...noRules, names_since: 1, names_ready: 1 });
});

const query = (last_name: string, city?: string): string =>
  new URLSearchParams({ last_name, ...(city !== undefined && { city }) }).toString().replaceAll('+', '%20');
const answer = async (last_name: string, city?: string) =>
  v.parse(peopleAnswer, jsonOf(await routes.demo.find(query(last_name, city))));
const namesIn = ({ profiles }: Awaited<ReturnType<typeof answer>>) =>
  profiles.map(({ unique_id }) => unique_id);
const found = async (last_name: string, city?: string) => namesIn(await answer(last_name, city));
const pointers = () => routes.table.items('name-pointer');

let people = 0;
/** Stores people of these names, each with the name as id. */
const store = async (...names: readonly string[]): Promise<void> => {
  for (const last_name of names) {
    people += 1;
    await routes.demo.post({ unique_id: last_name, email: `p${people}@example.org`, last_name });
  }
};

describe('a search by name', () => {
  it('finds people as they are written and as they are typed, those stored first before others', async () => {
    const written = ['Müller', 'Mueller', 'MULLER', 'Müller-Lüdenscheidt', 'von Müller', 'Muñoz', 'Mülheim'];
    await store(...written);
    const mullers = written.slice(0, 5);
    for (const typed of ['Müller', 'mueller', 'muller', 'von Müller', 'mull', 'Mu\u0308ller'])
      expect(await found(typed), typed).toEqual(mullers);
    expect(await found('mül')).toEqual([...mullers, 'Mülheim']);
    expect(await found('Müller Lüdenscheidt')).toEqual(['Müller-Lüdenscheidt']);
    expect(await found('munoz')).toEqual(['Muñoz']);
  });

  it.each([
    ['Weiß', 'weiss'],
    ["O'Brien", 'obrien'],
    ['D’Angelo', "d'angelo"],
    ['van der Berg', 'Berg'],
    ['Al-Sayed', 'al sayed'],
    ['Łukasz', 'lukasz'],
    ['Sørensen', 'sorensen'],
    ['Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ'],
    ['Семёнов', 'семенов'],
    ['李', '李'],
    ['欧阳', '欧'],
    ['김', '김'],
    ['Ng', 'NG'],
    ['Wolfeschlegelsteinhausenbergerdorff', 'wolfeschlegelsteinhausenb'],
    ['محمد', 'مُحَمَّد'],
  ])('finds %s by %s', async (name, typed) => {
    await store(name);
    expect(await found(typed)).toEqual([name]);
  });

  it('finds a name of one or two letters as a whole only', async () => {
    await store('Li', 'Lindner', 'Lie');
    // `Lie` has the letters of `Li`: an `e` counts behind `i`.
    expect([await found('li'), await found('lin'), await found('lie')]).toEqual([
      ['Li'],
      ['Lindner'],
      ['Lie'],
    ]);
  });

  it('takes the beginning of the town, and nobody of another town', async () => {
    for (const [unique_id, city] of [
      ['a', 'Köln'],
      ['b', 'Koblenz'],
      ['c', 'Köln-Deutz'],
      ['d', undefined],
    ])
      await routes.demo.post({ unique_id, last_name: 'Müller', ...(city !== undefined && { city }) });
    await routes.demo.post({ unique_id: 'e', last_name: 'Müllermann', city: 'Köln' });
    expect(await found('Müller', 'koeln')).toEqual(['a', 'c', 'e']);
    expect(await found('Müller', 'Ko')).toEqual(['a', 'b', 'c', 'e']);
    expect(await found('Müller', 'Köln Deutz')).toEqual(['c']);
    expect(await found('Müller', 'Bonn')).toEqual([]);
    expect(await found('Müller')).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('follows the name and the town that are shown, and its pointers end with them', async () => {
    const post = (record: object) => routes.demo.post({ unique_id: 'ann', ...record });
    await post({ last_name: 'Noor', city: 'Bonn', phone_number: '+4930123456' });
    const one = pointers();
    await post({ tags: [{ datetime: '2026-01-01 00:00:00', tag: ['new'] }] });
    await post({ last_name: 'Falk', attribute_source: 'third_party' });
    expect([await found('Falk'), await found('Noor')]).toEqual([[], ['ann']]);
    expect(pointers()).toEqual(one);
    await post({ last_name: 'Lee' });
    expect([await found('Noor'), await found('Lee', 'Bonn'), pointers().length]).toEqual([[], ['ann'], 1]);
    await post({ city: 'Köln' });
    expect([await found('Lee', 'Bonn'), await found('Lee', 'Köln'), pointers().length]).toEqual([
      [],
      ['ann'],
      1,
    ]);
    await post({ last_name: null, phone_number: null });
    expect([await found('Lee'), await found('Falk', 'Köln')]).toEqual([[], ['ann']]);
    expect([pointers().length, routes.table.items('phone-pointer').length]).toEqual([1, 0]);
    await routes.demo.forget('unique_id=ann');
    expect([await found('Falk'), pointers()]).toEqual([[], []]);
  });

  it('shows nobody of another property, and its keys and lists show no name', async () => {
    await store('Noor');
    expect(problemOf(await routes.other.find(query('Noor')))).toMatchObject({
      status: 409,
      code: 'names_off',
    });
    await routes.table.put(keys.rules(routes.property), noRules);
    expect(JSON.stringify(pointers()).toLowerCase()).not.toContain('noor');
    expect(pointers()).toHaveLength(1);
  });

  it('is in the audit log with the people that it showed', async () => {
    await store('Noor', 'Noori');
    const { profiles } = await answer('Noor');
    const shown = profiles.map(({ profile_uuid }) => profile_uuid).join(',');
    expect(routes.harness.auditLog.items()).toContainEqual(
      expect.objectContaining({ outcome: '200', ids: { profile_uuids: shown } }),
    );
  });

  it.each(['last_name=', 'last_name=-', 'city=Bonn', 'last_name=Noor&city=', 'last_name=Noor&first_name=-'])(
    'refuses %s',
    async (asked) => {
      expect(problemOf(await routes.demo.find(asked))).toMatchObject({ status: 400 });
    },
  );
});

describe('a search that finds very many', () => {
  it('shows those stored first of what it looked at, and says what to add', async () => {
    for (let person = 0; person < limits.names.people + 1; person += 1)
      await routes.demo.post({
        unique_id: `u${person}`,
        last_name: 'Müller',
        city: person === 7 ? 'Bonn' : 'Köln',
      });
    const many = await answer('Müller');
    expect([many.complete, many.advice]).toEqual([
      false,
      'More people match than one answer shows. Add the first name, the town or more of the name.',
    ]);
    expect(namesIn(many)).toEqual(Array.from({ length: limits.names.people }, (_, person) => `u${person}`));
    expect(await answer('Müller', 'Bonn')).toMatchObject({ complete: true, advice: null });
    const ann = 'last_name=M%C3%BCller&first_name=ann';
    const askAnn = async () => v.parse(peopleAnswer, jsonOf(await routes.demo.find(ann)));
    expect(await askAnn()).toMatchObject({ profiles: [], complete: true });
    await routes.demo.post({ unique_id: 'u50', first_name: 'Anna-Lena' });
    expect([namesIn(await askAnn()), (await askAnn()).complete]).toEqual([['u50'], true]);
    expect(await answer('Müller', 'Köln')).toMatchObject({ complete: true, advice: null });
    await routes.demo.post({ unique_id: 'one more', last_name: 'Müller', city: 'Köln' });
    const more = await answer('Müller', 'Köln');
    expect([more.complete, more.advice]).toEqual([
      false,
      'More people match than one answer shows. Add the first name or more of the name.',
    ]);
  });

  it.each([
    [undefined, limits.names.profilesRead],
    ['Anna', limits.names.profilesReadByFirstName],
  ])(
    'reads a bounded number of pointers and of profiles, with the first name %s',
    async (first_name, most) => {
      const table = new MemoryTable();
      const searched = { ...scope, rules: { ...scope.rules, searchNames: true } };
      const { head = '', rest = '' } = placeOfName(searched, 'Müller', 'Köln') ?? {};
      for (let ordinal = 0; ordinal < 2_000; ordinal += 1)
        await table.put(keys.namePointer(scope.id, head, { rest, ordinal }), {});
      let [queried, read] = [0, 0];
      const deps = {
        table: viewOf(table, {
          query: async (pk, range) => {
            const page = await table.query(pk, range);
            queried += page.items.length;
            return page;
          },
        }),
        scopeOf: () => Promise.resolve(searched),
        readProfiles: async function* (_: number, ordinals: Iterable<number>) {
          read += [...ordinals].length;
          yield* await Promise.resolve([]);
        },
      };
      const request = requestOf({
        property: scope.id,
        query: { last_name: 'Müller', first_name },
        body: undefined,
      });
      expect(await answered(findPeople(deps, request), peopleAnswer)).toMatchObject({ complete: false });
      const pointersRead = NAME_SHARDS * limits.names.pointersPerShard;
      expect([queried, read]).toEqual([pointersRead, Math.min(pointersRead, most)]);
    },
  );
});

describe('while people who were stored before have no pointers', () => {
  it('an answer says so', async () => {
    await routes.table.put(keys.rules(routes.property), { ...noRules, names_since: 2, names_ready: 1 });
    await store('Noor');
    const early = await answer('Noor');
    expect([namesIn(early), early.complete]).toEqual([['Noor'], false]);
    expect(early.advice).toMatch(/before the search by name was switched on/);
  });
});

describe('the search by name costs', () => {
  it('a write unit a new person, nothing for what stays, and nothing where it is off', async () => {
    const engine = await onDynamoDb();
    const now = { isOn: true };
    const rules = () => ({ ...scope, rules: { ...scope.rules, searchNames: now.isOn } });
    const harness = undoHarness(engine.table, new MemoryObjects(), { scopeNow: rules });
    /** Write units of pointers, of profiles and of all, for one record. */
    const units = async (record: object, order: number) => {
      engine.meter.reset();
      await harness.apply([accepted({ ...record }, order)]);
      const all = engine.meter.snapshot();
      const of = (kind?: string) =>
        all
          .filter((one) => kind === undefined || one.kind === kind)
          .reduce((sum, one) => sum + one.writeUnits, 0);
      return { names: of('name-pointer'), profiles: of('profile'), all: of() };
    };
    const ann = { email: 'ann@example.org', last_name: 'Noor', city: 'Bonn' };
    await units({ ...ann, email: 'first@example.org' }, 0);
    const searched = await units(ann, 1);
    expect(searched).toMatchObject({ names: 1, profiles: 1 });
    expect(await units(ann, 1)).toMatchObject({ names: 0, profiles: 0 });
    expect(await units({ ...ann, gender: 'Female' }, 2)).toMatchObject({ names: 0, profiles: 1 });
    // One pointer is stored and one is removed.
    expect(await units({ ...ann, last_name: 'Lee' }, 3)).toMatchObject({ names: 2, profiles: 1 });
    now.isOn = false;
    const plain = await units({ ...ann, email: 'bob@example.org' }, 4);
    expect(plain).toMatchObject({ names: 0, profiles: 1, all: searched.all - 1 });
    await engine.close();
  });
});
