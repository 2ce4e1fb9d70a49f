import * as v from 'valibot';

const codes = new WeakMap<WeakKey, string>();

/**
 * A rule of a value for schemas: what must hold, the stable code of its breach, and one sentence that never holds the
 * value.
 */
export const rule = <T>(
  code: string,
  holds: (value: T) => boolean,
  sentence: string,
): v.CheckAction<T, string> => {
  // A function of its own per rule, so that its issue tells which rule was broken.
  const requirement = (value: T): boolean => holds(value);
  codes.set(requirement, code);
  return v.check(requirement, sentence);
};

/** The code of the rule that an issue is about; undefined when it is about no rule. */
export const ruleCode = ({ requirement }: v.BaseIssue<unknown>): string | undefined =>
  typeof requirement === 'function' ? codes.get(requirement) : undefined;
