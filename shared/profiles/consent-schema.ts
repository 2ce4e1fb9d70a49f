import * as v from 'valibot';
import { rule } from '../http/rule.ts';
import { consentStates, isChannel } from './consent.ts';

/** A channel and a state of consent, as requests name them. */
export const consentFilter = v.strictObject({
  channel: v.pipe(
    v.string('Must be a string.'),
    rule(
      'wrong_format',
      isChannel,
      'Must be 1 to 64 lower-case letters, digits, _ and -, for example email.',
    ),
  ),
  state: v.picklist(consentStates, 'Must be given or withdrawn.'),
});
