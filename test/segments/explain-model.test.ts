import { expect, it } from 'vitest';
import { membersFrom } from '../../shared/membership/walk-members.ts';
import type { Reason } from '../../shared/segments/explain/schemas.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { casesOf } from '../support/scale.ts';
import { accepted, scope } from '../profiles/harness.ts';
import { Model, type Definition } from './custom-model.ts';
import { putMoment } from './fixture.ts';
import { whyHarness, type Membership } from './explain-harness.ts';
import { seeded, type Choose } from '../ingest/interleave.ts';

const RUNS = casesOf('EXPLAIN_RUNS', { full: 5, sample: 2 });
const PEOPLE = 45;
const CUSTOMS = 30;
const PAIRS = 2_000 * RUNS;

/** A person as a client sends it. The test computes the segments of the person independently of the service. */
interface Sent {
  readonly unique_id: string;
  readonly gender?: string;
  readonly birthday?: string;
  readonly age?: number;
  readonly country?: string;
  readonly city?: string;
  readonly source?: string;
  readonly social_likes?: readonly { readonly id: string }[];
  readonly consent?: readonly { readonly channel: string; readonly state: string }[];
  readonly tags?: readonly { readonly datetime: string; readonly tag: readonly string[] }[];
}

const tagNames = ['a', 'b', 'c'];
const birthdays = ['1950-01-15', '1990-01-16', '2001-01-14', '2008-02-29', '2010-01-15'];

/** Ages on 15 January 2026. */
const agesOf: Readonly<Record<string, number>> = {
  '1950-01-15': 76,
  '1990-01-16': 35,
  '2001-01-14': 25,
  '2008-02-29': 17,
  '2010-01-15': 16,
};
const bandOf = (age: number): string => {
  if (age < 18) return 'under 18';
  if (age < 25) return '18-24';
  if (age < 35) return '25-34';
  if (age < 45) return '35-44';
  if (age < 55) return '45-54';
  return age < 65 ? '55-64' : '65+';
};

const one = <T>(choose: Choose, from: readonly T[]): T | undefined => from[choose(from.length + 1)];

const drawPerson = (choose: Choose, n: number): Sent => {
  const [gender, birthday] = [one(choose, ['Female', 'Male']), one(choose, birthdays)];
  const [country, city, source] = [one(choose, ['AT', 'US']), one(choose, ['Linz']), one(choose, ['web'])];
  const said = one(choose, ['given', 'withdrawn']);
  const tags = tagNames.filter(() => choose(3) === 0);
  return {
    unique_id: `u${n}`,
    ...(gender === undefined ? {} : { gender }),
    ...(birthday === undefined ? {} : { birthday }),
    ...(choose(2) === 0 ? { age: 20 + choose(60) } : {}),
    ...(country === undefined ? {} : { country }),
    ...(city === undefined ? {} : { city }),
    ...(source === undefined ? {} : { source }),
    ...(choose(3) === 0 ? { social_likes: [{ id: `page${choose(2)}` }] } : {}),
    ...(said === undefined ? {} : { consent: [{ channel: 'email', state: said }] }),
    ...(tags.length > 0 ? { tags: [{ datetime: '2026-01-02 03:04:05', tag: tags }] } : {}),
  };
};

/** The names of the segments of a person. */
const namesOf = (sent: Sent): readonly string[] => {
  const { gender, birthday, country, city, source, social_likes = [], tags = [], consent = [] } = sent;
  const age = birthday === undefined ? sent.age : agesOf[birthday];
  const place = city === undefined ? [] : [country === undefined ? city : `${city}, ${country}`];
  return [
    ...(gender === undefined ? [] : [`Gender: ${gender}`]),
    ...(age === undefined ? [] : [`Age: ${bandOf(age)}`]),
    ...(country === undefined ? [] : [country]),
    ...place,
    ...(source === undefined ? [] : [source]),
    ...social_likes.map(({ id }) => id),
    ...consent.map(({ channel, state }) => `${channel}: ${state}`),
    ...tags.flatMap(({ tag }) => tag),
  ];
};

