/** Random registers, records and steps for the rules of undo on one person. */
import fc from 'fast-check';
import { limits } from '../../shared/config/limits.ts';
import {
  importOrigin,
  clearableAreas,
  enricherOrigin,
  tagName,
  type LwwRegister,
} from '../../shared/profiles/profile-state.ts';
import { tiers } from '../../shared/profiles/types.ts';

const JOBS = [1, 2, 3];

type Content = Pick<LwwRegister, 'area' | 'tier' | 'name' | 'value'>;
const tier = fc.constantFrom(tiers.stated, tiers.third_party);
/** A register without its source and time, of any area but identities. */
export const content: fc.Arbitrary<Content> = fc.oneof(
  fc.record({
    area: fc.constantFrom('value' as const, 'extra' as const),
    tier,
    name: fc.constantFrom('first_name', 'city'),
    value: fc.constantFrom('a', 'b', null),
  }),
  fc.record({
    area: fc.constantFrom('tag' as const, 'label' as const),
    tier,
    name: fc.constantFrom('1', '2'),
    value: fc.constant(true as const),
  }),
  fc.record({
    area: fc.constant('erased' as const),
    tier,
    name: fc.constantFrom(...clearableAreas),
    value: fc.constant(true as const),
  }),
  fc.record({
    area: fc.constant('tag' as const),
    tier,
    name: fc.constantFrom(...['vip', 'jazz'].map((tag) => tagName('2025-01-01 00:00:00', tag))),
    value: fc.constant(true as const),
  }),
  fc.record({
    area: fc.constant('consent' as const),
    tier,
    name: fc.constantFrom('email', 'sms'),
    value: fc.oneof(
      fc.constant([null, 'given', null]),
      fc
        .tuple(
          fc.nat(limits.profiles.consentStatements).map((day) => `2026-01-0${day + 1} 00:00:00`),
          fc.constantFrom('given', 'given', 'withdrawn'),
        )
        .map(([datetime, said]) => [datetime, said, null]),
    ),
  }),
  fc.record({
    area: fc.constant('untag' as const),
    tier,
    name: fc.constantFrom('vip', 'jazz'),
    value: fc.constant(true as const),
  }),
  fc.record({
    area: fc.constant('untagAt' as const),
    tier,
    name: fc.constantFrom(...['vip', 'jazz'].map((tag) => tagName('2025-01-01 00:00:00', tag))),
    value: fc.constant(true as const),
  }),
  fc.record({
    area: fc.constant('retag' as const),
    tier,
    name: fc.constantFrom('import:7', 'api'),
    value: fc.constant(true as const),
  }),
);
/** One of two identities. */
export const identity: fc.Arbitrary<Content> = fc
  .constantFrom('email:a', 'email:b')
  .map((name) => ({ area: 'identity', tier: tiers.stated, name, value: true }));

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
