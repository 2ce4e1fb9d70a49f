import type { UseCase } from '../../http/api-types.ts';
import type { ReportQuery } from '../schemas/report-schemas.ts';
import { listReport, type ReportDeps } from './list-report.ts';

/** `GET warnings`: returns the rows of a job that were stored with a warning, in the same forms as `GET errors`. */
export const listImportWarnings: UseCase<ReportDeps, ReportQuery> = (deps, request) =>
  listReport(deps, request, 'warnings');
