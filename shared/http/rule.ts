import * as v from 'valibot';
import type { FaultCode } from './fault-codes.ts';

const codes = new WeakMap<WeakKey, FaultCode>();

/**
 * A rule about a value, for schemas: its condition, the stable code of a breach, and one sentence that never contains the
 * value. A sentence that says what is wrong with the value is a function of it.
 */
export const rule = <T>(
  code: FaultCode,
  holds: (value: T) => boolean,
  sentence: string | ((value: T) => string),
): v.CheckAction<T, v.ErrorMessage<v.CheckIssue<T>>> => {
  // Each rule has its own function, so that an issue identifies the broken rule.
  const requirement = (value: T): boolean => holds(value);
  codes.set(requirement, code);
  return v.check(requirement, typeof sentence === 'string' ? sentence : ({ input }) => sentence(input));
};

/** The code of the rule that an issue reports; undefined when it reports none. */
export const ruleCode = ({ requirement }: v.BaseIssue<unknown>): FaultCode | undefined =>
  typeof requirement === 'function' ? codes.get(requirement) : undefined;
