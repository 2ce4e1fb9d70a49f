/** The tables of `docs/errors.md`, made from the registries of codes. */
import type { CodeFacts } from '../../shared/http/code-facts.ts';
import { exportFaults } from '../../shared/http/export-fault-codes.ts';
import {
  recordFaults,
  requestFaults,
  scheduleFaults,
  segmentFaults,
  valueFaults,
} from '../../shared/http/fault-codes.ts';
import { importFaults } from '../../shared/http/import-fault-codes.ts';
import { oauthErrors } from '../../shared/http/oauth-errors.ts';
import { problemAreas } from '../../shared/http/problem-codes.ts';
import {
  exportFailures,
  importFailures,
  jobWarnings,
  rowFaults,
  rowWarnings,
} from '../../shared/http/row-codes.ts';
import { wrapped } from './wrapped.ts';

interface Listed extends CodeFacts {
  readonly status?: number;
  readonly statuses?: readonly number[];
}
type Codes = Readonly<Record<string, Listed>>;

const listOf = (codes: Codes): string =>
  Object.entries(codes)
    .map(([code, { status, statuses, meaning, remedy }]) => {
      const shown = (statuses ?? (status === undefined ? [] : [status])).join(', ');
      return `- ${wrapped(`**\`${code}\`**${shown === '' ? '' : ` (${shown})`}: ${meaning} ${remedy}`)}`;
    })
    .join('\n');

interface Section {
  readonly heading: string;
  readonly intro?: string;
  readonly codes: Codes;
}

const problems: readonly Section[] = [
  ...Object.entries(problemAreas).map(([heading, codes]) => ({ heading, codes })),
  {
    heading: 'The routes under /oauth',
    intro: 'The `error` of `POST /oauth/token` and `POST /oauth/revoke`, as in RFC 6749.',
    codes: oauthErrors,
  },
];

const faults: readonly Section[] = [
  { heading: 'Values', codes: valueFaults },
  { heading: 'Records', codes: recordFaults },
  { heading: 'Lookups and references', codes: requestFaults },
  { heading: 'Segment definitions', codes: segmentFaults },
  { heading: 'Schedules and notices', codes: scheduleFaults },
  { heading: 'Import definitions and corrected rows', codes: importFaults },
  { heading: 'Export definitions', codes: exportFaults },
];

const rowsAndJobs: readonly Section[] = [
  { heading: 'Refused rows', intro: 'Besides the faults above.', codes: rowFaults },
  { heading: 'Warnings about rows', codes: rowWarnings },
  { heading: 'Warnings about an import job', codes: jobWarnings },
  {
    heading: 'Failed import jobs',
    intro: 'Rows that such a failure concerns have the same code.',
    codes: importFailures,
  },
  { heading: 'Failed export jobs', codes: exportFailures },
];

/** Every code of the page. */
export const allCodes: ReadonlySet<string> = new Set(
  [...problems, ...faults, ...rowsAndJobs].flatMap(({ codes }) => Object.keys(codes)),
);

const textOf = ({ heading, intro, codes }: Section): string =>
  [`### ${heading}`, ...(intro === undefined ? [] : [intro]), listOf(codes)].join('\n\n');

/** The page. */
export const errorsPage = (): string =>
  `${[
    '# Error codes',
    wrapped(
      'Programs can rely on codes: a code never changes its meaning. The sentences beside a code may change. The [API document](api.md) lists the codes of each route under `x-error-codes`.',
    ).replaceAll('\n  ', '\n'),
    '## Problems',
    'The `code` of a problem (`application/problem+json`), with its status.',
    ...problems.map(textOf),
    '## Faults',
    'The `code` of an entry of `errors`. Its `pointer` names the place. The codes of values and of records are also codes of\nrefused rows.',
    ...faults.map(textOf),
    '## Rows and jobs',
    ...rowsAndJobs.map(textOf),
  ].join('\n\n')}\n`;
