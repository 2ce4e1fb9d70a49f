import fc from 'fast-check';
import type { LwwRegister } from '../../shared/profiles/profile-state.ts';

type Content = Pick<LwwRegister, 'area' | 'tier' | 'name' | 'value'>;

/** Registers of some areas: their names, and their values and tiers where these are not those of most. */
interface Few {
  readonly area: readonly LwwRegister['area'][];
  readonly name: readonly string[];
  readonly value?: fc.Arbitrary<LwwRegister['value']>;
  readonly tier?: Content['tier'];
}

/** Random registers without source and time. Few names and values make ties and clashes common. */
export const contentOf = (tiers: readonly Content['tier'][], kinds: readonly Few[]): fc.Arbitrary<Content> =>
  fc.oneof(
    ...kinds.map(({ area, name, value = fc.constant(true), tier }) =>
      fc.record({
        area: fc.constantFrom(...area),
        tier: tier === undefined ? fc.constantFrom(...tiers) : fc.constant(tier),
        name: fc.constantFrom(...name),
        value,
      }),
    ),
  );

/** The same as registers, with a time and a source. */
export const registerOf = (
  content: fc.Arbitrary<Content>,
  stamp: fc.Arbitrary<LwwRegister['stamp']>,
  origins: readonly string[],
): fc.Arbitrary<LwwRegister> =>
  fc
    .tuple(content, fc.record({ stamp, origin: fc.constantFrom(...origins) }))
    .map(([what, when]) => ({ ...what, ...when }));
