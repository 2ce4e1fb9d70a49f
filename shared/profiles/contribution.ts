/**
 * Contribution: turns an accepted record into the registers that it adds to a profile, for the merge, and what
 * people who go had withdrawn into those that the next owner of an identity gets. A withdrawal stands until somebody gives
 * consent again, so the free claims of their identities keep it.
 */
import { consentValue, consentOf, isChannel } from './consent.ts';
import {
  directOrigin,
  sourceOfOrigin,
  clearableAreas,
  DATETIME_LENGTH,
  emptyState,
  identityName,
  stateOf,
  tagName,
  type Area,
  type LwwRegister,
  type State,
  consentIn,
} from './profile-state.ts';
import type { ProfilePatch, SentConsent } from './profile-patch.ts';
import { tiers, type ExtraValue, type Identity, type Tier } from './types.ts';
import { stampTime, type HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import { utcTimeOf } from '../http/text.ts';
import * as v from 'valibot';
import type { Attribute } from '../table/table.ts';

/** A validated record that waits to be merged into a profile. */
export interface AcceptedRecord {
  readonly patch: ProfilePatch;
  readonly stamp: HybridTimestamp;
  /**
   * Raises the timestamp above every stored one, so that the later of two calls wins even when server clocks
   * differ. Only for records that are not stored before they are applied: they are never applied twice.
   */
  readonly latest?: boolean;
  /** Leaves out values of third-party trust and below, but no consent: a withdrawal counts whoever reports it. */
  readonly skipAppends?: boolean;
  /** Source of the values, for provenance; `api` by default. At most 64 characters. */
  readonly origin?: string;
  /**
   * The record that this record answers, when it comes from an enricher. The identities that both have remain statements
   * of the earlier record, so an undo of its job takes them away, and a job that was undone gets no answer.
   */
  readonly answers?: Asking;
  /**
   * Identifies the record at every application. A profile keeps the trace of the record that created it, so a
   * repeated application still reports `created`.
   */
  readonly trace?: string;
}

/** A record as far as its answer repeats it: its identities, and the source of its values. */
export interface Asking {
  readonly identities: readonly Identity[];
  readonly origin: string;
}

/**
 * The registers that a record adds to its profile: its values, and those of its identities that the profile owns. A tag
 * without a time of its own that the profile (`known`) has from the same source is that tag, so it keeps its time.
 */
export const contributionOf = (
  { patch, skipAppends, origin = directOrigin, answers }: AcceptedRecord,
  identities: readonly Identity[],
  stamp: HybridTimestamp,
  known: State = emptyState,
): State => {
  const registers: LwwRegister[] = identities.map((identity) => ({
    area: 'identity',
    tier: tiers.stated,
    name: identityName(identity.kind, identity.value),
    value: true,
    stamp,
    origin: answers && hasIdentity(answers.identities, identity) ? answers.origin : origin,
  }));
  const add = (area: Area, name: string, value: ExtraValue | null): void => {
    registers.push({ area, tier: patch.tier, name, value, stamp, origin });
  };
  for (const said of patch.consent ?? [])
    add('consent', said.channel, consentValue({ ...said, datetime: saidAt(said, stamp, origin) }));
  if (skipAppends === true && patch.tier >= tiers.third_party) return stateOf(registers);
  for (const [name, value] of Object.entries(patch.attributes)) add('value', name, value);
  for (const [name, value] of patch.extra ?? []) add('extra', name, value);
  const tagged = patch.tagsArrived === true ? tagNamesIn(known, patch.tier, origin) : noNames;
  for (const { datetime, tag } of patch.tags ?? [])
    add('tag', tagged.get(tag) ?? tagName(datetime, tag), true);
  for (const { tag, datetime } of patch.removedTags ?? []) {
    if (datetime === undefined) add('untag', tag, true);
    else add('untagAt', tagName(datetime, tag), true);
  }
  if (patch.replacesTags) add('retag', sourceOfOrigin(origin), true);
  for (const like of patch.likes ?? []) add('like', like, true);
  for (const label of patch.labels ?? []) add('label', label, true);
  for (const area of clearableAreas) if (isErasing(patch, area)) add('erased', area, true);
  return stateOf(registers);
};

const noNames: ReadonlyMap<string, string> = new Map<string, string>();

/** The names of the tags that a state has from a source, by the text of the tag: with its earliest time. */
const tagNamesIn = (state: State, tier: Tier, origin: string): ReadonlyMap<string, string> => {
  const source = sourceOfOrigin(origin);
  const names = new Map<string, string>();
  for (const { area, tier: own, name, origin: from } of state.values()) {
    if (area !== 'tag' || own !== tier || sourceOfOrigin(from) !== source) continue;
    const text = name.slice(DATETIME_LENGTH);
    const earlier = names.get(text);
    if (earlier === undefined || name < earlier) names.set(text, name);
  }
  return names;
};

/** Whether a list has an identity. */
export const hasIdentity = (identities: readonly Identity[], { kind, value }: Identity): boolean =>
  identities.some((one) => one.kind === kind && one.value === value);

/**
 * When something was said, at the latest when its record was accepted: a statement that a client with a fast clock dates
 * into the future must not outrank later statements. A direct call without a date says it now. Imports and enrichers
 * repeat what was said earlier: their consent without a date has no date, so that it never outranks a withdrawal that is
 * newer than their data. Their withdrawal without a date counts from the acceptance.
 */
const saidAt = ({ datetime, state }: SentConsent, stamp: HybridTimestamp, origin: string): string | null => {
  const accepted = utcTimeOf(stampTime(stamp));
  if (datetime !== undefined) return datetime > accepted ? accepted : datetime;
  return state === 'given' && origin !== directOrigin ? null : accepted;
};

const isErasing = (patch: ProfilePatch, area: (typeof clearableAreas)[number]): boolean => {
  const sent = { extra: patch.extra, tag: patch.tags, like: patch.likes, label: patch.labels };
  return sent[area] === null;
};

/** Schema of withdrawals as claims and tombstones store them: channels with the times of the statements. */
export const storedWithdrawals = v.array(v.object({ channel: v.string(), datetime: v.nullable(v.string()) }));

/** A channel whose consent a person withdrew, and when: `YYYY-MM-DD HH:MM:SS`, UTC. */
export type Withdrawal = Readonly<v.InferOutput<typeof storedWithdrawals>[number]>;

/**
 * The channels on which a withdrawal counts. An objection to every use is none, because the claim that has it keeps it; nor
 * is a rule of the property.
 */
export const withdrawalsIn = (state: State): readonly Withdrawal[] =>
  [...consentIn(state).values()]
    .map(consentOf)
    .flatMap(({ channel, state: said, datetime }) =>
      said === 'withdrawn' && isChannel(channel) ? [{ channel, datetime }] : [],
    );

/** The latest withdrawal of each channel. */
export const latestWithdrawals = (all: readonly Withdrawal[]): readonly Withdrawal[] => {
  const latest = new Map<string, Withdrawal>();
  for (const one of all) {
    const known = latest.get(one.channel);
    if (!known || (known.datetime ?? '') < (one.datetime ?? '')) latest.set(one.channel, one);
  }
  return [...latest.values()];
};

/** Withdrawals as the attribute of an item: `null` for none. */
export const withdrawalsAttribute = (withdrawals: readonly Withdrawal[]): Attribute =>
  withdrawals.length === 0 ? null : withdrawals.map(({ channel, datetime }) => ({ channel, datetime }));

/** The source of withdrawals that a claim has kept, as `explain` shows it. */
const SUPPRESSION = 'suppression';

/**
 * The statements that a person gets with an identity whose claim has kept withdrawals. They have stated trust, so that only
 * a later consent with stated trust counts over them, whoever had reported the withdrawal.
 */
export const withdrawnBefore = (withdrawals: readonly Withdrawal[], stamp: HybridTimestamp): State =>
  stateOf(
    withdrawals.map(({ channel, datetime }): LwwRegister => ({
      area: 'consent',
      tier: tiers.stated,
      name: channel,
      value: consentValue({ datetime, state: 'withdrawn', source: null }),
      stamp,
      origin: SUPPRESSION,
    })),
  );
