/** Random registers, records and steps for the rules of undo on one person. */
import fc from 'fast-check';
import { limits } from '../../shared/config/limits.ts';
import {
  importOrigin,
  clearableAreas,
  enricherOrigin,
  tagName,
} from '../../shared/profiles/profile-state.ts';
import { contentOf } from '../profiles/few-registers.ts';
import { tiers } from '../../shared/profiles/types.ts';

const JOBS = [1, 2, 3];

const tags = ['vip', 'jazz'].map((tag) => tagName('2025-01-01 00:00:00', tag));
const dated = fc
  .tuple(
    fc.nat(limits.profiles.consentStatements).map((day) => `2026-01-0${day + 1} 00:00:00`),
    fc.constantFrom('given', 'given', 'withdrawn'),
  )
  .map(([datetime, said]) => [datetime, said, null]);
/** A register without its source and time, of any area but identities. */
export const content = contentOf(
  [tiers.stated, tiers.third_party],
  [
    { area: ['value', 'extra'], name: ['first_name', 'city'], value: fc.constantFrom('a', 'b', null) },
    { area: ['tag', 'label'], name: ['1', '2'] },
    { area: ['erased'], name: clearableAreas },
    { area: ['tag'], name: tags },
    { area: ['consent'], name: ['email', 'sms'], value: fc.oneof(fc.constant([null, 'given', null]), dated) },
    { area: ['untag'], name: ['vip', 'jazz'] },
    { area: ['untagAt'], name: tags },
    { area: ['retag'], name: ['import:7', 'api'] },
  ],
);
/** One of two identities. */
export const identity = contentOf([tiers.stated], [{ area: ['identity'], name: ['email:a', 'email:b'] }]);

/** The source of a record: a request, an enricher, or a job of one definition. */
export const origin = fc.constantFrom('api', enricherOrigin('x'), ...JOBS.map((job) => importOrigin(7, job)));
/** A record, a record that comes again, or an undo. */
export const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      origin,
      ms: fc.integer({ min: 1, max: 5 }),
      contents: fc
        .tuple(identity, fc.array(content, { maxLength: 4 }))
        .map(([first, others]) => [first, ...others]),
      /** The writer dies after it logged the write; the record is delivered again at the end. */
      dies: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), job: fc.constantFrom(...JOBS) }) },
);
/** One step of a history. */
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
