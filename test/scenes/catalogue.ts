/** Catalogue of scenes: they call every operation of the API once with success, as the clients of a concert hall would. */
import type { Examples } from '../../functions/edge/openapi/examples.ts';
import { stableExchanges } from '../examples/stable.ts';
import { accountExtras, playAccount } from './account.ts';
import type { Extra } from './cast.ts';
import { deliveryExtras } from './deliveries.ts';
import { exportExtras, playExports } from './exports.ts';
import { fileExtras } from './import-files.ts';
import { importExtras, playImports } from './imports.ts';
import { operatorExtras } from './operator.ts';
import { peopleExtras, playPeople } from './people.ts';
import { playSegments, segmentExtras } from './segments.ts';
import type { Stage } from './stage.ts';
import { playTimelines, timelineExtras } from './timelines.ts';
import { unsettledExtras } from './unsettled.ts';

/** Plays every scene. */
export const playScenes = async (stage: Stage): Promise<void> => {
  const person = await playPeople(stage);
  const jazz = await playSegments(stage, person);
  // Exports make no segments and no people, so they change no id and no count of the others.
  await Promise.all([playTimelines(stage, jazz).then(() => playImports(stage)), playExports(stage, jazz)]);
  await playAccount(stage);
};

/** The extras of every scene, in the order in which they play. */
export const extras: readonly Extra[] = [
  ...operatorExtras,
  ...accountExtras,
  ...segmentExtras,
  ...timelineExtras,
  ...exportExtras,
  ...deliveryExtras,
  ...peopleExtras,
  ...importExtras,
  ...fileExtras,
  ...unsettledExtras,
];

/** The examples of the scenes that were played, with stable values. */
export const examplesOf = ({ service, examples, webhook, sftp }: Stage): Examples => {
  const { endpoints } = service.cloud;
  return stableExchanges(examples, [
    [webhook, 'https://hooks.example.org/tidemark'],
    [sftp, 'sftp.example.org'],
    [endpoints.base_url, 'https://tidemark.example'],
    [endpoints.aws_endpoint, 'https://s3.example.com'],
    ...(endpoints.password === undefined ? [] : [[endpoints.password, 'example-password'] as const]),
    ['127.0.0.1', '203.0.113.7'],
  ]);
};
