import { describe, expect, it } from 'vitest';
import { documentedOperations, undocumented } from './documented.ts';
import { readExamples } from '../../functions/edge/openapi/examples.ts';

const examples = readExamples();

describe('the examples of the API', () => {
  it('each operation has one', () => {
    const advice = documentedOperations
      .filter((name) => !examples.has(name))
      .map(
        (name) =>
          `Add \`await show('${name}', { path, query, body })\` to a scene of test/scenes: npm run examples`,
      );
    expect(advice).toEqual([]);
    expect([...examples.keys()].toSorted()).toEqual(documentedOperations.toSorted());
  });

  it.each([...examples])(
    'the request and the answer of %s are as the API document says',
    (name, exchange) => {
      expect(undocumented(name, exchange)).toEqual([]);
    },
  );

  it('no example is long', () => {
    const long = [...examples].filter(([, exchange]) => JSON.stringify(exchange).length > MOST_CHARACTERS);
    expect(long.map(([name]) => name)).toEqual([]);
  });

  it('each time in an answer is ISO 8601 with Z, except the times of tags', () => {
    const times = [...examples].flatMap(([name, { answer }]) =>
      timesIn(answer.body).map((time) => `${name}: ${time}`),
    );
    expect(times.filter((time) => /: tag /.test(time))).not.toEqual([]);
    expect(times.filter((time) => !/: (tag .*|\S+T[\d:]{8}\.\d{3}Z)$/.test(time))).toEqual([]);
  });

  it('no example has an address or a secret of the machine that recorded it', () => {
    const text = JSON.stringify([...examples]);
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|tidemark-local|X-Amz-Credential|tidemark-demo-password/);
  });
});

/** The times in a value. Those of tags in the form of records have `tag` in front. */
const timesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  const isTag = 'tag' in value || ('field' in value && value.field === 'tags');
  return Object.values(value).flatMap((member) =>
    timesIn(member).map((time) => (isTag && !time.includes('T') ? `tag ${time}` : time)),
  );
};

/** An example is read by people. */
const MOST_CHARACTERS = 5_000;
