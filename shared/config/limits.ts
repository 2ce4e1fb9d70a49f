/** Limits: joins the limits of all areas for everything else, which imports this file. */
import { clockSkewSeconds } from './limits/clocks.ts';
import { conditionLimits } from './limits/conditions.ts';
import { exportLimits } from './limits/exports.ts';
import { importLimits } from './limits/imports.ts';
import { operationLimits } from './limits/operation.ts';
import { peopleLimits } from './limits/people.ts';
import { requestLimits } from './limits/requests.ts';
import { segmentLimits } from './limits/segments.ts';
import { workLimits } from './limits/work.ts';

/** All limits. */
export const limits = {
  clockSkewSeconds,
  ...requestLimits,
  ...peopleLimits,
  ...segmentLimits,
  ...conditionLimits,
  ...importLimits,
  ...exportLimits,
  ...operationLimits,
  ...workLimits,
} as const;
