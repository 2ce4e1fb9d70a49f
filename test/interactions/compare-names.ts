import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { namedIn } from './plain-model.ts';
import type { ProtocolWorld } from './protocol-world.ts';
import { same } from './same.ts';
import { cities, lastNames } from './sayings.ts';

/** Compares what a search for each last name finds, everywhere and in each town, with the model. */
export const compareNames = async ({ service, model }: ProtocolWorld): Promise<void> => {
  for (const name of lastNames)
    for (const city of [undefined, ...cities])
      same(`${name}, ${city ?? 'anywhere'}`, await service.findNamed(name, city), namedIn(model, name, city));
};

/** The kinds of the pointers that the table has. */
export const pointersIn = ({ table }: Pick<ProtocolWorld, 'table'>): readonly string[] => {
  const kinds = table.items().map(({ pk }) => kindOfKey(pk));
  return kinds.filter((kind) => kind === 'phone-pointer' || kind === 'name-pointer');
};
