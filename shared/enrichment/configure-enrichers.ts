/** Enricher configuration: adds, changes, lists and removes the enrichers of a property, for the operator. */
import { limits } from '../config/limits.ts';
import { unknownProperty, type CommandRefusal, type Outcome } from '../auth/accounts.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Pause } from '../runtime/pause.ts';
import type { KeyService } from '../runtime/ports.ts';
import { err, ok } from '../runtime/result.ts';
import { changeItem } from '../table/change-item.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { newSecret, showSecret } from '../webhooks/signature.ts';
import type { AddressSettings } from '../webhooks/address-settings.ts';
import { checkWebhookUrl, webhookUrlDetail } from '../webhooks/url.ts';
import { parseEnrichers, readEnrichers, secretContext, type Enricher } from './enrichers.ts';

export interface ConfigureDeps {
  readonly table: Table;
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly stage: AddressSettings;
  readonly pause: Pause;
}

/**
 * Adds an enricher to a property, or changes the enricher of that name. The function creates the signing secret with
 * the enricher and returns it once. To rotate the secret, the operator removes the enricher and adds it again.
 */
export const setEnricher = async (
  deps: ConfigureDeps,
  { property, name, url, asks, tiers }: { readonly property: number } & Omit<Enricher, 'secret'>,
): Promise<Outcome<{ readonly enricher: string; readonly secret?: string }>> => {
  const { table, keyService, ids, stage } = deps;
  const checked = checkWebhookUrl(url, stage);
  if (!checked.ok) {
    return err({
      code: 'refused_url',
      message: `The address is refused. ${webhookUrlDetail(checked.error, stage)}`,
    });
  }
  if (!(await table.get(keys.property(property)))) return err(unknownProperty);
  const fresh = newSecret(ids);
  const secret = await keyService.encrypt(fresh, secretContext(property, name));
  return change(deps, property, (enrichers) => {
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

/** Removes an enricher from a property. Questions that are still in the queue are not sent. */
export const removeEnricher = (
  deps: Pick<ConfigureDeps, 'table' | 'pause'>,
  { property, name }: { readonly property: number; readonly name: string },
): Promise<Outcome<{ readonly enricher: string }>> =>
  change(deps, property, (enrichers) => {
    const others = enrichers.filter((one) => one.name !== name);
    if (others.length === enrichers.length) return err(unknownEnricher);
    return ok({ enrichers: others, answer: { enricher: name } });
  });

/** The enrichers of a property, without their secrets. */
export const listEnrichers = async (
  { table }: Pick<ConfigureDeps, 'table'>,
  property: number,
): Promise<Outcome<{ readonly enrichers: readonly Omit<Enricher, 'secret'>[] }>> => {
  if (!(await table.get(keys.property(property)))) return err(unknownProperty);
  const enrichers = await readEnrichers(table, property);
  return ok({ enrichers: enrichers.map(({ name, asks, tiers, url }) => ({ name, asks, tiers, url })) });
};

/** Changes the enrichers of a property with optimistic locking. */
const change = <Answer>(
  { table, pause }: Pick<ConfigureDeps, 'table' | 'pause'>,
  property: number,
  decide: (
    enrichers: readonly Enricher[],
  ) => Outcome<{ readonly enrichers: readonly Enricher[]; readonly answer: Answer }>,
): Promise<Outcome<Answer>> => {
  const key = keys.enrichers(property);
  const what = 'enrichment: the enrichers of a property';
  return changeItem<Outcome<Answer>>({ table, pause }, { key, what }, (item) => {
    const decided = decide(parseEnrichers(item));
    if (!decided.ok) return { result: decided };
    const { enrichers, answer } = decided.value;
    return { result: ok(answer), set: { enrichers: enrichers.map((enricher) => ({ ...enricher })) } };
  });
};

const unknownEnricher: CommandRefusal = {
  code: 'unknown_enricher',
  message: 'This property has no enricher of that name.',
};
const full: CommandRefusal = {
  code: 'full',
  message: `A property has at most ${limits.enrichment.enrichers} enrichers.`,
};
