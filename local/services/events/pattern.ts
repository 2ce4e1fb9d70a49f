/** Event patterns: compiles the patterns of EventBridge rules. */
/** Decides whether an event matches. */
export type Pattern = (event: unknown) => boolean;

type Test = (value: unknown) => boolean;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Compiles an EventBridge event pattern. Throws for an unknown content filter, because a failed start is better than a
 * rule that never fires.
 */
export const compilePattern = (pattern: unknown): Pattern => {
  if (!isRecord(pattern)) throw new Error('an event pattern is an object');
  const fields = Object.entries(pattern).map(([name, wanted]) => ({
    name,
    test: compileField(name, wanted),
  }));
  return (event) => isRecord(event) && fields.every(({ name, test }) => test(event[name]));
};

const compileField = (name: string, wanted: unknown): Test => {
  if (isRecord(wanted)) {
    const within = compilePattern(wanted);
    // Of a list of objects, one that has all the fields is enough.
    return (value) => (Array.isArray(value) ? value.some(within) : within(value));
  }
  if (!Array.isArray(wanted)) throw new Error(`the event pattern's ${name} must be a list or an object`);
  const tests = wanted.map(compileLeaf);
  // A list in the event matches when any of its values matches.
  return (value) =>
    tests.some((test) => (Array.isArray(value) ? value.some(test) || test(value) : test(value)));
};

const compileLeaf = (wanted: unknown): Test => {
  if (!isRecord(wanted)) return (value) => value === wanted;
  const [[name, argument] = ['', undefined], ...rest] = Object.entries(wanted);
  const make = filters[name];
  if (!make || rest.length > 0)
    throw new Error(`the event pattern filter ${JSON.stringify(wanted)} is not known`);
  return make(argument);
};

const text = (argument: unknown): string => {
  if (typeof argument !== 'string') throw new Error('an event pattern filter expects text here');
  return argument;
};

const prefix = (argument: unknown): Test => {
  const start = text(argument);
  return (value) => typeof value === 'string' && value.startsWith(start);
};

const suffix = (argument: unknown): Test => {
  const end = text(argument);
  return (value) => typeof value === 'string' && value.endsWith(end);
};

const anythingBut = (argument: unknown): Test => {
  const tests = (Array.isArray(argument) ? argument : [argument]).map(compileLeaf);
  return (value) => value !== undefined && !tests.some((test) => test(value));
};

const wildcard = (argument: unknown): Test => {
  const parts = text(argument)
    .split('*')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`, 's');
  return (value) => typeof value === 'string' && pattern.test(value);
};

const filters: Readonly<Record<string, (argument: unknown) => Test>> = {
  prefix,
  suffix,
  wildcard,
  'anything-but': anythingBut,
  exists: (argument) => (value) => (value !== undefined) === argument,
  numeric: (argument) => numeric(argument),
};

const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '=': (left, right) => left === right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

const numeric = (argument: unknown): Test => {
  if (!Array.isArray(argument)) throw new Error('a numeric filter is a list');
  const tests: ((value: number) => boolean)[] = [];
  for (let index = 0; index < argument.length; index += 2) {
    const compare = COMPARISONS[text(argument[index])];
    const limit: unknown = argument[index + 1];
    if (!compare || typeof limit !== 'number') throw new Error('a numeric filter has an unknown comparison');
    tests.push((value) => compare(value, limit));
  }
  return (value) => typeof value === 'number' && tests.every((test) => test(value));
};
