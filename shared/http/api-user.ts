import * as v from 'valibot';
import { described } from './described.ts';

/** The user who created a resource, as stored with it and as shown. */
export const creatorSchema = v.object({
  email: described('The e-mail address of the user.', v.string()),
  first_name: described('The first name of the user.', v.string()),
  id: described('The id of the user.', v.pipe(v.number(), v.integer())),
  last_name: described('The last name of the user.', v.string()),
});
