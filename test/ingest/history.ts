import { pick, type Choose } from './interleave.ts';
import type { ModelRecord } from '../profiles/model.ts';

/**
 * Random histories of one person, made from a seed. A person has up to five identities. Every record shares an identity
 * with the records before it, so in this order no record meets a second owner. `anotherOrder` returns other orders with
 * the same trait. Without this trait order matters by design: two records without a common identity make two profiles
 * when they come before the record that links them.
 */
export interface HistoryRecord extends ModelRecord {
  readonly origin: string;
  readonly skip: boolean;
  /** The person's identities in the record, one bit each. */
  readonly carries: number;
}

/** The number of generated cases of each kind. */
export type Counts = Record<string, number>;

const words = ['red', 'blue', 'green', 'café'];
const values: Readonly<Record<string, readonly (string | number)[]>> = {
  first_name: words,
  city: words,
  country: ['DE', 'FR', 'IT'],
  has_children: ['Yes', 'No'],
  age: [0, 30, 150],
};
const extraValues = ['red', 'blue', 0, -1.5, true, false, ['red', 1, null], []];
const moments = ['2024-01-01 00:00:00', '2024-06-30 23:59:59'];
const origins = ['api', 'import 7'];

/** The identities of a person. There is one `unique_id`, because two of them never share a profile. */
const identitiesOf = (person: number) =>
  [
    ['unique_id', `u-${person}`],
    ['email', `a-${person}@example.com`],
    ['email', `b-${person}@example.com`],
    ['social_id', `s-${person}`],
    ['social_id', `t-${person}`],
  ] as const;
const IDENTITIES = 5;

/** One to ten records of a person, in the order of their stamps. */
export const historyOf = (person: number, choose: Choose, counts: Counts): readonly HistoryRecord[] => {
  const records: HistoryRecord[] = [];
  let known = 0;
  let time = 0;
  for (let left = 1 + choose(10); left > 0; left -= 1) {
    const carries = identitiesFor(known, choose);
    if (known > 0 && (carries & ~known) > 0) count(counts, 'bridges');
    known |= carries;
    // Sometimes two records are accepted at the same moment.
    if (records.length > 0 && choose(12) === 0) count(counts, 'equal stamps');
    else time += 1;
    const tier = 1 + choose(7);
    const skip = choose(8) === 0;
    count(counts, `tier ${tier}`);
    if (skip && tier >= 4) count(counts, 'skipped');
    const origin = pick(origins, choose);
    const sent = { ...identityFields(person, carries), ...contentsOf(origin, choose, counts) };
    records.push({ time, tier, sent, skip, origin, carries });
  }
  return records;
};

/** A record has one field for each kind, so it cannot carry both e-mails or both social ids. */
const KINDS = [0b00110, 0b11000];

/** A set of identities that shares an identity with the known identities. */
const identitiesFor = (known: number, choose: Choose): number => {
  const all = Array.from({ length: IDENTITIES }, (_, at) => 1 << at);
  const shared = pick(
    all.filter((bit) => known === 0 || (known & bit) > 0),
    choose,
  );
  const more = choose(2) === 0 ? pick(all, choose) : 0;
  const clash = KINDS.some((kind) => (shared & kind) > 0 && (more & kind) > 0);
  return clash ? shared : shared | more;
};

const identityFields = (person: number, carries: number): Record<string, string> => {
  const fields: Record<string, string> = {};
  identitiesOf(person).forEach(([kind, value], at) => {
    if ((carries & (1 << at)) > 0) fields[kind] = value;
  });
  return fields;
};

/** The fields of a record except its identities. */
const contentsOf = (origin: string, choose: Choose, counts: Counts): Record<string, unknown> => {
  const sent: Record<string, unknown> = {};
  for (const [name, possible] of Object.entries(values))
    if (choose(3) === 0) {
      sent[name] = orNull(choose, () => pick(possible, choose));
      count(counts, sent[name] === null ? 'null values' : 'values');
    }
  for (const [name, make] of Object.entries(wholes))
    if (choose(4) === 0) {
      sent[name] = orNull(choose, () => make(choose, counts));
      if (sent[name] === null) count(counts, name === 'extra_data' ? 'extra_data null' : 'sets null');
    }
  if (choose(4) === 0) {
    sent['consent'] = several(choose, () => {
      const state = pick(['given', 'withdrawn'], choose);
      const said = { channel: pick(['email', 'sms'], choose), state, source: 'web' };
      // Consent of an import may have no date.
      if (state === 'given' && origin !== 'api' && choose(3) === 0) {
        count(counts, 'undated consents');
        return said;
      }
      return { ...said, datetime: pick(moments, choose) };
    });
    count(counts, 'consents');
  }
  return sent;
};

const wholes: Readonly<Record<string, (choose: Choose, counts: Counts) => unknown>> = {
  tags: (choose, counts) =>
    several(choose, () => {
      const tag = several(choose, () => pick(words, choose));
      count(counts, 'set elements', tag.length);
      return { datetime: pick(moments, choose), tag };
    }),
  social_likes: (choose, counts) =>
    several(choose, () => {
      count(counts, 'set elements');
      return { id: pick(words, choose) };
    }),
  source: (choose, counts) => {
    const labels = several(choose, () => pick(words, choose));
    count(counts, 'set elements', labels.length);
    return labels.join(',');
  },
  extra_data: (choose, counts) =>
    Object.fromEntries(
      several(choose, () => {
        const value = orNull(choose, () => pick(extraValues, choose));
        count(counts, value === null ? 'extra keys null' : 'extra keys');
        return [pick(words, choose), value];
      }),
    ),
};

const several = <T>(choose: Choose, make: () => T): T[] => Array.from({ length: 1 + choose(2) }, make);

const orNull = <T>(choose: Choose, make: () => T): T | null => (choose(6) === 0 ? null : make());

/** A record with its identities only. */
export const identitiesAlone = (record: HistoryRecord | undefined): HistoryRecord => {
  if (!record) throw new Error('a history has a record');
  const { unique_id, email, social_id } = record.sent;
  const sent = Object.entries({ unique_id, email, social_id }).filter(([, value]) => value !== undefined);
  return { ...record, sent: Object.fromEntries(sent) };
};

/** A record without its values in a tier: its identities and its consent. */
export const withoutTier = (record: HistoryRecord): HistoryRecord => {
  const { consent } = record.sent;
  const alone = identitiesAlone(record);
  return consent === undefined ? alone : { ...alone, sent: { ...alone.sent, consent } };
};

export const count = (counts: Counts, what: string, by = 1): void => {
  counts[what] = (counts[what] ?? 0) + by;
};

/** These records in an order in which each record shares an identity with the records before it. */
export const anotherOrder = <R extends Pick<HistoryRecord, 'carries'>>(
  records: readonly R[],
  choose: Choose,
): R[] => {
  const left = [...records];
  const ordered: R[] = [];
  let known = ~0;
  while (left.length > 0) {
    const linked = left.filter(({ carries }) => (carries & known) > 0);
    const next = pick(linked, choose);
    left.splice(left.indexOf(next), 1);
    known = ordered.length === 0 ? next.carries : known | next.carries;
    ordered.push(next);
  }
  return ordered;
};
