import { cachedDerivations, type DerivationSource } from '../../shared/catalogue/derivation.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { Table } from '../../shared/table/table.ts';

/** Processes on a table, each with the memories that a process of the service has. */
export const processesOn = <Ports extends { readonly table: Table; readonly clock: Clock }>(ports: Ports) => {
  const renewals: (() => void)[] = [];
  return {
    /** The ports of a process. */
    process: () => {
      let own = cachedDerivations(ports);
      renewals.push(() => (own = cachedDerivations(ports)));
      const derivations: DerivationSource = {
        brands: () => own.brands(),
        of: (property) => own.of(property),
      };
      return { ...ports, derivations };
    },
    /** Replaces all processes. A new process reads for itself what a frozen process has begun to read. */
    renewProcesses: (): void => {
      renewals.forEach((renew) => renew());
    },
  };
};
