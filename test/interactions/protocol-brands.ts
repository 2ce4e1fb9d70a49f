/** The brand catalogue of the histories: its versions are loaded and put in place while everything else goes on. */
import { advanceBrands } from '../../shared/brands/advance.ts';
import { beginLoad, commitLoad, stagePart } from '../../shared/brands/load.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { scope } from '../profiles/harness.ts';
import type { ServiceInMemory } from './service-in-memory.ts';
import { workOf, type Work } from './work.ts';

/** A page that the catalogue knows, and its brand. */
export type Placement = readonly [page: string, brand: string];

const MARGIN_MS = 60_000;

export const protocolBrands = ({
  front,
  clock,
  ports,
  draining,
  drainAll,
  deps: { barrier },
}: ServiceInMemory) => {
  const deps = { ...ports, derivations: front.derivations };
  return {
    /** Loads a version of the catalogue. The work puts it in place. */
    loadBrands: async (placements: readonly Placement[]): Promise<Work> => {
      const loading = { ...deps, ids: systemIds };
      const { version } = await beginLoad(loading);
      const rows = placements.map(([page, brand]) => [page, brand, 'Shops']);
      const staged = await stagePart(loading, { version, part: 0, rows });
      if (!staged.ok) throw new Error(staged.error.message);
      const committed = await commitLoad(loading, { version, parts: 1, pages: rows.length });
      if (!committed.ok) throw new Error(committed.error.message);
      const { segments: catalogue } = front;
      const advance = async (): Promise<unknown> => {
        clock.now += 5 * MARGIN_MS;
        await barrier.isSettled(scope.id, clock.now);
        await drainAll();
        const advanced = await advanceBrands({
          ...{ ...deps, ...draining, catalogue },
          ...{ marginMs: MARGIN_MS, hasTime: () => true },
        });
        return advanced === 'idle' ? undefined : 'waits';
      };
      return workOf(`version ${version} of ${JSON.stringify(placements)}`, [advance]);
    },
  };
};
