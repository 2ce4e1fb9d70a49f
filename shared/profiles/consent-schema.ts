import * as v from 'valibot';
import { described } from '../http/described.ts';
import { rule } from '../http/rule.ts';
import { consentStates, isChannel } from './consent.ts';

/** A channel and a state of consent, as requests name them. */
export const consentFilter = v.strictObject({
  channel: described(
    'The channel: a name of your choice, such as `email` or `sms`, of lower-case letters, digits, `_` and `-`.',
    v.pipe(
      v.string('Must be a string.'),
      rule(
        'wrong_format',
        isChannel,
        'Must be 1 to 64 lower-case letters, digits, _ and -, for example email.',
      ),
    ),
  ),
  state: described(
    'Whether the person gave consent to the channel or withdrew it.',
    v.picklist(consentStates, 'Must be given or withdrawn.'),
  ),
});
