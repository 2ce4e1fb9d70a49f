import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { choice } from '../../shared/http/choice.ts';
import { shownBy } from '../../shared/http/described.ts';

const format = choice(['csv', 'jsonl'], 'csv');

describe('an optional choice', () => {
  it.each([
    ['jsonl', 'jsonl'],
    ['', 'csv'],
    [undefined, 'csv'],
  ])('of %j is %j', (sent, taken) => {
    expect(v.parse(format, sent)).toBe(taken);
  });

  it('refuses any other text', () => {
    expect(v.is(format, 'xml')).toBe(false);
  });

  it('shows the API document its options without the empty text', () => {
    const shown = format.wrapped.pipe.map(shownBy).find((schema) => schema !== undefined);
    expect(shown).toMatchObject({ type: 'picklist', options: ['csv', 'jsonl'] });
  });
});
