import { expect, it } from 'vitest';
import { readExamples } from '../../functions/edge/openapi/examples.ts';
import { playScenario } from './scenario.ts';

it('the running service gives the answers of the examples', async () => {
  const played = await playScenario();
  const examples = readExamples();
  expect([...played.keys()].toSorted()).toEqual([...examples.keys()].toSorted());
  for (const [operation, exchange] of played)
    expect(exchange, `${operation}: npm run examples writes the examples anew`).toEqual(
      examples.get(operation),
    );
}, 300_000);
