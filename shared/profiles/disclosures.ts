/** Disclosures: who may have got the data of a person from the service, as answers show it (GDPR, articles 15 and 19). */
import * as v from 'valibot';
import { described } from '../http/described.ts';

const time = v.pipe(v.string(), v.isoTimestamp());
const nullableTime = v.nullable(time);

const shownDelivery = v.strictObject({
  kind: described(
    'The way in which the file or the notice went.',
    v.picklist(['sftp', 's3', 'changes', 'webhook', 'email']),
  ),
  receiver: described(
    'Who gets it: the SFTP server, the bucket, the host of the webhook, or the e-mail address.',
    v.string(),
  ),
  state: described(
    'Where the delivery stands.',
    v.picklist(['waiting', 'sending', 'retrying', 'delivered', 'exhausted']),
  ),
  delivered: described('When it succeeded last. Null if it did not succeed.', nullableTime),
});

const shownJob = v.strictObject({
  id: described('The id of the job.', v.string()),
  finished: described('When the file was finished.', nullableTime),
  file_name: described('The name of the file.', v.string()),
  location_until: described(
    'Until when everyone with its location could open the file, unless it was closed. The audit log has the openings.',
    time,
  ),
  deliveries: described('The deliveries of the file and of its notices.', v.array(shownDelivery)),
});

const shownExport = v.strictObject({
  id: described('The id of the export, which may be deleted.', v.string()),
  name: described('The name of the export at the time of its newest job here.', v.nullable(v.string())),
  jobs: described('The jobs whose file may have had the person, the newest first.', v.array(shownJob)),
  more_jobs: described(
    'Whether earlier jobs with the same settings were left out: they went to the same receivers.',
    v.boolean(),
  ),
});

const shownEnricher = v.strictObject({
  name: described('The name of the enricher.', v.string()),
  url: described('Its address. Null if the property does not ask it any more.', v.nullable(v.string())),
  answered: described('Whether the profile has, or had, values from it: then it was asked.', v.boolean()),
});

/** Schema of the disclosures of a person. */
export const disclosuresSchema = v.strictObject({
  since: described('The exports since this time were looked at.', time),
  all_looked_at: described(
    'Whether all exports since then were looked at. `false`: there were too many; the newest were looked at first.',
    v.boolean(),
  ),
  exports: described(
    'The exports that may have had the person, those with the newest jobs first.',
    v.array(shownExport),
  ),
  enrichers: described(
    'The services that may have been asked about the person. The service keeps no list of its questions.',
    v.array(shownEnricher),
  ),
});
export type Disclosures = v.InferOutput<typeof disclosuresSchema>;

/** Finds who may have got the data of the person at an ordinal. */
export type DisclosuresOf = (property: number, ordinal: number, now: number) => Promise<Disclosures>;
