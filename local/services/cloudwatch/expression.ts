/**
 * Metric math, as far as the stacks use it: sums, `FILL(m, 0)` and `IF(m > 0, a, b)` (CloudWatch User Guide, "Using math
 * expressions with CloudWatch metrics").
 */

/** The value of a metric in a period, by the id of its query; undefined when it has none. */
type Values = (id: string) => number | undefined;

/** The value of an expression in a period. A sum with a metric that has no value has none either. */
export type Expression = (values: Values) => number | undefined;

/** Compiles an expression. Throws for another form, because an alarm that never rings is worse than a failed start. */
export const compileExpression = (text: string): Expression => {
  const tokens = text.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|[(),+>]/g) ?? [];
  if (tokens.join('') !== text.replaceAll(' ', '')) throw unknown(text);
  const next = tokens.values();
  let token = next.next().value;
  const take = (): string => {
    const taken = token;
    token = next.next().value;
    return taken ?? '';
  };
  const expect = (wanted: string): void => {
    if (take() !== wanted) throw unknown(text);
  };
  /** An argument, and the mark behind it. */
  const argument = (mark: string): Expression => {
    const read = sum();
    expect(mark);
    return read;
  };
  const fill = (): Expression => {
    const filled = argument(',');
    const value = argument(')');
    return (values) => filled(values) ?? value(values);
  };
  const choice = (): Expression => {
    const left = argument('>');
    const right = argument(',');
    const then = argument(',');
    const otherwise = argument(')');
    return (values) => {
      const [a, b] = [left(values), right(values)];
      if (a === undefined || b === undefined) return undefined;
      return a > b ? then(values) : otherwise(values);
    };
  };
  const term = (): Expression => {
    const name = take();
    if (/^\d/.test(name)) return () => Number(name);
    if (!/^[A-Za-z_]/.test(name)) throw unknown(text);
    if (token !== '(') return (values) => values(name);
    take();
    if (name === 'FILL') return fill();
    if (name === 'IF') return choice();
    throw unknown(text);
  };
  const sum = (): Expression => {
    const terms = [term()];
    while (token === '+') {
      take();
      terms.push(term());
    }
    return (values) =>
      terms.reduce<number | undefined>((total, one) => {
        const value = one(values);
        return total === undefined || value === undefined ? undefined : total + value;
      }, 0);
  };
  const whole = sum();
  if (token !== undefined) throw unknown(text);
  return whole;
};

const unknown = (text: string): Error => new Error(`the metric math ${text} is not known`);
