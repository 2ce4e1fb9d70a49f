import { expect, it } from 'vitest';
import { doubtsAbout, groupsOf } from '../../client/cli/imports/overview.ts';
import { filledColumns } from '../../client/src/imports/file-definition.ts';

const phone = { column: 'Phone', kind: 'mapped', target_field: 'phone_number', why: ['Its name.'] } as const;
const surplus = { ...phone, kind: 'left_out', target_field: null, why: ['Surplus.'] } as const;
const empty = { ...surplus, kind: 'empty' } as const;
const field_maps = [
  { sources: [{ type: 'source_field', name: 'Phone', occurrence: 2 }], target_field: 'phone_number' },
];
const definition = { name: 'Visitors', mapping_fields: { field_maps } };
const doubts = [{ column: 'Phone', saw: 'Several.', cells: 1, examples: ['2'], does: 'The first.' }];
const inspected = {
  header: ['Phone', 'Phone', 'Phone'],
  sample: [['', '1', '2']],
  suggestion: { definition, columns: [empty, phone, surplus], doubts },
};

it('of several columns of one name, the one that is taken is shown with its doubt', () => {
  const { mapped, left, empty: without } = groupsOf({ definition, targets: new Map() }, inspected);
  expect(mapped).toEqual([['Phone', 'phone_number', '1', 'Its name.']]);
  expect([...left]).toEqual([['Surplus.', ['Phone']]]);
  expect(without).toEqual(['Phone']);
  expect(doubtsAbout(definition, inspected.suggestion)).toEqual(doubts);
});

it('a name counts as filled if one of its columns is', () => {
  expect(filledColumns(inspected)).toEqual(['Phone']);
});
