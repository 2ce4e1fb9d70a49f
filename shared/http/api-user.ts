import * as v from 'valibot';

/** The user who created a resource, as stored with it and as shown. */
export const creatorSchema = v.object({
  email: v.string(),
  first_name: v.string(),
  id: v.number(),
  last_name: v.string(),
});
