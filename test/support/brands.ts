import { noBrands } from '../../shared/catalogue/brands.ts';
import { BrandVersions } from '../../shared/catalogue/brand-versions.ts';
import { Derivations, derivationsWith } from '../../shared/catalogue/derivation.ts';

const versions = new BrandVersions(noBrands);

/** What decides segments where no brands are loaded: the catalogue of brands knows no page. */
export const unloadedBrands = derivationsWith(() => Promise.resolve(versions));

/** The same, as it is in force in a property. */
export const unloadedIn = (property: number) => new Derivations(property, versions).at(0);

/** Ports of the catalogue of segments besides the table, where no brands are loaded. */
export const withoutBrands = {
  derivations: unloadedBrands,
  clock: () => Date.UTC(2026, 0, 1),
  pause: () => Promise.resolve(),
};
