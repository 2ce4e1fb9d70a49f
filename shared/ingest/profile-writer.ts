/** Profile writer: wires the ports of `applyRecords` with its catalogue, journal and index, for functions and tests. */
import type { DerivationSource } from '../catalogue/derivation.ts';
import { segmentCatalogue, type SegmentCatalogue } from '../catalogue/catalogue.ts';
import { groupCommit } from '../membership/group-commit.ts';
import { journal, type Journal } from '../membership/journal.ts';
import { membershipIndex, type MembershipIndex } from '../membership/membership.ts';
import { processTracks } from '../membership/tracks.ts';
import { ordinalSource } from './ordinals.ts';
import { newcomers } from './newcomers.ts';
import { profileRepository } from '../profiles/profile-repository.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import type { Table } from '../table/table.ts';
import type { ApplyDeps } from './apply-records.ts';
import { restatementsOfRequests, type Restatements } from './restatements.ts';
import { noUndoLog, type UndoLog } from './undo-log.ts';

/** Ports of a profile writer. */
export interface ProfileWriterPorts {
  readonly table: Table;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly derivations: DerivationSource;
  /** From how many bytes on states are stored deflated; by default never, because release 0.2.0 cannot read them. */
  readonly deflateFrom?: number;
  /** By default none: for requests only. */
  readonly undoLog?: UndoLog;
  /** By default those of requests: every record is newer than what is stored, and is written. */
  readonly restatements?: Restatements;
}

/** A writer of profiles with its segments, its journal and its index. */
export interface ProfileWriter extends ApplyDeps {
  readonly segments: SegmentCatalogue;
  readonly journal: Journal;
  readonly membership: MembershipIndex;
}

/** Wires a profile writer on its ports: the functions and the tests use the same wiring. */
export const profileWriter = (
  ports: ProfileWriterPorts,
  catalogue = segmentCatalogue(ports),
): ProfileWriter => {
  const log = journal(ports);
  const tracks = processTracks(ports.clock);
  const membership = membershipIndex({
    ...ports,
    catalogue,
    readProfiles: profileRepository(ports).readEach,
  });
  return {
    deflateFrom: Number.POSITIVE_INFINITY,
    undoLog: noUndoLog,
    restatements: restatementsOfRequests(ports.table),
    ...ports,
    ordinals: ordinalSource(ports.table, tracks),
    newcomers: newcomers(),
    segments: catalogue,
    journal: log,
    membership,
    commit: groupCommit({ ...ports, journal: log, membership, tracks }),
  };
};
