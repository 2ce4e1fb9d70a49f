import type { ModelRecord } from './model.ts';

/**
 * Reference model: the stored registers of a person's records, by definition: the last value of each name in each tier
 * (of a tag, from each source), unless its tier cleared it later. The model imports nothing from the project, so it cannot share the project's
 * faults.
 */
interface Fact {
  readonly tier: number;
  readonly area: string;
  readonly name: string;
  readonly value: unknown;
  readonly time: number;
  readonly origin: string;
}

/** One line for each stored register; the same lines are made from the real item. */
export const lineOf = ({ tier, area, name, value, time, origin }: Fact): string =>
  `${tier} ${time} ${origin} ${area} ${name} ${JSON.stringify(value)}`;

export const storedModel = (records: readonly (ModelRecord & { readonly origin: string })[]): string => {
  const last = new Map<string, Fact>();
  for (const record of records)
    for (const fact of factsOf(record)) {
      // A source may take back its own tags, so each source of a tag has a register of its own.
      const source = fact.area === 'tag' ? fact.origin : '';
      const thing =
        fact.area === 'consent'
          ? `consent ${waysOf(fact)} ${JSON.stringify(fact.value)}`
          : `${fact.tier} ${fact.area} ${source}${fact.name}`;
      const rival = last.get(thing);
      if (!rival || isLater(fact, rival)) last.set(thing, fact);
    }
  const lines: string[] = [];
  const said = [...last.values()].filter(({ area }) => area === 'consent');
  const surplus = new Set(
    [...Map.groupBy(said, waysOf).values()].flatMap((own) => own.sort(byDate).slice(0, -ROOM)),
  );
  for (const fact of last.values()) {
    if (surplus.has(fact)) continue;
    const erased = last.get(`${fact.tier} erased ${fact.area}`);
    if (!erased || fact.time >= erased.time) lines.push(lineOf(fact));
  }
  return lines.sort().join('\n');
};

/** Of two values of one moment, the value with the larger text wins, then the value with the larger origin. */
const isLater = (one: Fact, other: Fact): boolean => {
  if (one.time !== other.time) return one.time > other.time;
  const [text, rival] = [JSON.stringify(one.value), JSON.stringify(other.value)];
  if (text !== rival) return text > rival;
  return one.origin === other.origin ? one.tier < other.tier : one.origin > other.origin;
};

/** The statements of consent that a profile keeps of those that have the same in common. */
const ROOM = 5;

/** What the statements of consent have in common of which only the latest stay. */
const waysOf = ({ tier, origin, name, value }: Fact): string =>
  [tier, origin, name, Array.isArray(value) ? value[1] : ''].join(' ');

const byDate = (one: Fact, other: Fact): number => (dateOf(one) < dateOf(other) ? -1 : 1);
const dateOf = ({ value }: Fact): string =>
  Array.isArray(value) ? `${value[0] ?? ''} ${JSON.stringify(value[2])}` : '';

const identities = ['unique_id', 'email', 'social_id'];
const wholes: Readonly<Record<string, string>> = {
  tags: 'tag',
  social_likes: 'like',
  source: 'label',
  extra_data: 'extra',
};

const factsOf = (record: ModelRecord & { readonly origin: string }): readonly Fact[] => {
  const { time, origin, tier, sent, skip } = record;
  const facts: Fact[] = [];
  for (const [field, given] of Object.entries(sent)) {
    const add = (area: string, name: string, value: unknown): void => {
      facts.push({ tier, area, name, value, time, origin });
    };
    const area = wholes[field];
    if (identities.includes(field))
      facts.push({ tier: 1, area: 'identity', name: `${field}:${String(given)}`, value: true, time, origin });
    else if (field === 'consent') for (const said of statementsOf(given)) add('consent', ...said);
    else if (skip === true && tier >= 4) continue;
    else if (area === undefined) add('value', field, given);
    else if (given === null) add('erased', area, true);
    else if (area === 'extra') for (const [key, value] of Object.entries(given ?? {})) add(area, key, value);
    else for (const element of elementsOf(given)) add(area, element, true);
  }
  return facts;
};

/** The channel and the value of each statement of consent. */
const statementsOf = (given: unknown): readonly (readonly [channel: string, value: unknown])[] => {
  if (!Array.isArray(given)) return [];
  return given.map(({ channel, datetime, state, source }: Readonly<Record<string, unknown>>) => [
    String(channel),
    [datetime ?? null, state, source],
  ]);
};

const elementsOf = (given: unknown): readonly string[] => {
  if (typeof given === 'string') return given.split(',');
  if (!Array.isArray(given)) return [];
  return given.flatMap((one: Readonly<Record<string, unknown>>) => {
    const names = one['tag'];
    if (!Array.isArray(names)) return [String(one['id'])];
    return names.map((name) => `${String(one['datetime'])}${String(name)}`);
  });
};
