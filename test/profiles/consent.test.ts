import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { undoEntriesOf } from '../../shared/ingest/undo-log.ts';
import { contributionOf } from '../../shared/profiles/contribution.ts';
import { normalizeRecord } from '../../shared/profiles/normalize-record.ts';
import { emptyState, mergeStates, type State } from '../../shared/profiles/profile-state.ts';
import { provenanceOf } from '../../shared/profiles/provenance.ts';
import { overLimit, resolveProfile } from '../../shared/profiles/resolve-profile.ts';
import { encodeState } from '../../shared/profiles/stored-profile.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { pick, seeded, type Choose } from '../ingest/interleave.ts';
import { accepted, context, NOW, refused } from './records.ts';
import { mergedInAnyOrder } from './merged.ts';
import { storedAt } from '../support/stored-at.ts';

/** A statement in plain form. `minute` is the time of acceptance after noon; no two statements have the same. */
interface Said {
  readonly minute: number;
  readonly tier: 1 | 4;
  readonly origin: string;
  readonly channel: string;
  readonly state: 'given' | 'withdrawn';
  /** Minute after noon; `null` for a record without a time. */
  readonly said: number | null;
}

/** The minute of a statement. A client says it now; without a date, consent from elsewhere is older than everything. */
const minuteOf = ({ minute, origin, state, said }: Said): number => {
  if (said !== null) return said;
  return origin === 'api' || state === 'withdrawn' ? minute : -Infinity;
};

const timeOf = (minute: number): string => new Date(NOW + minute * 60_000).toISOString();
const shownTime = (minute: number): string => timeOf(minute).slice(0, 19).replace('T', ' ');

const contribution = ({ minute, tier, origin, channel, state, said }: Said): State => {
  const now = NOW + minute * 60_000;
  const statement = { channel, state, ...(said === null ? {} : { datetime: timeOf(said) }) };
  const patch = normalizeRecord({ unique_id: 'u', consent: [statement] }, { now, tier });
  if (!patch.ok) throw new Error(JSON.stringify(patch.error));
  return contributionOf({ patch: patch.value, stamp: stampOf(now), origin }, [], stampOf(now));
};

/** The latest of some statements; of those of one minute a withdrawal. */
const latestOf = (all: readonly Said[]): Said | undefined => {
  const latest = Math.max(...all.map(minuteOf));
  const last = all.filter((one) => minuteOf(one) === latest);
  return last.find((one) => one.state === 'withdrawn') ?? last[0];
};

/**
 * What counts by definition: the latest statement of each channel. A third party's consent does not count after the person
 * has withdrawn it and not given it since.
 */
const counted = (all: readonly Said[]): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const [channel, own] of Map.groupBy(all, ({ channel: name }) => name)) {
    const stated = latestOf(own.filter(({ tier }) => tier === 1));
    const latest =
      stated?.state === 'withdrawn' ? own.filter((one) => one.tier === 1 || one.state === 'withdrawn') : own;
    const counts = latestOf(latest);
    if (!counts) continue;
    const minute = minuteOf(counts);
    found[channel] = `${counts.state} ${minute === -Infinity ? 'null' : shownTime(minute)}`;
  }
  return found;
};

const shown = (state: State): Readonly<Record<string, string>> =>
  Object.fromEntries(
    resolveProfile(state, 0, storedAt(0)).consent.map((one) => [one.channel, `${one.state} ${one.datetime}`]),
  );

const random = (minute: number, choose: Choose): Said => ({
  minute,
  tier: pick([1, 4], choose),
  origin: pick(['api', 'import:5:9', 'import:5:10', 'import:6:11', 'enricher:x'], choose),
  channel: pick(['email', 'sms'], choose),
  state: pick(['given', 'withdrawn'], choose),
  said: choose(2) === 0 ? null : minute - choose(4),
});
const email = { minute: 0, tier: 1, origin: 'api', channel: 'email', state: 'given', said: null } as const;
const merged = (...all: readonly Said[]): State => all.map(contribution).reduce(mergeStates, emptyState);

