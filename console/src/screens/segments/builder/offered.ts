/** The types of segments and the fields that a rule can be about. */
import type { SegmentType } from '../catalogue.ts';

/** The types of segments that have a line of their own. */
export const offeredTypes: readonly SegmentType[] = ['tag', 'location', 'demographic', 'consent', 'source'];

/** The fields of people, by their names in the API. */
export const fields: readonly string[] = [
  ...['age', 'birthday', 'email', 'phone_number', 'unique_id', 'first_name', 'last_name', 'gender'],
  ...['street', 'zipcode', 'city', 'state', 'country', 'tag', 'source', 'created', 'marital_status'],
  ...['has_children', 'education_level', 'household_income', 'home_owner_status', 'home_value'],
];
