/**
 * Field targets: the fields of a record to which a definition can map columns, and how the cells of consent become
 * statements.
 */
import { isObject } from '../../http/json.ts';
import { identityKinds } from '../../table/keys.ts';
import { isChannel, consentStates, type ConsentState } from '../../profiles/consent.ts';
import { addressParts, importableFields, type AddressPart } from '../../profiles/fields.ts';
import { limits } from '../../config/limits.ts';
import { isCalendarDate, readUtcTime, readYesOrNo, utcTimeOf } from '../../http/text.ts';
import type { Transformed } from './cell-fault.ts';

/** A field of a record to which columns can be mapped. */
export type Target =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'address'; readonly name: AddressPart }
  | { readonly kind: 'extra'; readonly name: string }
  /** What was said about a channel, and when. `name` is the channel. */
  | { readonly kind: 'consent' | 'consentTime'; readonly name: string };

/** For an attribute, its alias in `address`. */
const partOf: ReadonlyMap<string, string> = new Map(addressParts.map(({ part, name }) => [name, part]));

const fields: ReadonlySet<string> = new Set([...importableFields, 'attribute_source', 'social_token']);

/** The names of all targets but those of `extra_data` and `consent`. */
export const targetNames: readonly string[] = [
  ...fields,
  ...addressParts.map(({ part }) => `address.${part}`),
];

/** Names that would change the prototype of an object (prototype pollution). */
const reservedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const attributeOfPart: ReadonlyMap<string, string> = new Map(
  addressParts.map(({ part, name }) => [part, name]),
);

const isAddressPart = (name: string): name is AddressPart => attributeOfPart.has(name);

/** Parses a `target_field`; `undefined` when records have no such field. */
export const parseTarget = (text: string): Target | undefined => {
  if (fields.has(text)) return { kind: 'field', name: text };
  const [, head, name] = /^(address|extra_data|consent)\.(.+)$/su.exec(text) ?? [];
  if (head === undefined || name === undefined || reservedNames.has(name)) return undefined;
  if (head === 'extra_data') return { kind: 'extra', name };
  if (head === 'consent') return consentTarget(name);
  return isAddressPart(name) ? { kind: 'address', name } : undefined;
};

const TIME = '.datetime';

const consentTarget = (text: string): Target | undefined => {
  const isTime = text.endsWith(TIME);
  const name = isTime ? text.slice(0, -TIME.length) : text;
  return isChannel(name) ? { kind: isTime ? 'consentTime' : 'consent', name } : undefined;
};

/** The canonical name of an attribute: `address.postal_code` and `zipcode` are the same attribute. */
export const attributeOf = (target: Target): string => {
  if (target.kind === 'address') return attributeOfPart.get(target.name) ?? target.name;
  if (target.kind === 'consent') return `consent.${target.name}`;
  if (target.kind === 'consentTime') return `consent.${target.name}${TIME}`;
  return target.kind === 'extra' ? `extra_data.${target.name}` : target.name;
};

/** The attribute with the statement that a time of consent dates; `undefined` for every other target. */
export const statementDatedBy = (target: Target | undefined): string | undefined =>
  target?.kind === 'consentTime' ? attributeOf({ kind: 'consent', name: target.name }) : undefined;

/** The canonical name of an attribute from the text of a target, so that two aliases are the same. */
export const attributeNamed = (text: string): string => {
  const target = parseTarget(text);
  return target ? attributeOf(target) : text;
};

const listNames: ReadonlySet<string> = new Set(['tags', 'remove_tags', 'social_likes', 'source']);

/** Whether a target holds several values. */
export const isList = ({ kind, name }: Target): boolean => kind === 'field' && listNames.has(name);

/** Targets that say whose record it is, or that are no attribute of a profile. `null` erases none of them. */
const unerasable: ReadonlySet<string> = new Set([...identityKinds, 'social_token', 'attribute_source']);

/** Whether `null` erases the values of a target. Consent is withdrawn, and never erased. */
export const isErasable = ({ kind, name }: Target): boolean =>
  kind !== 'consent' && kind !== 'consentTime' && (kind !== 'field' || !unerasable.has(name));

/** Targets that lead to one person: the same text in every row would make one person of all rows. */
const personal: ReadonlySet<string> = new Set([...identityKinds, 'social_token']);

/** Whether a target names a person. */
export const isPersonal = ({ kind, name }: Target): boolean => kind === 'field' && personal.has(name);

/** A copy of a record without the value of a target. */
export const withoutTarget = (
  record: Readonly<Record<string, unknown>>,
  { kind, name }: Target,
): Readonly<Record<string, unknown>> => {
  if (kind === 'field') return omit(record, name);
  if (kind === 'consent')
    return { ...record, consent: statementsIn(record).filter(({ channel }) => channel !== name) };
  // The mapping refuses a bad time, so the record lacks the time already.
  if (kind === 'consentTime') return record;
  const parent = kind === 'address' ? 'address' : 'extra_data';
  const object = record[parent];
  return isObject(object) ? { ...record, [parent]: omit(object, name) } : record;
};

