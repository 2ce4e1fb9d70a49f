import type { UseCase } from '../../http/api-types.ts';
import type { ReportQuery } from '../schemas/report-schemas.ts';
import { listReport, type ReportDeps } from './list-report.ts';

/**
 * `GET errors`: returns the refused rows of a job in pages of JSON or CSV. The failure of the file as a whole comes
 * first. CSV without a limit is the whole list: a short list is in the answer itself, a long one is a file to which 303
 * redirects.
 */
export const listImportErrors: UseCase<ReportDeps, ReportQuery> = (deps, request) =>
  listReport(deps, request, 'errors');
