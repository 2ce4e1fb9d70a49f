import type * as v from 'valibot';
import type { exportTestAnswer } from '../model/answers.ts';

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
const skipped = (step: TestedStep['step']): TestedStep => ({ step, result: 'skipped', message: null });

/** The steps of a test that ended at its first failure. `messageOf` says what failed and what to do about it. */
export const testedSteps = <Step extends TestedStep['step'], Failure extends { readonly step: Step }>(
  steps: readonly Step[],
  failure: Failure | undefined,
  messageOf: (failure: Failure) => string,
): readonly TestedStep[] => {
  if (!failure) return steps.map((step) => passed(step));
  const end = steps.indexOf(failure.step);
  return steps.map((step, index) => {
    if (index < end) return passed(step);
    return index === end ? failed(step, messageOf(failure)) : skipped(step);
  });
};

/** A text that begins with a capital letter. */
export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A reason as a sentence. */
export const sentence = (reason: string): string => `${capital(reason)}.`;