const drawDefinition = (choose: Choose, ids: readonly number[], depth: number): Definition => {
  const shape = depth === 0 ? 0 : choose(4);
  if (shape === 0) return ids[choose(ids.length)] ?? 0;
  if (shape === 1) return { not: drawDefinition(choose, ids, depth - 1) };
  const parts = Array.from({ length: 1 + choose(3) }, () => drawDefinition(choose, ids, depth - 1));
  return shape === 2 ? { all: parts } : { any: parts };
};

/**
 * Fills the service and the model with the same people, derived segments, a moment, and custom segments that name each
 * other.
 */
const drawHarness = async (choose: Choose) => {
  const harness = whyHarness();
  const people = Array.from({ length: PEOPLE }, (_, n) => drawPerson(choose, n));
  const ordinals = await harness.store(people.map((sent, order) => accepted({ ...sent }, order)));
  const model = new Model(ordinals);
  model.given.set(scopedId(scope.id, 1), new Set(ordinals));
  for (const name of new Set(people.flatMap(namesOf))) {
    const members = ordinals.filter((_, at) => namesOf(people[at] ?? { unique_id: '' }).includes(name));
    model.given.set(await harness.named(name), new Set(members));
  }
  const frozen = ordinals.filter(() => choose(2) === 0);
  model.given.set(await putMoment(harness.table, 'T 2026-01-01T00:00:00Z', frozen), new Set(frozen));
  for (let n = 0; n < CUSTOMS; n += 1) {
    const definition = drawDefinition(choose, model.readable(), 2);
    const { id } = await harness.customs.makeSegment(definition, `c${n}`);
    if (id !== undefined) model.customs.set(id, { name: `c${n}`, definition, life: 'current' });
  }
  return { harness, model, sent: new Map(ordinals.map((ordinal, at) => [ordinal, people[at]])) };
};

/** The definition that a condition of an answer represents. */
const definitionOf = (reason: Reason): Definition => {
  if (!('of' in reason)) return reason.segment.id;
  if (reason.kind === 'custom') return reason.segment.id;
  const parts = reason.of.map(definitionOf);
  if (reason.kind === 'not') return { not: parts[0] ?? 0 };
  return reason.kind === 'all' ? { all: parts } : { any: parts };
};

/** Whether the deciding parts of a condition, and these alone, decide the condition. */
const decided = (reason: Reason): boolean => {
  if (!('of' in reason)) return reason.holds;
  const parts = reason.of.filter(({ decides }) => decides).map(decided);
  expect(parts.length).toBeGreaterThan(0);
  if (reason.kind === 'any') return parts.some(Boolean);
  return parts.every((part) => part === (reason.kind !== 'not'));
};

const expectTrue = (answer: Membership, model: Model, ordinal: number, sent: Sent | undefined): void => {
  const check = (reason: Reason): void => {
    expect(reason.holds).toBe(model.holds(definitionOf(reason), ordinal));
    if (reason.kind === 'value') {
      expect(reason.because.length > 0).toBe(reason.holds);
      for (const { value } of [...reason.because, ...reason.instead])
        expect(JSON.stringify(sent)).toContain(JSON.stringify(value));
    }
    if ('of' in reason) reason.of.forEach(check);
  };
  check(answer.why);
  expect(answer.pending).toBe(false);
  expect(decided(answer.why)).toBe(answer.member);
};

it(`the explanation of a membership agrees with the model and with pages, for ${PAIRS.toLocaleString('en')} pairs`, async () => {
  let pairs = 0;
  for (let run = 1; run <= RUNS; run += 1) {
    const { harness, model, sent } = await drawHarness(seeded(run));
    for (const id of model.readable()) {
      const segment = await harness.catalogue.get(scope.id, id);
      const target = segment?.custom?.members ?? id;
      const members = new Set(
        await Array.fromAsync(membersFrom(harness.table, { property: scope.id, expression: target })),
      );
      for (const [ordinal, person] of sent) {
        const answer = await harness.why(id, ordinal);
        expect(answer.member).toBe(model.holds(id, ordinal));
        expect(answer.member).toBe(members.has(ordinal));
        expectTrue(answer, model, ordinal, person);
        pairs += 1;
      }
    }
  }
  expect(pairs).toBeGreaterThanOrEqual(PAIRS);
}, 120_000);
