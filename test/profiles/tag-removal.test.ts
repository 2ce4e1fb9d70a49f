import { describe, expect, it } from 'vitest';
import { contributionOf } from '../../shared/profiles/contribution.ts';
import { encodeState } from '../../shared/profiles/stored-profile.ts';
import { emptyState, mergeStates, type State } from '../../shared/profiles/profile-state.ts';
import { normalizeRecord } from '../../shared/profiles/normalize-record.ts';
import { provenanceOf } from '../../shared/profiles/provenance.ts';
import { overLimit, resolveProfile } from '../../shared/profiles/resolve-profile.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { pick, seeded, type Choose } from '../ingest/interleave.ts';
import { NOW, refused } from './records.ts';
import { mergedInAnyOrder } from './merged.ts';
import { storedAt } from '../support/stored-at.ts';

const days = ['2026-01-01 00:00:00', '2026-01-02 00:00:00'] as const;
const names = ['jazz', 'rock', 'abo'] as const;
const sources = ['api', 'import:5:9', 'import:5:10', 'import:6:11'] as const;

/** A record in plain form: `time` orders the records; no two have the same. */
interface Plain {
  readonly time: number;
  readonly tier: 1 | 4;
  readonly origin: string;
  readonly tags: readonly (readonly [datetime: string, tag: string])[] | null;
  /** Texts of tags, and tags with their time. */
  readonly removed: readonly (string | readonly [datetime: string, tag: string])[];
  readonly replaces: boolean;
}

const sent = ({ tags, removed, replaces }: Plain) => ({
  unique_id: 'u',
  tags: tags && tags.map(([datetime, tag]) => ({ datetime, tag: [tag] })),
  remove_tags: removed.map((one) => (typeof one === 'string' ? one : { datetime: one[0], tag: [one[1]] })),
  ...(replaces ? { tags_mode: 'replace' } : {}),
});

const contribution = (plain: Plain): State => {
  const { time, tier, origin } = plain;
  const patch = normalizeRecord(sent(plain), { now: NOW, tier });
  if (!patch.ok) throw new Error(JSON.stringify(patch.error));
  const stamp = stampOf(NOW, time);
  return contributionOf({ patch: patch.value, stamp, origin }, [], stamp);
};

/** What the records leave, one after the other, without any register: tags by tier, source, time and text. */
const replayed = (records: readonly Plain[]): readonly string[] => {
  let left: { tier: number; source: string; datetime: string; tag: string }[] = [];
  for (const { tier, origin, tags, removed, replaces } of records.toSorted((a, b) => a.time - b.time)) {
    const source = origin.split(':').slice(0, 2).join(':');
    left = left.filter(
      (one) =>
        one.tier !== tier ||
        (tags !== null &&
          !removed.some((gone) =>
            typeof gone === 'string' ? gone === one.tag : gone[0] === one.datetime && gone[1] === one.tag,
          ) &&
          !(replaces && one.source === source)),
    );
    for (const [datetime, tag] of tags ?? []) left.push({ tier, source, datetime, tag });
  }
  return [...new Set(left.map(({ datetime, tag }) => `${datetime} ${tag}`))].sort();
};

const shown = (state: State): readonly string[] =>
  resolveProfile(state, 0, storedAt(0))
    .tags.map(({ datetime, tag }) => `${datetime} ${tag}`)
    .sort();

const randomRecord = (time: number, choose: Choose): Plain => {
  const some = <T>(make: () => T): readonly T[] => Array.from({ length: choose(3) }, make);
  return {
    time,
    tier: choose(3) === 0 ? 4 : 1,
    origin: pick(sources, choose),
    tags: choose(10) === 0 ? null : some(() => [pick(days, choose), pick(names, choose)] as const),
    removed:
      choose(3) === 0
        ? some(() =>
            choose(2) === 0 ? pick(names, choose) : ([pick(days, choose), pick(names, choose)] as const),
          )
        : [],
    replaces: choose(4) === 0,
  };
};

