/** Intrinsic functions: replaces `Ref`, `Fn::GetAtt`, `Fn::Sub` and the like in a template by their values. */
import { ACCOUNT, REGION } from '../core/arn.ts';

/** The scope of the intrinsic functions: one stack among the other stacks. Lookups throw UnresolvedError. */
export interface Lookup {
  ref(logicalId: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  exported(name: string): unknown;
  condition(name: string): boolean;
  mapped(map: string, key: string, name: string): unknown;
  readonly stack: string;
}

/** A template refers to a missing resource, or uses an unknown intrinsic function. */
export class UnresolvedError extends Error {
  override readonly name = 'UnresolvedError';
}

/** Marks a property that `AWS::NoValue` removes. */
const NO_VALUE = Symbol('AWS::NoValue');

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces every intrinsic function in `value` by its result. Throws UnresolvedError. */
export const resolve = (value: unknown, lookup: Lookup): unknown => {
  const resolved = resolveValue(value, lookup);
  return resolved === NO_VALUE ? undefined : resolved;
};

const resolveValue = (value: unknown, lookup: Lookup): unknown => {
  if (Array.isArray(value))
    return value.map((item: unknown) => resolveValue(item, lookup)).filter((item) => item !== NO_VALUE);

  if (!isRecord(value)) return value;
  const [first, ...rest] = Object.entries(value);
  if (first && rest.length === 0) {
    const [name, argument] = first;
    if (name === 'Ref') return reference(asText(argument), lookup);
    if (name === 'Condition' && typeof argument === 'string') return lookup.condition(argument);
    if (name.startsWith('Fn::')) return call(name.slice(4), argument, lookup);
  }
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [
    name,
    resolveValue(item, lookup),
  ]);
  return Object.fromEntries(entries.filter(([, item]) => item !== NO_VALUE));
};

const reference = (name: string, lookup: Lookup): unknown =>
  name.startsWith('AWS::') ? pseudoParameter(name, lookup) : lookup.ref(name);

const pseudoParameter = (name: string, lookup: Lookup): unknown => {
  const known: Readonly<Record<string, unknown>> = {
    'AWS::AccountId': ACCOUNT,
    'AWS::NoValue': NO_VALUE,
    'AWS::Partition': 'aws',
    'AWS::Region': REGION,
    'AWS::StackId': `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${lookup.stack}/local`,
    'AWS::StackName': lookup.stack,
    'AWS::URLSuffix': 'amazonaws.com',
  };
  if (!(name in known)) throw new UnresolvedError(`pseudo parameter ${name} is not known here`);
  return known[name];
};

type Call = (argument: unknown, lookup: Lookup) => unknown;

const call: (name: string, argument: unknown, lookup: Lookup) => unknown = (name, argument, lookup) => {
  const run = calls[name];
  if (!run) throw new UnresolvedError(`Fn::${name} is not known here`);
  return run(argument, lookup);
};

const substitute: Call = (argument, lookup) => {
  const [template, given] = Array.isArray(argument) ? list(argument) : [argument, {}];
  const values = isRecord(given) ? given : {};
  return asText(template).replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => {
    if (name.startsWith('!')) return `\${${name.slice(1)}}`;
    if (name in values) return asText(resolveValue(values[name], lookup));
    const [logicalId = '', ...attribute] = name.split('.');
    if (attribute.length === 0) return asText(reference(logicalId, lookup));
    return asText(lookup.attribute(logicalId, attribute.join('.')));
  });
};

const getAttribute: Call = (argument, lookup) => {
  const [logicalId, ...name] =
    typeof argument === 'string' ? argument.split('.') : list(argument).map(asText);
  return lookup.attribute(asText(logicalId), name.join('.'));
};

const select: Call = (argument, lookup) => {
  const [index, items] = list(argument);
  const chosen = list(resolveValue(items, lookup))[Number(resolveValue(index, lookup))];
  if (chosen === undefined) throw new UnresolvedError('Fn::Select has no such element');
  return chosen;
};

const resolvedList = (argument: unknown, lookup: Lookup): readonly unknown[] =>
  list(resolveValue(argument, lookup));

const calls: Readonly<Record<string, Call>> = {
  GetAtt: getAttribute,
  Sub: substitute,
  Select: select,
  Join: (argument, lookup) => {
    const [separator, items] = list(argument);
    return resolvedList(items, lookup).map(asText).join(asText(separator));
  },
  Split: (argument, lookup) => {
    const [separator, text] = resolvedList(argument, lookup);
    return asText(text).split(asText(separator));
  },
  ImportValue: (argument, lookup) => lookup.exported(asText(resolveValue(argument, lookup))),
  Base64: (argument, lookup) => Buffer.from(asText(resolveValue(argument, lookup))).toString('base64'),
  FindInMap: (argument, lookup) => {
    const [map, key, name] = resolvedList(argument, lookup);
    return lookup.mapped(asText(map), asText(key), asText(name));
  },
  If: (argument, lookup) => {
    const [condition, yes, no] = list(argument);
    return resolveValue(lookup.condition(asText(condition)) ? yes : no, lookup);
  },
  Equals: (argument, lookup) => {
    const [left, right] = resolvedList(argument, lookup);
    return left === right;
  },
  Not: (argument, lookup) => resolvedList(argument, lookup)[0] !== true,
  And: (argument, lookup) => resolvedList(argument, lookup).every((item) => item === true),
  Or: (argument, lookup) => resolvedList(argument, lookup).some((item) => item === true),
};

const list = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) throw new UnresolvedError('an intrinsic function expects a list here');
  return value;
};

const asText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new UnresolvedError('an intrinsic function expects text here');
};
