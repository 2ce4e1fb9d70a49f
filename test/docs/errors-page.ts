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

const section = (heading: string, intro: string, codes: Codes): string =>
  [`### ${heading}`, ...(intro === '' ? [] : [intro]), listOf(codes)].join('\n\n');

/** The page. */
export const errorsPage = (): string =>
  `${[
    '# Error codes',
    wrapped(
      'Programs can rely on codes: a code never changes its meaning. The sentences beside a code may change. The [API document](api.md) lists the codes of each route under `x-error-codes`.',
    ).replaceAll('\n  ', '\n'),
    '## Problems',
    'The `code` of a problem (`application/problem+json`), with its status.',
    ...Object.entries(problemAreas).map(([area, codes]) => section(area, '', codes)),
    section(
      'The routes under /oauth',
      'The `error` of `POST /oauth/token` and `POST /oauth/revoke`, as in RFC 6749.',
      oauthErrors,
    ),
    '## Faults',
    'The `code` of an entry of `errors`. Its `pointer` names the place. The codes of values and of records are also codes of\nrefused rows.',
    section('Values', '', valueFaults),
    section('Records', '', recordFaults),
    section('Lookups and references', '', requestFaults),
    section('Segment definitions', '', segmentFaults),
    section('Schedules and notices', '', scheduleFaults),
    section('Import definitions and corrected rows', '', importFaults),
    section('Export definitions', '', exportFaults),
    '## Rows and jobs',
    section('Refused rows', 'Besides the faults above.', rowFaults),
    section('Warnings about rows', '', rowWarnings),
    section('Warnings about an import job', '', jobWarnings),
    section('Failed import jobs', 'Rows that such a failure concerns have the same code.', importFailures),
    section('Failed export jobs', '', exportFailures),
  ].join('\n\n')}\n`;
