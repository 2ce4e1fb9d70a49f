/** Write plan: the types of the claims, closings, releases and profiles that a batch will write. */
import type { IdentityKind, Key } from '../table/keys.ts';
import type { Claim, IdentityRef } from '../profiles/identity-claims.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
import type { State } from '../profiles/profile-state.ts';
import type { Person } from './batch-person.ts';
import type { RecordRefusal, Warning } from '../profiles/types.ts';
import type { HybridTimestamp } from '../runtime/hybrid-timestamp.ts';

/** A record of a running batch, with the claim keys of its identities, strongest first. */
export interface PendingRecord {
  readonly index: number;
  readonly record: AcceptedRecord;
  readonly refs: readonly IdentityRef[];
}

/** A provisional ordinal to be closed in favour of a person. */
export interface Closing {
  readonly ordinal: number;
  readonly person: Person;
}

/** A claim to be made, or taken over as it was `seen`. */
export interface ClaimStep {
  readonly kind: IdentityKind;
  readonly key: Key;
  readonly seen: Claim | undefined;
  /** When the last owner was forgotten. The claim keeps this time for records that are still under way. */
  readonly forgotten: HybridTimestamp | undefined;
  readonly person: Person;
}

/** A claim that leads to nobody, from a record that will not make anybody the owner. */
export interface Release {
  readonly key: Key;
  readonly seen: Claim;
  /** The provisional ordinal behind the claim, to be closed first; undefined when a tombstone stands already. */
  readonly provisional: number | undefined;
  readonly forgotten: HybridTimestamp;
}

/** The outcome of one record if all writes of its person succeed. */
export interface Decision {
  readonly pending: PendingRecord;
  readonly person: Person;
  /** Timestamp of its values, as stored. */
  readonly stamp: HybridTimestamp;
  /** Its registers. */
  readonly contribution: State;
  readonly warnings: readonly Warning[];
  readonly refusal: RecordRefusal | undefined;
}

/** The writes of a batch, planned in memory. */
export interface WritePlan {
  readonly persons: ReadonlySet<Person>;
  readonly closings: readonly Closing[];
  readonly claims: readonly ClaimStep[];
  readonly decisions: readonly Decision[];
  /** Records that must wait until others of the batch are stored. */
  readonly deferred: readonly PendingRecord[];
  /** Records of people who were forgotten after the acceptance of the record. Nothing of them is stored. */
  readonly forgotten: readonly PendingRecord[];
  /** Records that were accepted before every forgetting that the service still remembers. */
  readonly outdated: readonly PendingRecord[];
  /** Records of people who object to being stored. */
  readonly objected: readonly PendingRecord[];
  readonly releases: readonly Release[];
  /**
   * Stored profiles that lose the claim of an identity they do not hold, with the persons who take it. These
   * profiles are rewritten first, so that no writer with an older snapshot can still store the identity there.
   */
  readonly touched: ReadonlyMap<Person, ReadonlySet<Person>>;
}
