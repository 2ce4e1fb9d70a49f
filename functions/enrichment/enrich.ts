import { limits } from '../../shared/config/limits.ts';
import { secretOpener } from '../../shared/enrichment/ask-enricher.ts';
import { enrich, type EnrichDeps } from '../../shared/enrichment/enrich.ts';
import { readEnrichers } from '../../shared/enrichment/enrichers.ts';
import { enrichmentMessage } from '../../shared/enrichment/enrichment-question.ts';
import { queueHandler } from '../../shared/edge/queue-handler.ts';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keyService } from '../../shared/runtime/kms-keys.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { systemResolve, webhookSender } from '../../shared/webhooks/sender.ts';
import { privateTargets } from '../../shared/webhooks/address-settings.ts';
import { writerLogsOf } from '../imports/writer-logs.ts';
import { profileWriterDeps } from '../profiles/deps.ts';
import type { EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './entries.ts';
import { drainRequester } from '../segments/drain-requests.ts';

export const handler = queueHandler(
  enrichmentMessage,
  enrich,
  (env: EnvOf<typeof entries.enrich>): EnrichDeps => {
    const profiles = profileWriterDeps(env, writerLogsOf(env));
    const known = profileRepository(profiles);
    return {
      scopeOf: profiles.scopeOf,
      enrichersOf: (property) => readEnrichers(profiles.table, property),
      findPerson: (scope, identity) => known.findByIdentity(scope, identity),
      send: webhookSender({
        resolve: systemResolve,
        privateTargets: privateTargets(env),
        timeoutMs: limits.enrichment.timeoutSeconds * 1000,
        keepBytes: limits.enrichment.answerBytes,
      }),
      secretOf: secretOpener(keyService(env('PROPERTY_KEY_ID'))),
      store: (scope, records, attemptId) =>
        applyRecords(profiles, scope, records, { attemptId, index: 'later' }),
      requestDrains: drainRequester(env),
      clock: profiles.clock,
      ids: systemIds,
      log: systemLog,
    };
  },
  'ENRICHMENTS_QUEUE_URL',
);
