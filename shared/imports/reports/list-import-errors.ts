import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import type { Problem } from '../../http/problem.ts';
import type { Result } from '../../runtime/result.ts';
import type { ReportQuery } from '../model/report-schemas.ts';
import { listReport, type ReportDeps } from './list-report.ts';

/**
 * `GET errors`: returns the refused rows of a job in pages of JSON or CSV. The failure of the file as a whole comes
 * first. CSV without a limit is the whole list: a short list is in the answer itself, a long one is a file to which 303
 * redirects.
 */
export const listImportErrors = (
  deps: ReportDeps,
  request: ApiRequest<ReportQuery, unknown>,
): Promise<Result<ApiAnswer, Problem>> => listReport(deps, request, 'errors');
