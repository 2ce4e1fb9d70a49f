/** Random records about the people of a history. */
import { dayOf } from '../../shared/membership/calendars/days.ts';
import { DAY_MS, type Clock } from '../../shared/runtime/clock.ts';
import type { Choose } from '../ingest/interleave.ts';
import type { Said } from './plain-model.ts';

/** Tags. */
export const words = ['jazz', 'opera'];
export const pages = ['page-1', 'page-2', 'page-3'];
const ethnicities = ['Elf', 'Orc'];
export const cities = ['Bonn', 'Ulm', 'Trier'];
/** Last names. One begins as another. */
export const lastNames = ['Weber', 'Webersinke', 'Noor'];
const amounts = [7, 500, '620.50', 'none'];

interface SayingOptions {
  readonly choose: Choose;
  /** Number of people. */
  readonly crowd: number;
  readonly likesBrands: boolean;
  /** Whether most records say something about consent. */
  readonly consenting: boolean;
  /** Whether some records have values of special categories. */
  readonly special: boolean;
  /** Whether most records have a last name. */
  readonly naming: boolean;
  /** Whether some records have an amount in `extra_data`, and whether most have a day. */
  readonly spending: boolean;
  readonly dating: boolean;
  readonly now: Clock;
}

/** Makes records of one person, and the rows of files. Only rows have consent without a date. */
export const sayings = ({
  choose,
  crowd,
  likesBrands,
  consenting,
  special,
  naming,
  spending,
  dating,
  now,
}: SayingOptions) => {
  let statements = 0;
  const sayOf = (who: number): Said => ({
    ...{ who, at: 0, name: `P${who}.${choose(3)}`, tags: words.filter(() => choose(3) === 0) },
    likes: likesBrands ? pages.filter(() => choose(3) === 0) : [],
    ...(choose(2) === 0 && { email: `p${who}.${choose(2)}@x.org` }),
    ...(choose(3) > 0 && { city: cities[choose(cities.length)] ?? '' }),
    ...(naming && choose(3) > 0 && { lastName: lastNames[choose(lastNames.length)] ?? '' }),
    ...(special && choose(2) === 0 && { ethnicity: ethnicities[choose(ethnicities.length)] ?? '' }),
    ...(special && choose(2) === 0 && { age: choose(2) === 0 ? 12 : 40 }),
    ...(spending && choose(2) === 0 && { spend: amounts[choose(amounts.length)] ?? '' }),
    ...(dating && choose(3) > 0 && { seen: dayOf(now() + (choose(5) - 1) * DAY_MS) }),
    ...(choose(4) === 0 && { phone: `+4915112345${who}${choose(2)}` }),
    ...(choose(consenting ? 2 : 4) === 0 && {
      consent: {
        state: choose(2) === 0 ? ('given' as const) : ('withdrawn' as const),
        datetime: new Date(Date.UTC(2025, 0, 1, choose(8_000), (statements += 1) % 60))
          .toISOString()
          .replace('.000Z', 'Z'),
      },
    }),
  });
  const rows = (): readonly Said[] =>
    Array.from({ length: 1 + choose(crowd + 1) }, () => ({
      ...sayOf(choose(crowd)),
      // An old list of customers, without the dates of their consent.
      ...(choose(consenting ? 3 : 8) === 0 && { consent: { state: 'given' as const } }),
    }));
  return { sayOf, rows };
};

/** The same without what it says of consent. */
export const withoutConsent = (said: Said): Said => {
  const { consent, ...rest } = said;
  return consent ? rest : said;
};
