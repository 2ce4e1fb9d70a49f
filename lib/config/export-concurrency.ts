import { limits } from '../../shared/config/limits.ts';
import type { Stage } from './stages.ts';

/** Export jobs that run at once, and the parts that each of them writes at once. */
export interface ExportConcurrency {
  readonly jobs: number;
  readonly parts: number;
}

/**
 * The concurrency of exports in a stage. A new AWS account runs ten functions at once, and stages that cannot reserve
 * concurrency are made for such an account: their exports leave half of it to the API and to imports.
 */
export const exportConcurrency = ({
  name,
  reserveConcurrency,
}: Pick<Stage, 'name' | 'reserveConcurrency'>): ExportConcurrency => {
  if (name === 'local') return limits.exports.localConcurrency;
  return reserveConcurrency ? limits.exports.concurrency : limits.exports.smallConcurrency;
};
