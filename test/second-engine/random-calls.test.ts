import { expect, inject, it } from 'vitest';
import { createDynamoDb } from '../../local/services/dynamodb/dynamodb.ts';
import { seeded } from '../ingest/interleave.ts';
import { bothEngines } from './compare.ts';
import { externalAt } from './external.ts';
import { randomCall, TABLE } from './random-calls.ts';
import { casesOf } from '../support/scale.ts';

/** Number of sequences; `SEQUENCES=…` raises it. */
const SEQUENCES = casesOf('SEQUENCES', { full: 20, sample: 5 });
const CALLS = 150;

const key = (name: string) => ({ name, type: 'S' }) as const;

/** Both engines with an empty table. */
const openBoth = async () => {
  const both = bothEngines(await createDynamoDb(), externalAt(inject('dynamoDbLocal') ?? ''));
  await both.createTable({ name: TABLE, partitionKey: key('pk'), sortKey: key('sk') });
  return both;
};

it(`${SEQUENCES} sequences of ${CALLS} random calls get the same answers and leave the same items`, async () => {
  for (let seed = 1; seed <= SEQUENCES; seed += 1) {
    const choose = seeded(seed);
    const both = await openBoth();
    for (let at = 0; at < CALLS; at += 1) {
      const { operation, input } = randomCall(choose);
      await both.answer(operation, input);
    }
    await both.compareItems();
    expect(both.differences, `seed ${seed}`).toEqual([]);
    await both.close();
  }
}, 600_000);
