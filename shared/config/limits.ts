/**
 * Limits: the limits, timeouts, batch sizes and retention times of the service, with the reason where it is not obvious.
 * Each area has its own file in `limits/`; everything else imports this file. Constants of one protocol or algorithm stand
 * beside their code. Numbers and plain objects only, so that every bundle can include this file.
 */
import { clockSkewSeconds } from './limits/clocks.ts';
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
  ...importLimits,
  ...exportLimits,
  ...operationLimits,
  ...workLimits,
} as const;
