/**
 * Withdrawals: what a person who goes had withdrawn, by channel. The free claims of the person's identities keep it, because
 * a withdrawal stands until the person gives consent again. Whoever gets such an identity next gets the withdrawal, too.
 */
import * as v from 'valibot';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';
import type { Attribute } from '../table/table.ts';
import { consentOf, consentValue, isChannel } from './consent.ts';
import { consentIn, stateOf, type LwwRegister, type State } from './profile-state.ts';
import { tiers } from './types.ts';

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
