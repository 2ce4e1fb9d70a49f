/** Random values: attribute values of every type, most of them valid. */
import type { Choose } from '../ingest/interleave.ts';

/** A value in DynamoDB's JSON, valid or not. */
export type Wire = Readonly<Record<string, unknown>>;

/** One of some choices. */
export const oneOf = <T>(choose: Choose, choices: readonly [T, ...T[]]): T =>
  choices[choose(choices.length)] ?? choices[0];

const texts = ['', 'a', 'b', 'ab', 'é', '👩‍👩‍👧', '\u0000', 'x'.repeat(1_100), ' ', '0'] as const;
const numbers = [
  '0',
  '1',
  '-1',
  '2',
  '10',
  '-0',
  '007',
  '1.50',
  '1e3',
  '1E-3',
  '-12.5',
  '9007199254740993',
] as const;
const hugeNumbers = ['1e125', '-9.9e125', '1e-130', '1'.repeat(38), `0.${'1'.repeat(38)}`] as const;
const badNumbers = [
  '1'.repeat(39),
  '1e126',
  '1e-131',
  'NaN',
  '',
  ' 1',
  'abc',
  '0x10',
  '1e',
  'Infinity',
] as const;
const bytes = ['', 'AA==', 'AQI=', 'AQID'] as const;

/** A value that both engines store. */
export const goodValue = (choose: Choose, depth = 2): Wire => {
  const scalars = [
    () => ({ S: oneOf(choose, texts) }),
    () => ({ S: oneOf(choose, ['a', 'b']) }),
    () => ({ N: oneOf(choose, numbers) }),
    () => ({ B: oneOf(choose, bytes) }),
    () => ({ BOOL: choose(2) === 0 }),
    () => ({ NULL: true }),
  ] as const;
  const sets = [
    () => ({ SS: some(choose, ['a', 'b', 'é']) }),
    () => ({ NS: some(choose, ['1', '2.5', '-3']) }),
    () => ({ BS: some(choose, ['AA==', 'AQI=']) }),
  ] as const;
  if (depth === 0) return oneOf(choose, scalars)();
  const documents = [
    () => ({ L: Array.from({ length: choose(3) }, () => goodValue(choose, depth - 1)) }),
    () => ({
      M: Object.fromEntries(
        some(choose, ['x', 'y', 'a.b']).map((name) => [name, goodValue(choose, depth - 1)]),
      ),
    }),
  ] as const;
  return oneOf(choose, [...scalars, ...sets, ...documents])();
};

/** A value that DynamoDB refuses, or not: some of these surprise. */
const oddValue = (choose: Choose): Wire =>
  oneOf<Wire>(choose, [
    { N: oneOf(choose, badNumbers) },
    { SS: [] },
    { NS: ['1', '1.0'] },
    { SS: ['a', 'a'] },
    { BS: ['AA==', 'AA=='] },
    { NS: ['x'] },
    { NULL: false },
    {},
    { S: 'a', N: '1' },
    { M: { '': { S: 'x' } } },
    { L: [{ M: { a: { M: { '': { NULL: true } } } } }] },
    { L: [{ SS: [] }] },
  ]);

/** A number at the limits of size and precision. */
export const hugeValue = (choose: Choose): Wire => ({ N: oneOf(choose, hugeNumbers) });

/** A value of any kind: one in twelve is odd. */
export const anyValue = (choose: Choose): Wire => (choose(12) === 0 ? oddValue(choose) : goodValue(choose));

/** Some of the members, at least one, each at most once. */
const some = (choose: Choose, members: readonly [string, ...string[]]): readonly string[] => {
  const chosen = members.filter(() => choose(2) === 0);
  return chosen.length > 0 ? chosen : [members[0]];
};
