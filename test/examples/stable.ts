/** Stable values: replaces what differs between two runs of the scenario, and what looks like a secret. */
import * as v from 'valibot';
import { isObject } from '../../shared/http/json.ts';
import { exchangeSchema, type Exchange } from '../../functions/edge/openapi/examples.ts';

const DAY = '2026-11-22';
const DAY_MS = 86_400_000;

/** Times of day by the names of their fields, so that the steps of an example follow each other. */
const times: Readonly<Record<string, string>> = {
  stamp: `${DAY}T09:58:00.000Z`,
  started: `${DAY}T10:00:01.000Z`,
  finished: `${DAY}T10:00:04.000Z`,
  last_attempt: `${DAY}T10:00:05.000Z`,
  pinned: `${DAY}T10:00:05.000Z`,
  delivered: `${DAY}T10:00:06.000Z`,
  /** The next run of the schedules of the scenario: 3:00 in Berlin. */
  next_run: '2026-11-23T02:00:00.000Z',
  expires_at: `${DAY}T11:00:00.000Z`,
  expires: '2026-12-22T10:00:00.000Z',
};
const MORNING = `${DAY}T10:00:00.000Z`;

/** Constants by the names of their fields. */
const constants: Readonly<Record<string, string | number>> = {
  access_token: 'example-token',
  capability: 'Example-'.repeat(6).slice(0, 43),
  duration_ms: 84,
  request_id: 'ExampleRequest=',
  sha256: '0123456789abcdef'.repeat(4),
  webhook_secret: 'whsec_RXhhbXBsZSBvZiBhIHNlY3JldCwgbm90IGEgcmVhbCBvbmU=',
};

const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const dayTime = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g;
/** The mark of a token. */
const mark = /^[\da-f]{8}$/g;
const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** Other texts that are new in each run. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/(?<=\/(?:downloads|charts|confirmations)\/)[\w-]{43}/g, String(constants['capability'])],
  [/(?<=[?&]cursor=)[\w-]+/g, 'Example-Cursor'],
  [/^[\da-f]{64}$/g, 'example-token'],
  [/^[\w-]{43}$/g, 'Objection-'.repeat(5).slice(0, 43)],
  [/SHA256:[A-Za-z\d+/]{43}/g, `SHA256:${'Example'.repeat(6)}8`],
  [/(?<=ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI)\S{43}/g, 'Example'.repeat(7).slice(0, 43)],
];

/** Texts of the run, such as addresses, and what stands for them. */
export type Replacements = readonly (readonly [found: string, shown: string])[];

/**
 * The exchanges with stable values, sorted by operation. Ids of the service are counters: two runs of the scenario give
 * the same ids.
 */
export const stableExchanges = (
  exchanges: ReadonlyMap<string, Exchange>,
  replacements: Replacements,
): ReadonlyMap<string, Exchange> => {
  const uuids = new Map<string, string>();
  const marks = new Map<string, string>();
  const counted = (seen: Map<string, string>, found: string, shownAs: (count: number) => string): string => {
    const shown = seen.get(found) ?? shownAs(seen.size + 1);
    seen.set(found, shown);
    return shown;
  };
  const text = (key: string, value: string): string => {
    if (value.includes('X-Amz-Signature=')) return plainAddress(replaced(value, replacements));
    const plain = patterns.reduce(
      (kept, [pattern, shown]) => kept.replaceAll(pattern, shown),
      replaced(value, replacements),
    );
    return (
      plain
        // Times that the scenario itself names stay.
        .replaceAll(isoTime, (time) =>
          key === 'datetime' && !isToday(time.slice(0, -1)) ? time : stableTime(key, time),
        )
        .replaceAll(dayTime, (time) => (isToday(time) ? `${DAY} 10:00:00` : time))
        .replaceAll(mark, (found) => counted(marks, found, (count) => `0123abc${count}`))
        .replaceAll(uuid, (found) =>
          counted(uuids, found, (count) => `00000000-0000-8000-8000-${String(count).padStart(12, '0')}`),
        )
    );
  };
  const stable = (key: string, value: unknown): unknown => {
    if (value === null) return null;
    const constant = constants[key];
    if (constant !== undefined && typeof value !== 'object') return constant;
    if (Array.isArray(value)) return value.map((element: unknown) => stable(key, element));
    if (isObject(value)) {
      // An entry in the log of a delivery begins when the delivery says that its last attempt began.
      const keyOf = (name: string): string =>
        'outcome' in value && name === 'started' ? 'last_attempt' : name;
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, stable(keyOf(name), member)]),
      );
    }
    return typeof value === 'string' ? text(key, value) : value;
  };
  const sorted = [...exchanges].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return new Map(
    sorted.map(([operation, exchange]) => [operation, v.parse(exchangeSchema, stable('', exchange))]),
  );
};

const replaced = (value: string, replacements: Replacements): string =>
  replacements.reduce((kept, [found, shown]) => kept.replaceAll(found, shown), value);

/** A midnight keeps its distance from today; every other time follows from the name of its field. */
const stableTime = (key: string, time: string): string => {
  if (!time.endsWith('T00:00:00.000Z')) return times[key] ?? MORNING;
  const days = Math.floor((Date.parse(time) - Date.now()) / DAY_MS) + 1;
  return new Date(Date.parse(`${DAY}T00:00:00.000Z`) + days * DAY_MS).toISOString();
};

/** Whether the service took a time of a tag from its clock; the other times are those of the scenario. */
const isToday = (time: string): boolean => Math.abs(Date.parse(`${time}Z`) - Date.now()) < DAY_MS;

/** Parameters of a pre-signed address that an example shows. */
const shownParameters = ['partNumber', 'X-Amz-Expires'];

const plainAddress = (address: string): string => {
  const { origin, pathname, searchParams } = new URL(address);
  const shown = shownParameters.flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [`${name}=${value}`];
  });
  const path = pathname
    .replaceAll(/[\da-f]{16,}/g, 'example')
    .replaceAll(/tidemark-local-(\w+)-\d{12}-[a-z\d-]+/g, 'tidemark-$1');
  return `${origin}${path}?${[...shown, 'X-Amz-Signature=example'].join('&')}`;
};