describe('removed and replaced tags', () => {
  it('leave what the records say one after the other, in any order, in groups, and twice', () => {
    for (let seed = 0; seed < 3_000; seed += 1) {
      const choose = seeded(seed);
      const records = Array.from({ length: 1 + choose(7) }, (_, index) => randomRecord(index + 1, choose));
      const state = mergedInAnyOrder(records.map(contribution), choose, `seed ${seed}`);
      expect(shown(state), `seed ${seed}`).toEqual(replayed(records));
    }
  });

  it('are shown with their source', () => {
    const rest = { tier: 1, tags: [], replaces: false, removed: [] } as const;
    const state = [
      contribution({ ...rest, time: 1, origin: 'import:5:9', tags: [[days[0], 'rock']] }),
      contribution({ ...rest, time: 2, origin: 'api', removed: ['jazz', [days[0], 'folk']] }),
      contribution({ ...rest, time: 3, origin: 'import:5:10', tags: [[days[1], 'abo']], replaces: true }),
    ].reduce(mergeStates, emptyState);
    expect(provenanceOf(state)).toMatchObject({
      tags: [{ tag: 'abo', source: 'import:5' }],
      removed_tags: [
        { tag: 'folk', datetime: days[0], source: 'api', tier: 'stated' },
        { tag: 'jazz', datetime: null, source: 'api', tier: 'stated' },
      ],
      replaced_tags: [{ source: 'import:5', tier: 'stated' }],
    });
  });

  it('end when a later removal covers them, whatever its datetime', () => {
    const rest = { tier: 1, tags: [], replaces: false, origin: 'api' } as const;
    const dated = contribution({
      ...rest,
      time: 1,
      removed: [
        [days[0], 'jazz'],
        [days[1], 'rock'],
      ],
    });
    const whole = contribution({ ...rest, time: 2, removed: ['jazz'] });
    expect([...mergeStates(dated, whole).values()].map(({ area, name }) => [area, name])).toEqual([
      ['untagAt', `${days[1]}rock`],
      ['untag', 'jazz'],
    ]);
  });

  it('count: a profile remembers 1,000 removals, until all tags are erased', () => {
    const rest = { tier: 1, tags: [], replaces: false, origin: 'api' } as const;
    const removals = Array.from({ length: 3 }, (_, part) =>
      contribution({
        ...rest,
        time: part + 1,
        removed: Array.from({ length: 400 }, (__, index) => {
          const tag = `t${part}-${index}`;
          return index % 2 === 0 ? tag : ([days[0], tag] as const);
        }),
      }),
    );
    const state = removals.reduce(mergeStates, emptyState);
    const merged = { profile: resolveProfile(state, 0, storedAt(0)), state, encoded: encodeState(state) };
    expect(overLimit(merged)).toMatchObject({ field: 'remove_tags', code: 'too_many' });
    const erased = mergeStates(state, contribution({ ...rest, time: 9, tags: null, removed: [] }));
    expect(erased.size).toBe(1);
  });

  it.each([
    [{ remove_tags: [''] }, ['remove_tags.0 empty']],
    [{ remove_tags: 'jazz' }, ['remove_tags wrong_type']],
    [{ remove_tags: [7] }, ['remove_tags.0 wrong_type']],
    [{ remove_tags: [{ tag: ['jazz'] }] }, ['remove_tags.0.datetime required']],
    [{ remove_tags: [{ datetime: 'today', tag: ['jazz'] }] }, ['remove_tags.0.datetime not_a_date']],
    [{ remove_tags: [{ datetime: days[0], tag: ['jazz'] }, 'rock'] }, undefined],
    [
      { remove_tags: [{ datetime: days[0], tag: Array.from({ length: 501 }, (_, n) => `t${n}`) }] },
      ['remove_tags too_many'],
    ],
    [{ tags_mode: 'replace' }, undefined],
    [{ tags_mode: 'remove', tags: [] }, ['tags_mode not_allowed']],
    [{ tags_mode: 'replace', tags: [] }, undefined],
  ])('%j is refused with %j', (fields, faults) => {
    expect(refused({ unique_id: 'u', ...fields })).toEqual(faults);
  });
});
