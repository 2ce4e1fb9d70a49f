/** `enrich`: asks an enricher about a person and stores the answer, for the queue of enrichments. */
import type { Identity, RecordOutcome } from '../profiles/types.ts';
import type { AcceptedRecord } from '../profiles/contribution.ts';
import type { PropertyScope } from '../properties/scope.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import { groupOf } from '../table/keys.ts';
import { emptyAnswer, readAnswer, type ParsedAnswer } from './read-answer.ts';
import { askEnricher, type AskDeps, type EnrichmentRequest } from './ask-enricher.ts';
import type { Enricher } from './enrichers.ts';
import { openQuestion, type EnrichmentMessage, type Question } from './enrichment-question.ts';

export interface EnrichDeps extends AskDeps {
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  /** The enrichers of a property as they are now. */
  readonly enrichersOf: (property: number) => Promise<readonly Enricher[]>;
  /** The ordinal of the profile that holds an identity. */
  /** The person who has an identity, and whether the person objects to every use. */
  readonly findPerson: (
    scope: PropertyScope,
    identity: Identity,
  ) => Promise<{ readonly restricted: boolean } | undefined>;
  /** Stores records on their profiles; `attemptId` is unique per call. The drainer updates the index later. */
  readonly store: (
    scope: PropertyScope,
    records: readonly AcceptedRecord[],
    attemptId: string,
  ) => Promise<readonly RecordOutcome[]>;
  /** Asks the drainer to bring groups of ordinals into the index. */
  readonly requestDrains: (property: number, groups: readonly number[]) => Promise<void>;
  readonly ids: Ids;
  readonly log: Log;
}

/**
 * Asks an enricher about one person and stores the answer. The function can be repeated at any point, because the
 * records always have the same versions. It does not ask about a forgotten person, about somebody who objects, nor about
 * somebody whom only an undone import knew. A forgetting during the request wins: then no answer is stored. An earlier delivery may have died behind
 * its write, so each delivery stores something, at least the empty answer: the writer then looks for what restated the
 * profile. Throws on failures that another delivery may resolve.
 */
export const enrich = async (deps: EnrichDeps, message: EnrichmentMessage): Promise<void> => {
  const { property } = message;
  const scope = await deps.scopeOf(property);
  const { question, id } = openQuestion(scope, message);
  const asked = { property, question, id };
  const done = (await mayAsk(deps, scope, question.identities))
    ? await askAndStore(deps, scope, asked)
    : { outcome: 'gone' };
  deps.log('enrichment.done', { property, enricher: question.enricher, request_id: id, ...done });
};

/** A question that was delivered. */
type Asked = Omit<EnrichmentRequest, 'enricher'>;

const askAndStore = async (deps: EnrichDeps, scope: PropertyScope, asked: Asked) => {
  const { outcome, records, refused } = await replyTo(deps, asked);
  for (const code of refused) refuse(deps, asked, code);
  if (records.length > 0) return { outcome, count: await storeAll(deps, scope, asked, records) };
  await deps.store(scope, [emptyAnswer(asked.question)], attemptOf(deps, asked));
  return outcome === 'answered' ? { outcome, count: 0 } : { outcome };
};

/** A parsed answer, or why there is none. */
interface Reply extends ParsedAnswer {
  readonly outcome: 'removed' | 'refused' | 'answered';
}

const replyTo = async (deps: EnrichDeps, asked: Asked): Promise<Reply> => {
  const { property, question } = asked;
  const enricher = (await deps.enrichersOf(property)).find((candidate) => accepts(candidate, question));
  if (!enricher) return { outcome: 'removed', records: [], refused: [] };
  const answer = await askEnricher(deps, { ...asked, enricher });
  const parsed = answer.ok ? readAnswer(answer.value, { enricher, question, now: deps.clock() }) : answer;
  if (!parsed.ok) return { outcome: 'refused', records: [], refused: [parsed.error] };
  return { outcome: 'answered', ...parsed.value };
};

/** Whether a question is for an enricher. An enricher that now accepts identities only must not receive a token. */
const accepts = ({ name, asks }: Enricher, { enricher, token }: Question): boolean =>
  name === enricher && (asks === 'social_token') === (token !== undefined);

/** Whether somebody has an identity, and nobody who has one objects to every use. */
const mayAsk = async (
  { findPerson }: EnrichDeps,
  scope: PropertyScope,
  identities: readonly Identity[],
): Promise<boolean> => {
  const found = await Promise.all(identities.map((identity) => findPerson(scope, identity)));
  return found.some((person) => person) && !found.some((person) => person?.restricted);
};

/** Stores the records of an answer, and asks the drainer to index them. Returns the number of stored entries. */
const storeAll = async (
  deps: EnrichDeps,
  scope: PropertyScope,
  asked: Asked,
  records: readonly AcceptedRecord[],
): Promise<number> => {
  const outcomes = await deps.store(scope, records, attemptOf(deps, asked));
  const groups = new Set<number>();
  let stored = 0;
  for (const outcome of outcomes) {
    if (outcome.kind === 'refused') refuse(deps, asked, outcome.refusal.code);
    if (outcome.kind === 'refused' || outcome.kind === 'forgotten') continue;
    groups.add(groupOf(outcome.ordinal));
    stored += 1;
  }
  if (groups.size > 0) await deps.requestDrains(scope.id, [...groups]);
  return stored;
};

const attemptOf = ({ ids }: EnrichDeps, { id }: Asked): string => `${id}-${ids.hex(8)}`;

const refuse = ({ log }: EnrichDeps, { property, question, id }: Asked, outcome: string): void =>
  log('enrichment.refused', { property, enricher: question.enricher, request_id: id, outcome });
