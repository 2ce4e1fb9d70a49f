import { cachedBrandVersions } from '../../shared/catalogue/brand-versions.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { Table } from '../../shared/table/table.ts';

/** Processes on a table, each with the memories that a process of the service has. */
export const processesOn = <Ports extends { readonly table: Table; readonly clock: Clock }>(ports: Ports) => {
  const renewals: (() => void)[] = [];
  return {
    /** The ports of a process. */
    process: () => {
      let brands = cachedBrandVersions(ports);
      renewals.push(() => (brands = cachedBrandVersions(ports)));
      return { ...ports, brands: () => brands() };
    },
    /** Replaces all processes. A new process reads for itself what a frozen process has begun to read. */
    renewProcesses: (): void => {
      renewals.forEach((renew) => renew());
    },
  };
};
