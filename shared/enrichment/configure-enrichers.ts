import { limits } from '../config/limits.ts';
import type { CommandRefusal } from '../auth/accounts.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Pause } from '../runtime/pause.ts';
import type { KeyService } from '../runtime/ports.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { manyRounds, nextRound } from '../runtime/retry.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { newSecret, showSecret } from '../webhooks/signature.ts';
import type { WebhookStage } from '../webhooks/stage.ts';
import { checkWebhookUrl, webhookUrlDetails } from '../webhooks/url.ts';
import {
  readEnrichers,
  replaceEnrichers,
  secretContext,
  type Enricher,
  type StoredEnrichers,
} from './enrichers.ts';

/** What configuring enrichers needs. */
export interface ConfigureDeps {
  readonly table: Table;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly stage: WebhookStage;
  readonly pause: Pause;
}

/**
 * Gives a property an enricher, or changes the one of that name. The secret that its calls are signed with is made with
 * the enricher and answered then, never again; to get another one, the enricher is removed and made anew.
 */
export const setEnricher = async (
  deps: ConfigureDeps,
  { property, name, url, asks, tiers }: { readonly property: number } & Omit<Enricher, 'secret'>,
): Promise<Result<{ readonly enricher: string; readonly secret?: string }, CommandRefusal>> => {
  const { table, keyService, ids, stage } = deps;
  const checked = checkWebhookUrl(url, stage);
  if (!checked.ok)
    return err({
      code: 'refused_url',
      message: `The address is refused. ${webhookUrlDetails[checked.error]}`,
    });
  if (!(await table.get(keys.property(property)))) return err(unknownProperty);
  const fresh = newSecret(ids);
  const secret = await keyService.encrypt(fresh, secretContext(property, name));
  return change(deps, property, ({ enrichers }) => {
    const known = enrichers.find((one) => one.name === name);
    if (!known && enrichers.length >= limits.enrichment.enrichers) return err(full);
    const others = enrichers.filter((one) => one !== known);
    return ok({
      enrichers: [
        ...others,
        { name, url, asks, tiers: [...new Set(tiers)], secret: known?.secret ?? secret },
      ],
      answer: { enricher: name, ...(known ? {} : { secret: showSecret(fresh) }) },
    });
  });
};

/** Takes an enricher from a property. It is not called again, nor for what was queued before. */
export const removeEnricher = (
  deps: Pick<ConfigureDeps, 'table' | 'pause'>,
  { property, name }: { readonly property: number; readonly name: string },
): Promise<Result<{ readonly enricher: string }, CommandRefusal>> =>
  change(deps, property, ({ enrichers }) => {
    const others = enrichers.filter((one) => one.name !== name);
    if (others.length === enrichers.length) return err(unknownEnricher);
    return ok({ enrichers: others, answer: { enricher: name } });
  });

/** The enrichers of a property, without their secrets. */
export const listEnrichers = async (
  { table }: Pick<ConfigureDeps, 'table'>,
  property: number,
): Promise<Result<{ readonly enrichers: readonly Omit<Enricher, 'secret'>[] }, CommandRefusal>> => {
  if (!(await table.get(keys.property(property)))) return err(unknownProperty);
  const { enrichers } = await readEnrichers(table, property);
  return ok({ enrichers: enrichers.map(({ name, asks, tiers, url }) => ({ name, asks, tiers, url })) });
};

/** Changes what is stored on condition that nobody else did. */
const change = async <Answer>(
  { table, pause }: Pick<ConfigureDeps, 'table' | 'pause'>,
  property: number,
  decide: (
    seen: StoredEnrichers,
  ) => Result<{ readonly enrichers: readonly Enricher[]; readonly answer: Answer }, CommandRefusal>,
): Promise<Result<Answer, CommandRefusal>> => {
  for (let round = 0; ; round += 1) {
    await nextRound(pause, round, manyRounds, 'enrichment: the enrichers of a property');
    const seen = await readEnrichers(table, property);
    const decided = decide(seen);
    if (!decided.ok) return decided;
    if (await replaceEnrichers(table, property, seen, decided.value.enrichers))
      return ok(decided.value.answer);
  }
};

const unknownProperty: CommandRefusal = { code: 'unknown_property', message: 'There is no such property.' };
const unknownEnricher: CommandRefusal = {
  code: 'unknown_enricher',
  message: 'This property has no enricher of that name.',
};
const full: CommandRefusal = {
  code: 'full',
  message: `A property has at most ${limits.enrichment.enrichers} enrichers.`,
};
