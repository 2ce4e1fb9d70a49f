import { describe, expect, it } from 'vitest';
import { readPhone } from '../../shared/imports/mapping/read-phones.ts';

describe('a cell of many groups of digits', () => {
  it.each(['0301 ', '09 ', '030 90182 ', '02000000 ', '+49 0', '0 0/', '00 '])(
    'such as %j again and again, is looked at a few times and not once for each way to divide it',
    (group) => {
      for (const times of [5, 10, 20, 40, 1_000]) {
        let looks = 0;
        readPhone(group.repeat(times), () => {
          looks += 1;
          // Without a bound, 20 groups took a minute.
          if (looks > 1_000) throw new Error('the cell is divided in too many ways');
          return { country: 'DE' };
        });
        expect(looks).toBeLessThan(1_000);
      }
    },
  );
});
