/** Restore report: decisions that went back with the data, and that people must repeat. */
import { ok } from '../shared/runtime/result.ts';
import type { StepResult } from './restore-ports.ts';

/** What nobody but a client or an operator can repeat. */
const lines = [
  'Imports that were undone since have their values back: undo them again (POST …/undo in the audit log).',
  'Links to charts and locations of exports that were withdrawn since work again: withdraw them again.',
  'Grants of imports and settings of enrichers are those of that time: set them again.',
  'Scheduled exports that were replaced since have lost their schedules: replace them once more.',
];

/** Lists what went back with the data. */
export const report = (): Promise<StepResult> => Promise.resolve(ok({ left: lines }));
