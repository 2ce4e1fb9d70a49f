/**
 * Reference model: computes the expected profile after some records in the plainest way. The model imports nothing from
 * the project, so it cannot share the project's faults.
 */

/** A record of one person: fields as sent, time of acceptance, and trust (1 to 7). */
export interface ModelRecord {
  readonly time: number;
  readonly tier: number;
  /** The model takes only the identities of a record of third-party or lower trust. */
  readonly skip?: boolean;
  readonly sent: Readonly<Record<string, unknown>>;
}

export interface ModelProfile {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly likes: readonly string[];
  readonly labels: readonly string[];
  /** The statement that counts on each channel. */
  readonly consent: readonly string[];
}

const identities = ['unique_id', 'email', 'social_id'];
const sets = ['tags', 'social_likes', 'source', 'consent'];

export const model = (records: readonly ModelRecord[]): ModelProfile => {
  const inOrder = [...records].sort((a, b) => a.time - b.time);
  const counted = inOrder.filter(({ tier, skip }) => tier < 4 || skip !== true);
  const trusted = [1, 2, 3, 4, 5, 6, 7].map((tier) => counted.filter((record) => record.tier === tier));
  const fields: Record<string, unknown> = {};
  const extra: Record<string, unknown> = {};
  // From the least to the most trusted tier, so that the more trusted values overwrite the others.
  for (const tier of trusted.toReversed()) {
    Object.assign(fields, withoutNulls(replay(tier, (sent) => [sent])));
    Object.assign(extra, withoutNulls(replayExtra(tier)));
  }
  for (const { sent } of inOrder) for (const kind of identities) if (kind in sent) fields[kind] = sent[kind];
  return {
    fields,
    extra,
    tags: union(trusted, 'tags'),
    likes: union(trusted, 'social_likes'),
    labels: union(trusted, 'source'),
    consent: consentOf(records),
  };
};

const replay = (
  records: readonly ModelRecord[],
  parts: (sent: ModelRecord['sent']) => readonly ModelRecord['sent'][],
): Record<string, unknown> => {
  const values: Record<string, unknown> = {};
  for (const { sent } of records)
    for (const part of parts(sent))
      for (const [name, value] of Object.entries(part))
        if (!identities.includes(name) && !sets.includes(name) && name !== 'extra_data') values[name] = value;
  return values;
};

const replayExtra = (records: readonly ModelRecord[]): Record<string, unknown> => {
  let values: Record<string, unknown> = {};
  for (const { sent } of records) {
    if (sent['extra_data'] === null) values = {};
    else Object.assign(values, sent['extra_data']);
  }
  return values;
};

const withoutNulls = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

const union = (tiers: readonly (readonly ModelRecord[])[], field: string): readonly string[] => {
  const found = new Set<string>();
  for (const records of tiers) {
    let own: string[] = [];
    for (const { sent } of records)
      if (sent[field] === null) own = [];
      else own.push(...elements(sent[field]));
    for (const element of own) found.add(element);
  }
  return [...found].sort();
};

/**
 * Of each channel the latest statement, a statement without a date last; of one second a withdrawal. No `skip` has a part in
 * it. Over a stated withdrawal only a later stated consent counts.
 */
const consentOf = (records: readonly ModelRecord[]): readonly string[] => {
  const statements = records.flatMap(({ tier, sent: { consent } }) =>
    Array.isArray(consent)
      ? consent.map(({ channel, datetime, state }: Readonly<Record<string, unknown>>) => ({
          ...{ tier, channel: String(channel), state, text: [datetime, state].join(' ') },
        }))
      : [],
  );
  const latestOf = (all: typeof statements) =>
    all.toSorted((one, other) => (one.text < other.text ? -1 : 1)).at(-1);
  const latest = [...Map.groupBy(statements, ({ channel }) => channel)].map(([channel, own]) => {
    const stated = latestOf(own.filter(({ tier }) => tier === 1));
    const isOverruled = stated?.state === 'withdrawn';
    const counting = own.filter(({ tier, state }) => tier === 1 || state === 'withdrawn' || !isOverruled);
    return `${channel} ${latestOf(counting)?.text ?? ''}`;
  });
  return latest.sort();
};

/** A set as sent: labels separated by commas, likes `{id}`, or tags `{datetime, tag: […]}`. */
const elements = (sent: unknown): readonly string[] => {
  if (typeof sent === 'string') return sent.split(',');
  if (!Array.isArray(sent)) return [];
  return sent.flatMap((one: Readonly<Record<string, unknown>>) => {
    const names = one['tag'];
    if (!Array.isArray(names)) return [String(one['id'])];
    return names.map((name) => `${String(one['datetime'])} ${String(name)}`);
  });
};
