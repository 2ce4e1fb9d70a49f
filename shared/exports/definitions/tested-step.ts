import type * as v from 'valibot';
import type { exportTestAnswer } from '../model/schemas.ts';

/** A step of a test, as the answer shows it. */
export type TestedStep = v.InferOutput<typeof exportTestAnswer>['steps'][number];

/** A step that succeeded. */
export const passed = (step: TestedStep['step']): TestedStep => ({ step, result: 'ok', message: null });

/** A step that failed, with what failed and what to do about it. */
export const failed = (step: TestedStep['step'], message: string): TestedStep => ({
  step,
  result: 'failed',
  message,
});

/** A step that did not run, because an earlier step failed. */
export const skipped = (step: TestedStep['step']): TestedStep => ({ step, result: 'skipped', message: null });

/** A reason as a sentence. */
export const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