describe('consent', () => {
  it('is the latest statement of each channel, in any order, in groups, and twice', () => {
    for (let seed = 0; seed < 3_000; seed += 1) {
      const choose = seeded(seed);
      const all = Array.from({ length: 1 + choose(7) }, (_, index) => random(index + 1, choose));
      const state = mergedInAnyOrder(all.map(contribution), choose, `seed ${seed}`);
      expect(shown(state), `seed ${seed}`).toEqual(counted(all));
    }
  });

  it('that is withdrawn with little trust outranks consent that was given earlier with more trust', () => {
    const state = merged(email, { ...email, minute: 1, tier: 4, state: 'withdrawn', origin: 'import:5:9' });
    expect(shown(state)).toEqual({ email: `withdrawn ${shownTime(1)}` });
  });

  it('that a third party reports does not count after the person has withdrawn it', () => {
    const withdrawn = { ...email, minute: 1, state: 'withdrawn' } as const;
    const reported = { ...email, minute: 3, tier: 4, origin: 'import:5:9', said: 2 } as const;
    expect(shown(merged(email, withdrawn, reported))).toEqual({ email: `withdrawn ${shownTime(1)}` });
    expect(shown(merged(email, withdrawn, reported, { ...email, minute: 4 }))).toEqual({
      email: `given ${shownTime(4)}`,
    });
    const vendor = { ...withdrawn, tier: 4, origin: 'import:6:11' } as const;
    expect(shown(merged(email, vendor, reported))).toEqual({ email: `given ${shownTime(2)}` });
  });

  it('keeps the statements of a way apart, and of equal ones the latest', () => {
    const most = limits.profiles.consentStatements;
    const given = Array.from({ length: most + 2 }, (_, minute) => ({ ...email, minute }));
    const state = merged(...given, { ...email, state: 'withdrawn' });
    expect(provenanceOf(state).consent.map(({ state: said, datetime }) => `${said} ${datetime}`)).toEqual([
      ...given
        .slice(2)
        .reverse()
        .map(({ minute }) => `given ${timeOf(minute)}`),
      `withdrawn ${timeOf(0)}`,
    ]);
    const others = [{ tier: 4 }, { channel: 'sms' }, { origin: 'import:5:9' }] as const;
    expect(merged(...given, ...others.map((other) => ({ ...email, ...other }))).size).toBe(
      most + others.length,
    );
    const repeated = { ...email, origin: 'import:5:9', said: 0 } as const;
    expect(merged(repeated, { ...repeated, minute: 1, origin: 'import:5:10' }).size).toBe(1);
  });

  it('of a client that is older than the statement of an import needs no undo log', () => {
    const before = merged({ ...email, origin: 'import:5:9', said: 0 });
    const record = contribution({ ...email, minute: 1, state: 'withdrawn', said: -1 });
    const change = {
      ordinal: 1,
      before,
      after: mergeStates(before, record),
      records: [record],
      restored: [],
    };
    expect(shown(change.after)).toEqual({ email: `given ${shownTime(0)}` });
    expect(undoEntriesOf([change], NOW)).toEqual(new Map());
  });

  it('follows the time at which it was said, not the time of the record', () => {
    const state = merged(
      { ...email, minute: 5, state: 'withdrawn', said: 3 },
      { ...email, minute: 9, state: 'given', said: 2 },
    );
    expect(shown(state)).toEqual({ email: `withdrawn ${shownTime(3)}` });
  });

  it.each(['import:5:9', 'enricher:x'])(
    'without a date from %s never outranks a withdrawal, however late the record comes',
    (origin) => {
      const given = { ...email, minute: 9, origin } as const;
      const withdrawn = { ...email, minute: 5, state: 'withdrawn' } as const;
      expect(shown(merged(withdrawn, given))).toEqual({ email: `withdrawn ${shownTime(5)}` });
      expect(shown(merged(given))).toEqual({ email: 'given null' });
      const own = { ...withdrawn, origin } as const;
      expect(shown(merged(own, given))).toEqual({ email: `withdrawn ${shownTime(5)}` });
    },
  );

  it('that found no room comes back with the undo of a job that took it', () => {
    const of = (minute: number) => ({ ...email, minute, said: minute, origin: 'import:5:9' }) as const;
    const before = merged(
      ...Array.from({ length: limits.profiles.consentStatements }, (_, minute) => of(minute)),
    );
    const record = contribution({ ...email, minute: 9, said: 9, origin: 'import:5:10' });
    const change = {
      ordinal: 1,
      before,
      after: mergeStates(before, record),
      records: [record],
      restored: [],
    };
    const [entry] = [...undoEntriesOf([change], NOW).values()].flat();
    expect(entry?.beneath.map(({ value }) => value)).toEqual([[shownTime(0), 'given', null]]);
  });

  it('without a date from a client is a statement that the person makes now', () => {
    const before = { ...email, state: 'withdrawn' } as const;
    expect(shown(merged(before, { ...email, minute: 1 }))).toEqual({ email: `given ${shownTime(1)}` });
  });

  it('is withdrawn if it was given and withdrawn in the same second', () => {
    const withdrawn = { ...email, minute: 1, state: 'withdrawn', said: 0, origin: 'import:5:9' } as const;
    expect(shown(merged({ ...email, minute: 2, said: 0 }, withdrawn))).toEqual({
      email: `withdrawn ${shownTime(0)}`,
    });
  });

  it('that is dated a little into the future counts from its acceptance', () => {
    expect(shown(merged({ ...email, said: 4 }))).toEqual({ email: `given ${shownTime(0)}` });
    expect(shown(merged({ ...email, said: 4 }, { ...email, minute: 1, state: 'withdrawn' }))).toEqual({
      email: `withdrawn ${shownTime(1)}`,
    });
  });

  it('is shown with the statement of each source, the statement that counts first', () => {
    const state = merged(
      { ...email, tier: 4, origin: 'import:5:9' },
      { ...email, minute: 1, state: 'withdrawn' },
    );
    expect(provenanceOf(state).consent).toMatchObject([
      { channel: 'email', state: 'withdrawn', label: null, source: 'api', job: null, won: true },
      { channel: 'email', state: 'given', tier: 'third_party', source: 'import:5', job: 9, won: false },
    ]);
  });

  it('is stored even from records that skip values of third parties', () => {
    const { consent = [], ...patch } = accepted({ consent: [{ channel: 'email', state: 'withdrawn' }] });
    const record = { patch: { ...patch, consent, tier: 4 }, stamp: stampOf(NOW), skipAppends: true } as const;
    expect(shown(contributionOf(record, [], record.stamp))).toEqual({ email: `withdrawn ${shownTime(0)}` });
  });

  it('of a profile has a limited number of channels', () => {
    const channels = Array.from({ length: limits.profiles.consentChannels + 1 }, (_, index) => `c${index}`);
    const states = channels.map((channel) => contribution({ ...email, channel }));
    const refusalOf = (state: State) =>
      overLimit({ state, profile: resolveProfile(state, 0, storedAt(0)), encoded: encodeState(state) });
    expect(refusalOf(states.reduce(mergeStates, emptyState))).toMatchObject({
      field: 'consent',
      code: 'too_many',
    });
    expect(refusalOf(states.slice(1).reduce(mergeStates, emptyState))).toBeUndefined();
  });

  it.each([
    [{ consent: null }, ['consent wrong_type']],
    [{ consent: {} }, ['consent wrong_type']],
    [{ consent: [{ channel: 'E-Mail', state: 'given' }] }, ['consent.0.channel wrong_format']],
    [{ consent: [{ channel: '', state: 'given' }] }, ['consent.0.channel wrong_format']],
    [{ consent: [{ channel: 'c'.repeat(65), state: 'given' }] }, ['consent.0.channel wrong_format']],
    [{ consent: [{ channel: 'email', state: 'yes' }] }, ['consent.0.state not_allowed']],
    [{ consent: [{ channel: 'email' }] }, ['consent.0.state required']],
    [{ consent: [{ channel: 'email', state: 'given', when: 1 }] }, ['consent.0.when unknown_field']],
    [{ consent: [{ channel: 'email', state: 'given', datetime: 'x' }] }, ['consent.0.datetime not_a_date']],
    [
      { consent: [{ channel: 'email', state: 'given', source: 'x'.repeat(256) }] },
      ['consent.0.source too_long'],
    ],
    [
      { consent: [{ channel: 'email', state: 'given', datetime: timeOf(6) }] },
      ['consent.0.datetime out_of_range'],
    ],
    [{ consent: Array.from({ length: 51 }, () => ({ channel: 'a', state: 'given' })) }, ['consent too_many']],
    [{ consent: [] }, undefined],
    [{ consent: [{ channel: 'e_mail-2', state: 'given', datetime: timeOf(5), source: null }] }, undefined],
  ])('%j is refused with %j', (fields, faults) => {
    expect(refused({ unique_id: 'u', ...fields })).toEqual(faults);
  });

  it('cannot be erased, and the fault says what to send instead', () => {
    const result = normalizeRecord({ unique_id: 'u', consent: null }, context);
    expect(!result.ok && result.error[0]?.message).toBe(
      'Consent cannot be erased. Send the channel with the state withdrawn instead.',
    );
  });
});