const omit = (object: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

const at = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Whether a record supplies an attribute. `null`, an empty text and an empty list supply nothing. */
export const supplies = (record: unknown, target: Target): boolean => {
  const said = (): Readonly<Record<string, unknown>> | undefined =>
    statementsIn(record).find(({ channel }) => channel === target.name);
  if (target.kind === 'consent') return said() !== undefined;
  if (target.kind === 'consentTime') return said()?.['datetime'] !== undefined;
  if (target.kind === 'extra') return isSupplied(at(at(record, 'extra_data'), target.name));
  const attribute = attributeOf(target);
  const part = partOf.get(attribute);
  if (isSupplied(at(record, attribute))) return true;
  return part !== undefined && isSupplied(at(at(record, 'address'), part));
};

const isSupplied = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Reads a word of consent: a state, or a word for yes (`given`) or no (`withdrawn`); undefined for another text. */
export const consentWord = (text: string): ConsentState | undefined => {
  const word = text.trim().toLowerCase();
  const state = consentStates.find((one) => one === word);
  if (state) return state;
  const answer = readYesOrNo(word);
  return answer && (answer === 'Yes' ? 'given' : 'withdrawn');
};

/** Reads what a person said about a channel. A blank text says nothing. */
export const readConsent = (text: string): Transformed =>
  text.trim() === '' ? '' : (consentWord(text) ?? unknownWord);

const unknownWord = {
  code: 'not_allowed',
  predicate: 'is not given, withdrawn, yes or no; map other words with the transformation map',
} as const;

/**
 * Compiles the reader of the time of a statement: a UTC time, or a day. A time after the arrival of the file is a fault,
 * except that the clock of the sender may be a little fast.
 */
export const consentTimeReader = (arrived: string): ((text: string) => Transformed) => {
  const arrival = Date.parse(`${arrived.replace(' ', 'T')}Z`);
  const latest = utcTimeOf(arrival + limits.profiles.consentAheadSeconds * 1000);
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === '') return '';
    const time = isCalendarDate(trimmed) ? trimmed : readUtcTime(trimmed);
    if (time === undefined) return notATime;
    return time > latest ? ofTheFuture : time;
  };
};

const notATime = {
  code: 'not_a_date',
  predicate: 'is not a day (2026-11-22) or a UTC time (2026-11-22T09:00:00Z or 2026-11-22 09:00:00)',
} as const;
const ofTheFuture = { code: 'out_of_range', predicate: 'is later than the arrival of the file' } as const;

type Statement = Readonly<Record<string, unknown>>;

/** The statements of consent in a record. */
const statementsIn = (record: unknown): readonly Statement[] => {
  const list = isObject(record) ? record['consent'] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** Adds the content of a cell, a state or a time, to the statement of a channel. Of several states, a withdrawal wins. */
export const addToStatement = (
  record: Record<string, unknown>,
  channel: string,
  part: { readonly state: unknown } | { readonly datetime: unknown },
): void => {
  const others = statementsIn(record);
  const own = others.find((each) => each['channel'] === channel);
  const withdrawals =
    Number(own?.['withdrawals'] ?? 0) + ('state' in part && part.state === 'withdrawn' ? 1 : 0);
  const state = withdrawals > 0 && { state: 'withdrawn' };
  record['consent'] = [
    ...others.filter((each) => each !== own),
    { channel, ...own, ...part, ...state, withdrawals },
  ];
};

/** What a definition says about the statements of a channel. */
export interface ChannelRules {
  /** How many field maps say what was stated. */
  readonly maps: number;
  /** Whether the definition requires the time of the statement. */
  readonly isTimeRequired: boolean;
}

/**
 * Completes the statements of a row. A time without a state says nothing. A withdrawal without a time counts from the
 * arrival of the file, unless the definition requires its time. So does a withdrawal in some of several columns: the time
 * may be that of another column. A day without a time of day leaves doubt, which counts for the withdrawal: consent is
 * given at the start of its day, and withdrawn at its end.
 */
export const completeStatements = (
  record: Record<string, unknown>,
  arrived: string,
  rulesOf: (channel: string) => ChannelRules,
): void => {
  if (record['consent'] === undefined) return;
  const said = statementsIn(record).filter(({ state }) => state !== undefined);
  delete record['consent'];
  if (said.length === 0) return;
  record['consent'] = said.map(({ withdrawals, datetime, ...one }): Statement => {
    const rules = rulesOf(String(one['channel']));
    const isWithdrawn = one['state'] === 'withdrawn';
    if (typeof datetime === 'string' && (!isWithdrawn || withdrawals === rules.maps))
      return { ...one, datetime: isWithdrawn ? endOf(datetime, arrived) : startOf(datetime) };
    return isWithdrawn && !rules.isTimeRequired ? { ...one, datetime: arrived } : one;
  });
};

const startOf = (time: string): string => (isCalendarDate(time) ? `${time} 00:00:00` : time);

const endOf = (time: string, arrived: string): string => {
  if (!isCalendarDate(time)) return time;
  const end = `${time} 23:59:59`;
  return end < arrived ? end : arrived;
};
