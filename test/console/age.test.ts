import { expect, it } from 'vitest';
import { ageOn as ageOfService } from '../../shared/profiles/age.ts';
import { ageOn } from '../../console/src/screens/segments/columns.ts';

const DAY_MS = 86_400_000;

it('the table of people counts ages as the service does, on each day around birthdays and leap days', () => {
  for (const birthday of ['1960-02-29', '1990-11-30', '2000-01-01', '2004-12-31', '2001-03-01'])
    for (let at = Date.UTC(2025, 11, 25); at < Date.UTC(2028, 2, 3); at += DAY_MS)
      expect([birthday, at, ageOn(new Date(at).toISOString(), birthday)]).toEqual([
        ...[birthday, at, ageOfService(birthday, at)],
      ]);
});
