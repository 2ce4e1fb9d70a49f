/** Ports of the membership index. */
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import type { DerivationSource } from '../catalogue/derivation.ts';
import type { ReadProfiles } from '../profiles/profile-repository.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import type { Table } from '../table/table.ts';

/** Ports of the membership index. `clock` decides age bands, and which derivation is in force. */
export interface MembershipDeps {
  readonly table: Table;
  readonly catalogue: SegmentCatalogue;
  readonly readProfiles: ReadProfiles;
  readonly derivations: DerivationSource;
  readonly clock: Clock;
  readonly pause: Pause;
}
