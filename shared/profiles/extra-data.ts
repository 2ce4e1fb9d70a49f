import { limits } from '../config/limits.ts';
import { isCleanIdentifier, isCleanText, uncleanDetail, hasAtMost } from '../http/text.ts';
import { fault, type Fault } from './record-fault.ts';
import type { ExtraValue } from './types.ts';

type Scalar = string | number | boolean | null;

/** Validates `extra_data`. Returns its pairs, or the faults. Empty strings count as "not supplied" and are left out. */
export const extraPairs = (
  sent: Readonly<Record<string, unknown>>,
): {
  readonly pairs: readonly (readonly [string, ExtraValue | null])[];
  readonly faults: readonly Fault[];
} => {
  const entries = Object.entries(sent);
  const most = limits.profiles.extraDataKeys;
  if (entries.length > most)
    return { pairs: [], faults: [fault(['extra_data'], 'too_many', `Must have at most ${most} keys.`)] };
  const pairs: [string, ExtraValue | null][] = [];
  const faults: Fault[] = [];
  for (const [key, value] of entries) {
    const wrong = keyFault(key) ?? valueFault(key, value);
    if (wrong) faults.push(wrong);
    else if (value !== '' && isExtraValue(value)) pairs.push([key, value]);
  }
  return { pairs, faults };
};

const keyFault = (key: string): Fault | undefined => {
  const most = limits.profiles.extraDataKeyLength;
  if (key.trim() === '') return fault(['extra_data'], 'empty', 'A key must not be empty.');
  if (!hasAtMost(key, most))
    return fault(['extra_data'], 'too_long', `A key must be at most ${most} characters.`);
  return isCleanIdentifier(key)
    ? undefined
    : fault(['extra_data'], 'bad_characters', `A key: ${uncleanDetail}`);
};

const valueFault = (key: string, value: unknown): Fault | undefined => {
  if (!isExtraValue(value)) {
    return fault(
      ['extra_data', key],
      'wrong_type',
      'Must be a finite number, a string, a boolean, or an array of these.',
    );
  }
  return (Array.isArray(value) ? value : [value]).every(isClean)
    ? undefined
    : fault(['extra_data', key], 'bad_characters', uncleanDetail);
};

const isClean = (value: unknown): boolean => typeof value !== 'string' || isCleanText(value);

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const isExtraValue = (value: unknown): value is ExtraValue | null =>
  Array.isArray(value) ? value.every(isScalar) : isScalar(value);
