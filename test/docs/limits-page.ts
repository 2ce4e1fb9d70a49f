/** `docs/limits.md`, made from the limits of the service. */
import { allCodes } from './errors-page.ts';
import type { Limits, Row } from './limit-words.ts';
import { files as imports, people, requests } from './limits-of-data.ts';
import { deliveries, files as exports, operators, segments } from './limits-of-results.ts';

const isCode = /^[a-z]+(_[a-z]+)+$/;

/** A code stands in backticks; one that no registry has is a mistake in a row. */
const beyondText = (beyond: string): string => {
  if (allCodes.has(beyond)) return `\`${beyond}\``;
  if (isCode.test(beyond)) throw new Error(`No registry has the code ${beyond}`);
  return beyond;
};

/** Prettier would pad all cells of a column to the widest one: one new row would move all others, and make long lines. */
const table = (rows: readonly Row[]): string =>
  [
    '<!-- prettier-ignore -->',
    '| what | limit | beyond it |',
    '| --- | --- | --- |',
    ...rows.map(([what, limit, beyond = '']) => `| ${what} | ${limit} | ${beyondText(beyond)} |`),
  ].join('\n');

/** The page. */
export const limitsPage = (limits: Limits): string =>
  `${[
    '# All limits',
    'Every limit that you can meet, with the [code](errors.md) of the refusal, or what happens instead. A test makes this\npage from the limits in the code (`shared/config/limits/`), so it is never older than they are. Sizes are decimal: 1 MB\nis 1,000,000 bytes. Limits without another word are those of a property.',
    'How long the service keeps data of people is in [privacy](privacy.md#where-data-of-people-is), what it bears in\n[performance](performance.md).',
    '## Requests and sign-in',
    table(requests(limits)),
    '## People',
    table(people(limits)),
    '## Imports',
    table(imports(limits)),
    '## Segments, conditions and timelines',
    table(segments(limits)),
    '## Exports',
    table(exports(limits)),
    '## Deliveries and encryption',
    table(deliveries(limits)),
    '## For operators',
    table(operators(limits)),
  ].join('\n\n')}\n`;
