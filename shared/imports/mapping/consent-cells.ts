/** Consent cells: read the cells of consent, and put the state and the time of a statement together. */
import { limits } from '../../config/limits.ts';
import { isObject } from '../../http/json.ts';
import { consentStates, type ConsentState } from '../../profiles/consent.ts';
import { isCalendarDate, readUtcTime, readYesOrNo, utcTimeOf } from '../../profiles/text-rules.ts';
import type { Transformed } from './cell-fault.ts';

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
export const statementsIn = (record: unknown): readonly Statement[] => {
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
