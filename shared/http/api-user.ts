import * as v from 'valibot';
import type { ApiUser } from './api-types.ts';
import { described } from './described.ts';

/** The user who created a resource, as stored with it. A deleted user has an id and empty texts. */
export const creatorSchema = v.object({
  email: described('The e-mail address of the user.', v.string()),
  first_name: described('The first name of the user.', v.string()),
  id: described('The id of the user.', v.pipe(v.number(), v.integer())),
  last_name: described('The last name of the user.', v.string()),
});

/** The user who created a resource, as shown. */
export const shownCreatorSchema = v.object({
  email: described('The e-mail address of the user. Null if the user was deleted.', v.nullable(v.string())),
  first_name: described('The first name of the user. Null if the user was deleted.', v.nullable(v.string())),
  id: described('The id of the user.', v.pipe(v.number(), v.integer())),
  last_name: described('The last name of the user. Null if the user was deleted.', v.nullable(v.string())),
});

/** What a resource keeps of a deleted user. Release 0.2.0 reads texts only. */
export const namelessCreator = (id: number): ApiUser => ({ email: '', first_name: '', id, last_name: '' });

/** Whether a user was deleted: every user has an address. */
export const isNameless = ({ email }: ApiUser): boolean => email === '';

/** A creator as answers show it. */
export const creatorView = ({ email, first_name, id, last_name }: ApiUser) =>
  isNameless({ email, first_name, id, last_name })
    ? { email: null, first_name: null, id, last_name: null }
    : { email, first_name, id, last_name };
