import type { ProfileWriter } from '../../shared/ingest/profile-writer.ts';
import type { MomentMembers } from '../../shared/membership/moments.ts';
import type { PropertyScopes } from '../../shared/properties/property-keys.ts';
import { createErasure } from '../../shared/retention/erasures.ts';
import { eraseSegment } from '../../shared/retention/erase-segment.ts';
import { shownErasure, type ErasureBody } from '../../shared/retention/schemas.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { answered } from '../support/requests.ts';
import type { MemoryTable } from '../support/memory-table.ts';
import { forgettingPorts } from './forgetting-ports.ts';
import type { Kept } from './kept.ts';

interface ErasingPorts {
  readonly ask: (
    path: Record<string, never>,
    query: Record<string, never>,
    body: ErasureBody,
  ) => Parameters<typeof createErasure>[1];
  readonly hour: () => void;
  readonly table: MemoryTable;
  readonly kept: Kept;
  readonly front: ProfileWriter;
  readonly moments: MomentMembers;
  readonly scopeOf: PropertyScopes;
}

/** Erasures of segments, as a user asks for them and the function carries them out. */
export const erasing = ({ ask, hour, table, kept, front, moments, scopeOf }: ErasingPorts) => ({
  /** Forgets everybody in a segment. Throws when it does not have this number of people. */
  erase: async (segment: number, profiles: number): Promise<void> => {
    hour();
    const deps = {
      ...{ ...front, ...forgettingPorts(table, kept), moments, scopeOf },
      ...{ catalogue: front.segments, work: kept.work, ids: systemIds },
    };
    const asked = ask({}, {}, { segment, profiles });
    const { id } = await answered(createErasure(deps, asked), shownErasure);
    await eraseSegment(deps, { property: asked.property.id, erasure: id }, () => true);
  },
});
