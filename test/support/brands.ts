import { noBrands } from '../../shared/catalogue/brands.ts';
import { BrandVersions } from '../../shared/catalogue/brand-versions.ts';

const times = new BrandVersions(noBrands);

/** A catalogue of brands that knows no page, as it is before the first load. */
export const unloadedBrands = () => Promise.resolve(times);

/** Ports of the catalogue of segments besides the table, where no brands are loaded. */
export const withoutBrands = {
  brands: unloadedBrands,
  clock: () => Date.UTC(2026, 0, 1),
  pause: () => Promise.resolve(),
};
