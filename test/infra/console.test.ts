import { expect, it } from 'vitest';
import { synthesized } from './stacks.ts';

it('every stage has the console, unless its setting says no', () => {
  const paths = (settings: Record<string, string>): readonly string[] =>
    synthesized('prod', { settings })
      .deployment.routes.map(({ properties }) => properties.RouteKey)
      .filter((key) => key.startsWith('GET /console'));
  expect(paths({}).toSorted()).toEqual(['GET /console', 'GET /console/{file_name}']);
  expect(paths({ console: 'false' })).toEqual([]);
});
