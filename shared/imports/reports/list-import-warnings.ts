import type { ApiAnswer, ApiRequest } from '../../http/api-types.ts';
import type { Problem } from '../../http/problem.ts';
import type { Result } from '../../runtime/result.ts';
import type { ReportQuery } from '../model/report-schemas.ts';
import { listReport, type ReportDeps } from './list-report.ts';

/** `GET warnings`: returns the rows of a job that were stored with a warning, in the same forms as `GET errors`. */
export const listImportWarnings = (
  deps: ReportDeps,
  request: ApiRequest<ReportQuery, unknown>,
): Promise<Result<ApiAnswer, Problem>> => listReport(deps, request, 'warnings');
