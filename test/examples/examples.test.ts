import { describe, expect, it } from 'vitest';
import { documentedOperations, undocumented } from './documented.ts';
import { readExamples } from '../../functions/edge/openapi/examples.ts';

const examples = readExamples();

describe('the examples of the API', () => {
  it('each operation has one', () => {
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

  it('no example has an address or a secret of the machine that recorded it', () => {
    const text = JSON.stringify([...examples]);
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|tidemark-local|X-Amz-Credential|tidemark-demo-password/);
  });
});

/** An example is read by people. */
const MOST_CHARACTERS = 5_000;
