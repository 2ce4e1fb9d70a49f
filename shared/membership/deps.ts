/** Ports of the membership index. */
import type { BrandVersionSource } from '../catalogue/brand-versions.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import type { ReadProfiles } from '../profiles/profile-repository.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Pause } from '../runtime/pause.ts';
import type { Table } from '../table/table.ts';

/** Ports of the membership index. `clock` decides age bands, and which version of the brand catalogue is in force. */
export interface MembershipDeps {
  readonly table: Table;
  readonly catalogue: SegmentCatalogue;
  readonly readProfiles: ReadProfiles;
  readonly brands: BrandVersionSource;
  readonly clock: Clock;
  readonly pause: Pause;
}
