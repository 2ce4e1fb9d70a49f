import { limits } from '../../shared/config/limits.ts';
import type { Stage } from './stages.ts';

/** Export jobs that run at once, and the parts that each of them writes at once. */
export interface ExportConcurrency {
  readonly jobs: number;
  readonly parts: number;
}

/**
 * The concurrency of exports in a stage. A new AWS account runs ten functions at once, and stages that cannot reserve
 * concurrency are made for such an account: their exports leave half of it to the API and to imports. The machine of the
 * stage `local` has no such quota.
 */
export const exportConcurrency = ({
  name,
  reserveConcurrency,
}: Pick<Stage, 'name' | 'reserveConcurrency'>): ExportConcurrency =>
  reserveConcurrency || name === 'local' ? limits.exports.concurrency : limits.exports.smallConcurrency;
